import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import { Api } from "../../../src/api/Api.ts"
import { CATALOGUE, type Code } from "../../../src/api/ApiError.ts"
import { isSpecified, SPECIFIED_OPERATIONS } from "../../../src/api/SpecifiedOperations.ts"
import { make } from "../../../src/http/OpenApiDocument.ts"
import { Contract, type SeenAnswer } from "../../lib/Contract.ts"
import { itLive } from "../../lib/Effects.ts"

interface Answers {
  readonly [status: string]: { readonly description: string; readonly content?: object }
}

interface Operation {
  readonly "x-extension"?: boolean
  readonly responses: Answers
  readonly parameters?: ReadonlyArray<{ readonly name: string; readonly schema: { readonly type: string } }>
}

const document = make(Api) as unknown as { readonly paths: Record<string, Record<string, Operation>> }

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation }))
)

describe("The OpenAPI document", () => {
  it("types the numbers of a query as numbers", () => {
    const typesOf = (path: string): Record<string, string> =>
      Object.fromEntries(
        (document.paths[path]?.["get"]?.parameters ?? []).map(({ name, schema }) => [name, schema.type])
      )
    expect(typesOf("/api/arena/orders")).toMatchObject({ asset_type: "string", limit: "integer", offset: "integer" })
    const limit = document.paths["/api/arena/orders"]?.["get"]?.parameters?.find(({ name }) => name === "limit")
    expect(limit?.schema).toMatchObject({ type: "integer", minimum: 1, maximum: 100, default: 20 })
    expect(typesOf("/api/arena/yield/estimate")).toEqual({ order_value: "number", duration_days: "integer" })
  })

  itLive("marks what the specification does not have", () =>
    Effect.sync(() => {
      for (const { method, operation, path } of operations) {
        expect([`${method} ${path}`, operation["x-extension"] ?? false]).toEqual([
          `${method} ${path}`,
          !isSpecified(method, path)
        ])
      }
      expect(operations.filter(({ operation }) => operation["x-extension"] === undefined).length).toBeGreaterThan(15)
      expect(SPECIFIED_OPERATIONS.has("GET /v1/funds/{}")).toBe(true)
      expect(isSpecified("get", "/v1/funds/{anything}")).toBe(true)
      expect(isSpecified("get", "/v1/funds/{id}/more")).toBe(false)
      expect(JSON.stringify(document)).toContain(
        '"description":"Extension: who competes; after the choice.","x-extension":true'
      )
    })
  )

  itLive("lists, for each status, the codes of the catalogue that it may carry", () =>
    Effect.sync(() => {
      for (const { operation } of operations) {
        for (const [status, { content }] of Object.entries(operation.responses)) {
          if (Number(status) < 400) continue
          const codes = [...JSON.stringify(content).matchAll(/"code":\{"type":"string","enum":(\[[^\]]*\])/g)]
          const named = codes.flatMap(([, list = "[]"]) => JSON.parse(list) as ReadonlyArray<Code>)
          expect(named.length).toBeGreaterThan(0)
          for (const code of named) expect<number>(CATALOGUE[code].status).toBe(Number(status))
        }
      }
    })
  )
})

describe("The test client's reading of the document", () => {
  const contract = new Contract()
  const headers = (more: Readonly<Record<string, string>> = {}) =>
    new Headers({
      "content-type": "application/json",
      "x-ratelimit-limit": "100",
      "x-ratelimit-remaining": "99",
      "x-ratelimit-reset": "60",
      "x-request-id": "1",
      ...more
    })
  const funds: SeenAnswer = {
    method: "GET",
    path: "/v1/funds",
    status: 200,
    headers: headers({ "x-total-count": "0" }),
    text: "[]"
  }
  const problemOf = (change: Partial<SeenAnswer>) => contract.problemOf({ ...funds, ...change })
  const error = (code: string, more: object = {}) => JSON.stringify({ message: "m", code, ...more })

  itLive("finds what is not documented", () =>
    Effect.sync(() => {
      expect(problemOf({})).toBeUndefined()
      expect(problemOf({ headers: new Headers({ "x-request-id": "1" }) })).toBe(
        "the header x-ratelimit-limit is missing"
      )
      expect(problemOf({ text: "[1]" })).toBe("the body/0 must be object")
      expect(problemOf({ text: "[" })).toBe("the body is not JSON")
      expect(problemOf({ headers: headers() })).toBe("the header X-Total-Count is missing")
      expect(problemOf({ headers: headers({ "x-total-count": "0", "content-type": "text/html" }) })).toBe(
        "the content type text/html is not documented"
      )
      expect(problemOf({ status: 418 })).toBe("the status is not documented")
      expect(problemOf({ status: 403, text: error("access_denied") })).toBeUndefined()
      expect(problemOf({ status: 403, text: error("ARENA_006") })).toContain("allowed values")
      expect(problemOf({ status: 401, text: error("unauthorized") })).toBe("the header WWW-Authenticate is missing")
      expect(problemOf({ status: 503, text: error("unavailable") })).toBe("the header Retry-After is missing")
    })
  )

  itLive("knows what an address answers that takes no such request", () =>
    Effect.sync(() => {
      const nowhere = { path: "/nowhere", status: 404 }
      expect(problemOf({ ...nowhere, text: error("not_found") })).toBeUndefined()
      expect(problemOf({ ...nowhere, text: error("not_found", { success: false }) })).toBe(
        "the body has code, message, success"
      )
      expect(problemOf({ ...nowhere, text: error("conflict") })).toBe("conflict is not of this status")
      expect(problemOf({ path: "/nowhere", text: "[]" })).toBe("the body has ")
      const wrongMethod = { method: "PUT", status: 405, text: error("method_not_allowed") }
      expect(problemOf(wrongMethod)).toBe("405 without Allow")
      expect(problemOf({ ...wrongMethod, headers: headers({ allow: "GET" }) })).toBeUndefined()
      expect(problemOf({ method: "PUT", status: 204, text: "" })).toBe("204 is for preflights alone")
    })
  )
})
