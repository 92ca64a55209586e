import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { HttpApi } from "effect/http-api"
import { Api } from "../../src/api/Api.ts"
import { Fast } from "../../src/api/Conventions.ts"
import { type Variant, waysOf } from "./BothWays.ts"
import { withLayer } from "./Effects.ts"
import { type Fixture, makeFixture, tokenOf } from "./OperationFixture.ts"
import { OPERATION_ROWS, requestOf, type Sent } from "./OperationRows.ts"
import { type DeclaredOperation, OPERATIONS } from "./Operations.ts"

interface Pair {
  readonly fixture: Fixture
  readonly ways: Effect.Success<ReturnType<typeof waysOf>>
}

const pair = Effect.gen(function* () {
  const fixture = yield* makeFixture()
  return { fixture, ways: yield* waysOf(fixture.server) }
})

/** Two servers to which the same happens: on one each request takes the shortest way, on the other the router's. */
class Servers extends Context.Service<Servers, { readonly short: Pair; readonly routed: Pair }>()(
  "test/ResponseWays"
) {}

const callerOf = ({ fixture }: Pair, { access, name }: DeclaredOperation) =>
  access?._tag === "Open"
    ? Effect.succeed(undefined)
    : Effect.map(
        tokenOf(fixture, OPERATION_ROWS[name]?.as === "admin" ? fixture.admin : fixture.mine.userId),
        (token) => ({ authorization: `Bearer ${token}` })
      )

const rightOf = (side: Pair, operation: DeclaredOperation, turn: number) =>
  Effect.gen(function* () {
    // What is made for one operation is younger than what was made for the one before.
    side.fixture.server.world.pass(1_000)
    side.fixture.server.forgetTokens()
    const sent = yield* requestOf(OPERATION_ROWS[operation.name], side.fixture, turn)
    const headers = yield* callerOf(side, operation)
    return headers === undefined ? { sent } : { sent, headers }
  })

type Change = (right: Variant) => Variant

const headed =
  (more: Readonly<Record<string, string>>): Change =>
  (right) => ({ ...right, headers: { ...right.headers, ...more } })

const as =
  (text: string): Change =>
  (right) => ({ ...right, text })

const fieldsOf = ({ body }: Sent): ReadonlyArray<string> =>
  typeof body === "object" && body !== null ? Object.keys(body) : []

const inBody =
  (field: string, value: unknown): Change =>
  (right) => ({ ...right, sent: { ...right.sent, body: { ...(right.sent.body as object), [field]: value } } })

const inQuery =
  (name: string, value: string): Change =>
  (right) => ({ ...right, sent: { ...right.sent, query: { ...right.sent.query, [name]: value } } })

const inPath: Change = (right) => {
  const params = Object.keys(right.sent.params ?? {}).map((name) => [name, "none"])
  return { ...right, sent: { ...right.sent, params: Object.fromEntries(params) } }
}

/** Bodies that no handler takes, or only as something else. */
const bodies = ({ sent }: Variant): ReadonlyArray<Change> => [
  ...fieldsOf(sent).flatMap((field) =>
    [undefined, null, "", {}, -1, "x".repeat(5_000)].map((value) => inBody(field, value))
  ),
  inBody("no_such_field", 1),
  ...["", "{", "null", "[]", "12", '"x"', "\ufeff{}", "[".repeat(20_000)].map(as),
  headed({ "content-type": "text/plain" }),
  headed({ "content-type": "" }),
  headed({ "content-type": "application/json; charset=utf-8" }),
  headed({ "content-length": "1048577" }),
  headed({ "content-length": "many" })
]

/** What may be odd about a request. */
const changesOf = (right: Variant): ReadonlyArray<Change> => [
  headed({ authorization: "" }),
  headed({ authorization: "Bearer unknown" }),
  headed({ authorization: "Basic YTpi" }),
  headed({ cookie: "emporion_session=unknown" }),
  headed({ "x-request-id": "a b", origin: "https://evil.example" }),
  inQuery("no_such_parameter", "1"),
  inQuery("limit", "many"),
  inQuery("limit", "100"),
  inQuery("after", "none"),
  inPath,
  headed({ "idempotency-key": "a b" }),
  headed({ "idempotency-key": "x".repeat(256) }),
  ...(right.sent.body === undefined ? [] : bodies(right))
]

const sameOf = (operation: DeclaredOperation, variants: readonly [short: Variant, routed: Variant], what: string) =>
  Effect.gen(function* () {
    const { routed, short } = yield* Servers
    // No two requests are of one moment, whose rows would stand in an order of their own on each server.
    for (const { fixture } of [short, routed]) fixture.server.world.pass(10)
    const one = yield* short.ways.shortest(operation, variants[0])
    const other = yield* routed.ways.routed(operation, variants[1])
    expect([what, one]).toEqual([what, other])
    return one.status
  })

/** The operations that the contract calls fast. */
const FAST: ReadonlySet<string> = (() => {
  const names = new Set<string>()
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, mergedAnnotations }) => {
      const path = endpoint.path.replaceAll(/:(\w+)/g, "{$1}")
      if (Context.get(mergedAnnotations, Fast)) names.add(`${endpoint.method} ${path}`)
    }
  })
  return names
})()

const FIRST_TURN = 300_000
let turn = FIRST_TURN

const rights = (operation: DeclaredOperation) =>
  Effect.gen(function* () {
    const { routed, short } = yield* Servers
    turn += 1
    return [yield* rightOf(short, operation, turn), yield* rightOf(routed, operation, turn)] as const
  })

/**
 * Sends to every operation what is right, and what may be odd about it, on both ways.
 *
 * @param share - each operation is sent one in so many of the odd requests, and the next one other kinds of them
 */
export const compareWays = (share: number): void =>
  describe("Whichever way it takes", () => {
    const it = withLayer(Layer.effect(Servers, Effect.all({ short: pair, routed: pair })))
    for (const [place, operation] of OPERATIONS.entries()) {
      it(`${operation.name} is answered the same`, () =>
        Effect.gen(function* () {
          const first = yield* rights(operation)
          const status = yield* sameOf(operation, first, "right")
          const { short: taken } = (yield* Servers).short.ways
          expect([operation.name, taken.has(operation.name)]).toEqual([operation.name, FAST.has(operation.name)])
          if (FAST.has(operation.name)) expect(status).toBe(200)
          if (operation.method === "GET") yield* sameOf(operation, first, "again")
          const [short, routed] = yield* rights(operation)
          for (const [index, change] of changesOf(short).entries()) {
            if (index % share !== place % share) continue
            yield* sameOf(operation, [change(short), change(routed)], `change ${index}`)
          }
          if (operation.method !== "POST") return
          const [one, other] = yield* rights(operation)
          const keyed = headed({ "idempotency-key": `key-${operation.name}`.replaceAll(/[^\w-]/g, "_") })
          yield* sameOf(operation, [keyed(one), keyed(other)], "keyed")
          yield* sameOf(operation, [keyed(one), keyed(other)], "keyed again")
          const changed = (right: Variant) => keyed(as(`${JSON.stringify(right.sent.body ?? {})} `)(right))
          yield* sameOf(operation, [changed(one), changed(other)], "keyed with another body")
        }))
    }
  })
