import { describe, expect, it } from "bun:test"
import { Api } from "../../../src/api/Api.ts"
import { make } from "../../../src/http/OpenApiDocument.ts"

interface Operation {
  readonly parameters?: ReadonlyArray<{ readonly in: string; readonly name: string; readonly schema: object }>
  readonly responses: Record<
    string,
    {
      readonly headers?: object
      readonly content?: Record<string, { readonly schema: { readonly properties?: object } }>
    }
  >
}

const document = make(Api) as unknown as { readonly paths: Record<string, Record<string, Operation>> }

/** The operations that page: those that take `offset`. */
const paged = Object.entries(document.paths).flatMap(([path, { get }]) =>
  get?.parameters?.some(({ name }) => name === "offset") === true ? [[path, get] as const] : []
)

describe("A list", () => {
  it("tells its total: in the arena beside the rows, elsewhere in X-Total-Count", () => {
    expect(paged.length).toBeGreaterThan(20)
    const untold = paged.filter(([path, { responses }]) => {
      const { content, headers } = responses["200"] ?? {}
      const told = path.startsWith("/api/arena/")
        ? content?.["application/json"]?.schema.properties
        : Object.fromEntries(Object.keys(headers ?? {}).map((name) => [name.toLowerCase(), true]))
      return !("total" in (told ?? {}) || "x-total-count" in (told ?? {}))
    })
    expect(untold.map(([path]) => path)).toEqual([])
  })

  it("has 100 rows where the specification shows no paging, and 20 where it says so (8)", () => {
    const usual = paged.map(([path, { parameters }]) => {
      const limit = parameters?.find(({ name }) => name === "limit")?.schema as { readonly description: string }
      return [path, limit.description] as const
    })
    expect(usual.filter(([, description]) => !description.endsWith("by default 100."))).toEqual([
      ["/api/arena/orders", "An integer from 1 to 100, by default 20."]
    ])
  })
})
