import { describe, expect, it } from "bun:test"
import { Schema } from "effect"
import { Api } from "../../../src/api/Api.ts"
import { clearable, optional } from "../../../src/api/Optional.ts"
import { make } from "../../../src/http/OpenApiDocument.ts"
import type { JsonSchema, Schemas } from "../../lib/SchemaArbitrary.ts"

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }
}

const document = make(Api) as unknown as {
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly schemas: Schemas }
}

describe("An optional field", () => {
  const decode = Schema.decodeUnknownSync(
    Schema.Struct({ text: optional(Schema.NonEmptyString), count: optional(Schema.Int), gone: clearable(Schema.Int) })
  )

  it("is absent where it is left out, null or an empty text, and else its value", () => {
    expect(decode({})).toEqual({})
    expect(decode({ text: null, count: "" })).toEqual({})
    expect(decode({ text: "", count: null })).toEqual({})
    expect(decode({ text: "0", count: 0 })).toEqual({ text: "0", count: 0 })
    for (const count of [false, [], {}, " ", "0"]) expect(() => decode({ count })).toThrow()
  })

  it("is to be emptied by null or an empty text where it can be", () => {
    expect(decode({ gone: null })).toEqual({ gone: null })
    expect(decode({ gone: "" })).toEqual({ gone: null })
    expect(decode({ gone: 7 })).toEqual({ gone: 7 })
  })

  it("is documented so, in every body", () => {
    const closed: Array<string> = []
    const walk = (at: string, given: JsonSchema, seen: ReadonlyArray<string>): void => {
      const name = given.$ref?.split("/").at(-1) ?? ""
      if (seen.includes(name)) return
      const schema = given.$ref === undefined ? given : (document.components.schemas[name] ?? {})
      for (const member of [...(schema.anyOf ?? []), ...(schema.allOf ?? [])]) walk(at, member, [...seen, name])
      if (schema.items !== undefined) walk(`${at}[]`, schema.items, [...seen, name])
      for (const [field, inner] of Object.entries(schema.properties ?? {})) {
        const isRequired = schema.required?.includes(field) === true
        const takesNothing = inner.anyOf?.some(({ $ref }) => /\/(Absent|Cleared)$/.test($ref ?? "")) === true
        if (!isRequired && !takesNothing) closed.push(`${at}.${field}`)
        walk(`${at}.${field}`, inner, [...seen, name])
      }
    }
    for (const [path, item] of Object.entries(document.paths)) {
      for (const [method, { requestBody }] of Object.entries(item)) {
        const body = requestBody?.content["application/json"]?.schema
        if (body !== undefined) walk(`${method} ${path}`, body, [])
      }
    }
    expect(closed).toEqual([])
  })
})
