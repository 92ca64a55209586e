import { describe, expect, it as plain } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { Api } from "../../../src/api/Api.ts"
import { make } from "../../../src/http/OpenApiDocument.ts"
import { withLayer } from "../../lib/Effects.ts"
import { openedArena } from "../../lib/OpenedArena.ts"

/**
 * The contract as whoever has read the specification alone meets it: the values of the specification as they stand
 * there, sent as a first program would send them.
 */

/** Orders of the demonstration's slots, 30 s. */
const scene = openedArena({ ARENA_SLOT_SECONDS: "30" })

class Scene extends Context.Service<Scene, Effect.Success<typeof scene>>()("test/Scene") {}

const it = withLayer(Layer.effect(Scene, scene))

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
  plain("tells its total: in the arena beside the rows, elsewhere in X-Total-Count", () => {
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

  plain("has 100 rows where the specification shows no paging, and 20 where it says so (8)", () => {
    const usual = paged.map(([path, { parameters }]) => {
      const limit = parameters?.find(({ name }) => name === "limit")?.schema as { readonly description: string }
      return [path, limit.description] as const
    })
    expect(usual.filter(([, description]) => !description.endsWith("by default 100."))).toEqual([
      ["/api/arena/orders", "An integer from 1 to 100, by default 20."]
    ])
  })

  it("answers its total and its page", () =>
    Effect.gen(function* () {
      const { commit, server, trader } = yield* Scene
      yield* commit({})
      const mine = yield* server.get("/api/arena/commitments/my", trader.id)
      expect(mine.json).toMatchObject({ commitments: [{ status: "active" }], total: 1, offset: 0, limit: 100 })
      const later = yield* server.get("/api/arena/commitments/my?offset=5&status=active", trader.id)
      expect(later.json).toMatchObject({ commitments: [], total: 1, offset: 5 })
      const won = yield* server.get("/api/arena/commitments/my?status=won", trader.id)
      expect(won.json).toMatchObject({ commitments: [], total: 0 })
    }))
})

describe("GET /api/arena/agent/status", () => {
  it("has a whole number of minutes, also with slots of 30 seconds (4.3)", () =>
    Effect.gen(function* () {
      const { server, trader } = yield* Scene
      const { json } = yield* server.get("/api/arena/agent/status", trader.id)
      expect(json).toMatchObject({ generation_interval_minutes: 1, generation_interval_seconds: 30 })
    }))
})
