import { describe, expect, it as plain } from "bun:test"
import { Effect, Layer } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { TestClock } from "effect/testing"
import { Api } from "../../../src/api/Api.ts"
import { authenticated, open, Policy } from "../../../src/api/Authorization.ts"
import { HttpServer } from "../../../src/http/HttpServer.ts"
import { render } from "../../../src/http/DocsPage.ts"
import * as Documentation from "../../../src/http/Documentation.ts"
import { share } from "../../../src/http/DocumentComponents.ts"
import * as EndpointTable from "../../../src/http/EndpointTable.ts"
import { make } from "../../../src/http/OpenApiDocument.ts"
import { BundledFiles } from "../../../src/runtime/BundledFiles.ts"
import { itEffect, withLayer } from "../../lib/Effects.ts"
import { ProbeApi } from "../../lib/ProbeApi.ts"
import { layer } from "../../lib/ProbeServer.ts"
import { send } from "../../lib/Requests.ts"

const it = withLayer(layer())

interface Operation {
  readonly security: ReadonlyArray<object>
  readonly parameters: ReadonlyArray<{ readonly name: string }>
  readonly requestBody: { readonly content: Record<string, { readonly schema: Record<string, unknown> }> }
  readonly responses: Record<string, { readonly headers: object; readonly content?: object }>
}

const document = make(ProbeApi) as unknown as {
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: {
    readonly schemas: Record<string, object>
    readonly securitySchemes: Record<string, object>
  }
}

const operation = (method: string, path: string): Operation => {
  const found = document.paths[path]?.[method]
  if (found === undefined) throw new Error(`no ${method} ${path}`)
  return found
}

describe("The OpenAPI document", () => {
  plain("says that further fields are refused only where they are", () => {
    const schema = (path: string) => operation("post", path).requestBody.content["application/json"]?.schema
    expect(schema("/v1/probe/strict")?.["additionalProperties"]).toBe(false)
    expect(schema("/v1/probe/items")?.["additionalProperties"]).toBeUndefined()
  })

  plain("has the answers of the conventions, in the path's shape, with the rate limit's headers", () => {
    const create = operation("post", "/v1/probe/items")
    expect(Object.keys(create.responses)).toEqual(
      expect.arrayContaining(["200", "400", "401", "403", "409", "413", "415", "422", "429", "500", "503"])
    )
    for (const { headers } of Object.values(create.responses))
      expect(Object.keys(headers)).toContain("X-RateLimit-Limit")
    expect(Object.keys(operation("get", "/v1/probe/items").responses)).toEqual(["200", "400", "429", "500", "503"])
    const commit = operation("post", "/api/arena/probe")
    for (const [status, response] of Object.entries(commit.responses)) {
      const text = JSON.stringify(response.content)
      expect(text.includes('"success"') || text.includes("ArenaError")).toBe(true)
      if (Number(status) >= 400) expect(text.split('"code"').length).toBe(text.split('"success"').length)
    }
    expect(JSON.stringify(commit.responses["422"])).toContain("ARENA_002")
  })

  plain("offers Idempotency-Key on every POST but those that answer secrets", () => {
    const keyed = (method: string, path: string) =>
      (operation(method, path).parameters ?? []).some(({ name }) => name === "Idempotency-Key")
    expect(keyed("post", "/v1/probe/items")).toBe(true)
    expect(keyed("post", "/v1/probe/secrets")).toBe(false)
    expect(keyed("get", "/v1/probe/items")).toBe(false)
  })

  plain("takes a session's cookie in the arena, beside a token", () => {
    const { components, paths } = make(Api) as unknown as typeof document
    expect(paths["/api/arena/orders"]?.["get"]?.security).toEqual([{ bearer: [] }, { session: [] }])
    expect(paths["/v1/funds"]?.["get"]?.security).toEqual([{ bearer: ["payments:read"] }])
    const change = paths["/api/arena/machine-traders/{bot_id}"]?.["patch"]?.security
    expect(change).toContainEqual({ bearer: ["kyc:write"] })
    expect(change).toContainEqual({ session: ["payments:write"] })
    expect(change).toHaveLength(12)
    expect(components.securitySchemes["session"]).toMatchObject({ in: "cookie", name: "emporion_session" })
  })

  plain("refers to nothing that it lacks", () => {
    for (const spec of [document, make(Api)]) {
      const text = JSON.stringify(spec)
      const { schemas } = (spec as typeof document).components
      for (const [, name] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
        expect(Object.keys(schemas)).toContain(name ?? "")
      }
      expect(text).not.toContain("_tag")
    }
  })

  it("is served, and so is a page that needs no other host and no script", () =>
    Effect.gen(function* () {
      const { url } = yield* HttpServer
      const served = yield* send(`${url}/openapi.json`)
      expect(served.json).toEqual(JSON.parse(JSON.stringify(share(make(ProbeApi)))))
      const page = yield* send(`${url}/docs`)
      expect(page.headers.get("content-type")).toStartWith("text/html")
      expect(page.headers.get("content-security-policy")).toContain("style-src 'self'")
      expect(page.text).toContain("/v1/probe/items")
      expect(page.text).toContain('<span class="badge">token with orders:write</span>')
      expect(page.text).toContain('<span class="badge">extension</span>')
      expect(page.text).not.toMatch(/<script|(?:href|src)="https?:|style=|onclick/)
      for (const [, href] of page.text.matchAll(/href="([^"#]+)"/g)) {
        expect((yield* send(`${url}${href}`)).status).toBe(200)
      }
    }))

  plain("is escaped on the page", () => {
    const page = render({
      info: { title: "<script>", version: '"1"' },
      paths: { "/<b>": { get: { summary: "a & b" } } }
    })
    expect(page).toContain("&lt;script&gt;")
    expect(page).toContain("a &amp; b")
    expect(page).not.toContain("<script>")
    expect(page).not.toContain("/<b>")
  })
})

describe("The endpoint table", () => {
  plain("knows each path's methods", () => {
    const { allowed, find } = EndpointTable.make(ProbeApi, [{ method: "GET", path: "/docs" }])
    expect(allowed("/v1/probe/items")).toEqual(["GET", "HEAD", "POST"])
    expect(allowed("/v1/probe/items/7")).toEqual(["GET", "HEAD"])
    expect(allowed("/docs")).toEqual(["GET", "HEAD"])
    expect(allowed("/nowhere")).toEqual([])
    expect(find("POST", "/v1/probe/secrets")?.entry).toMatchObject({ answersSecret: true, media: [] })
    expect(find("POST", "/v1/probe/items")?.entry).toMatchObject({
      answersSecret: false,
      media: ["application/json"]
    })
    expect(find("POST", "/v1/probe/form")?.entry.media).toEqual(["application/x-www-form-urlencoded"])
    expect(find("GET", "/v1/probe/items/a%20b")?.params).toEqual({ id: "a b" })
  })

  plain("finds endpoints whose access is undeclared or not enforced", () => {
    expect(EndpointTable.undeclaredAccess(ProbeApi)).toEqual([])
    expect(EndpointTable.undeclaredAccess(Api)).toEqual([])
    const broken = HttpApi.make("broken").add(
      HttpApiGroup.make("g").add(
        HttpApiEndpoint.get("a", "/a"),
        HttpApiEndpoint.get("b", "/b").annotate(Policy, authenticated),
        HttpApiEndpoint.get("c", "/c").annotate(Policy, open)
      )
    )
    expect(EndpointTable.undeclaredAccess(broken)).toEqual(["GET /a declares no Policy", "GET /b lacks Authorization"])
  })
})

describe("The document made ahead", () => {
  itEffect("is made a second after the start, once for all servers of a contract", () =>
    Effect.gen(function* () {
      let made = 0
      const counted = HttpApi.make("counted").annotate(OpenApi.Transform, (document) => {
        made += 1
        return document
      })
      yield* Layer.build(Documentation.ahead(counted))
      yield* TestClock.adjust("999 millis")
      expect(made).toBe(0)
      yield* TestClock.adjust("1 millis")
      expect(made).toBe(1)
      yield* Layer.build(Documentation.ahead(counted))
      yield* TestClock.adjust("1 second")
      expect(made).toBe(1)
    })
  )

  itEffect("is neither made nor read at the start where the program's bundle has it", () =>
    Effect.gen(function* () {
      let made = 0
      const counted = HttpApi.make("bundled").annotate(OpenApi.Transform, (document) => {
        made += 1
        return document
      })
      const files = yield* Documentation.files(counted)
      expect(made).toBe(1)
      expect([...files.keys()].filter((name) => name.startsWith("openapi.json"))).toHaveLength(3)
      const read = (name: string) => new Uint8Array(files.get(name) ?? [])
      yield* Layer.build(Documentation.ahead(counted)).pipe(Effect.provideService(BundledFiles, read))
      yield* TestClock.adjust("1 second")
      expect(made).toBe(1)
    })
  )
})
