import { describe, expect, it } from "bun:test"
import { Ajv2020 } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import { Api } from "../../../src/api/Api.ts"
import { EXAMPLES } from "../../../src/http/DocumentExamples.ts"
import { make } from "../../../src/http/OpenApiDocument.ts"
import { OPERATIONS } from "../../lib/Operations.ts"

type Media = Readonly<Record<string, { readonly example?: unknown }>>

interface Operation {
  readonly requestBody?: { readonly content: Media }
  readonly responses: Readonly<Record<string, { readonly content?: Media }>>
}

const document = make(Api) as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
ajv.addSchema(document, "document")

const escaped = (segment: string): string => encodeURIComponent(segment.replaceAll("~", "~0").replaceAll("/", "~1"))

/** What is wrong with an example by the schema that stands beside it. */
const problemOf = (example: unknown, ...pointer: ReadonlyArray<string>): string | undefined => {
  const reference = [...pointer, "content", "application/json", "schema"].map(escaped).join("/")
  const validate = ajv.compile({ $ref: `document#/${reference}` })
  return validate(example) ? undefined : `${pointer.join(" ")}: ${ajv.errorsText(validate.errors)}`
}

describe("The examples of the document", () => {
  it("are what their schemas say", () => {
    const problems = Object.entries(EXAMPLES).flatMap(([name, { request, response }]) => {
      const [verb = "", path = ""] = name.split(" ")
      const method = verb.toLowerCase()
      const operation = document.paths[path]?.[method]
      expect([name, operation !== undefined]).toEqual([name, true])
      const shown = [
        operation?.requestBody?.content["application/json"]?.example,
        operation?.responses["200"]?.content?.["application/json"]?.example
      ]
      expect([name, ...shown]).toEqual([name, request, response])
      return [
        request === undefined ? undefined : problemOf(request, "paths", path, method, "requestBody"),
        response === undefined ? undefined : problemOf(response, "paths", path, method, "responses", "200")
      ]
    })
    expect(problems.filter((problem) => problem !== undefined)).toEqual([])
    expect(problemOf({ order_id: 7 }, "paths", "/api/arena/commitments", "post", "requestBody")).toContain("required")
  })

  it("are there for nearly every operation, and hold no secret", () => {
    expect(Object.keys(EXAMPLES).length).toBeGreaterThan(OPERATIONS.length * 0.8)
    expect(JSON.stringify(EXAMPLES)).not.toMatch(/eyJ[A-Za-z0-9_-]{10,}|whsec_[A-Za-z0-9+/]{10,}|correct horse/)
  })
})
