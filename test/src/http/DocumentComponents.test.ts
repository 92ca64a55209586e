import { describe, expect, it } from "bun:test"
import { Api } from "../../../src/api/Api.ts"
import { resolve, share } from "../../../src/http/DocumentComponents.ts"
import { isObject, type Json, type JsonObject } from "../../../src/http/DocumentJson.ts"
import { make } from "../../../src/http/OpenApiDocument.ts"

const whole = make(Api)
const shared = share(whole)

/** The document with every response and parameter where it is used. */
const unshared = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(unshared)
  if (!isObject(value)) return value
  const { $ref } = value
  if (typeof $ref === "string" && /^#\/components\/(responses|parameters)\//.test($ref)) {
    return unshared(resolve(shared, value) ?? null)
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unshared(inner)]))
}

const pathsOf = ({ paths }: JsonObject): Json => JSON.parse(JSON.stringify(paths ?? null)) as Json

describe("The shared document", () => {
  it("says what the whole one says, in less than half of it", () => {
    expect(unshared(pathsOf(shared))).toEqual(pathsOf(whole))
    expect(JSON.stringify(shared).length * 2).toBeLessThan(JSON.stringify(whole).length)
  })

  it("has only components of sound names that somebody uses", () => {
    const text = JSON.stringify(shared)
    const { components } = shared
    for (const kind of ["responses", "parameters"]) {
      const named = isObject(components) && isObject(components[kind]) ? Object.keys(components[kind]) : []
      expect(named.length).toBeGreaterThan(5)
      for (const name of named) {
        expect(name).toMatch(/^[A-Za-z0-9._-]+$/)
        expect(text).toContain(`"#/components/${kind}/${name}"`)
      }
    }
  })

  it("leaves what stands once where it is", () => {
    const once = { paths: { "/a": { get: { responses: { "400": { description: "x".repeat(200) } } } } } }
    expect(share(once)).toMatchObject(once)
    expect(resolve({ a: { "b/c": 1 } }, { $ref: "#/a/b~1c" })).toBe(1)
    expect(resolve({}, { $ref: "#/nowhere/at/all" })).toBeUndefined()
    expect(resolve({}, 7)).toBe(7)
  })
})
