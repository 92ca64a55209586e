import { describe, expect } from "bun:test"
import { Effect } from "effect"
import * as fc from "fast-check"
import { type Answer, ask } from "../../lib/Requests.ts"
import { type HostileRequest, hostileRequests, operations } from "../../lib/HostileRequests.ts"
import { itLive } from "../../lib/Effects.ts"
import { openedArena, type ArenaOrderJson, usd } from "../../lib/OpenedArena.ts"

const PATH = "/api/arena/commitments"

/** Names the same type, in a way that only the router takes. */
const ROUTED = "application/json; charset=utf-8"
const DIRECT = "application/json"

/** Pairs of requests on their way at the same time. */
const CONCURRENCY = 8

/** What differs from one answer to the next, whichever way it took; the length with the digits of a version. */
const OWN = new Set(["connection", "x-request-id", "x-ratelimit-remaining", "date", "content-length"])

const comparable = ({ headers, status, text }: Answer) => ({
  status,
  headers: [...headers].filter(([name]) => !OWN.has(name)).toSorted(),
  text: text
    .replaceAll(/com_[0-9a-f]+_\d+/g, "com")
    .replaceAll(/(order\/ord_[0-9a-f]+):\d+/g, "$1")
    .replaceAll(/0x[0-9a-f]{64}/g, "0x")
    .replace(/"request_id":"[^"]+"/, "")
})

const hostile = (orderId: string): ReadonlyArray<HostileRequest> =>
  operations
    .filter(({ method, path }) => method === "POST" && path === PATH)
    .flatMap((operation) => hostileRequests({ order_id: JSON.stringify(orderId), bot_id: '"mtr_1"' }, operation))
    .filter(({ contentType, method, path }) => contentType === undefined && method === "POST" && path === PATH)

/** One of the good values five times in six, else one that is refused. */
const mostly = <T>(good: ReadonlyArray<T>, bad: ReadonlyArray<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...good) }, { weight: 1, arbitrary: fc.constantFrom(...bad) })

const UNKNOWN_ORDER = `ord_${"0".repeat(24)}`
const UNKNOWN_BOT = `mtr_${"0".repeat(24)}`

/** Bodies of which about a third are taken. */
const bodies = ({ entry_price: price, order_id, quantity }: ArenaOrderJson) =>
  fc
    .record({
      order_id: mostly([order_id], [UNKNOWN_ORDER]),
      proposed_entry_price: mostly([price], [price * 2, -1]),
      expected_exit_price: mostly<unknown>([Math.ceil(price * 1.2)], [price, "much"]),
      quantity: mostly([quantity, Math.floor(quantity * 1e5) / 1e6], [quantity * 2, 0, 1e-7]),
      slippage_tolerance: mostly<unknown>([undefined, 0, 0.01], [0.06, null]),
      swap_executor: mostly([undefined, "", "someone"], ["\u0000"]),
      bot_id: mostly([undefined], [UNKNOWN_BOT])
    })
    .map((body) => JSON.stringify(body))

describe("A commitment before the router", () => {
  itLive(
    "is answered as the router answers it, whatever is sent",
    () =>
      Effect.gen(function* () {
        const { order, server, trader } = yield* openedArena()
        expect((yield* server.mint(trader.id, usd(1_000_000n))).status).toBe(200)
        const poor = yield* server.user()
        const tokens = yield* Effect.forEach([trader, trader, trader, poor], ({ id }) => server.token(id))
        const drawn = fc.sample(bodies(order), { numRuns: 1_000, seed: 11 })
        const requests: ReadonlyArray<Pick<HostileRequest, "body" | "headers">> = [
          ...hostile(order.order_id),
          ...drawn.map((body) => ({ body }))
        ]
        const sent = ({ body, headers }: (typeof requests)[number], index: number) =>
          Effect.forEach([DIRECT, ROUTED], (type) =>
            Effect.promise((signal) =>
              ask(server.url, PATH, {
                method: "POST",
                signal,
                headers: { authorization: `Bearer ${tokens[index % 4]}`, "content-type": type, ...headers },
                ...(body === undefined ? {} : { body })
              })
            )
          )
        const pairs = yield* Effect.forEach(requests, sent, { concurrency: CONCURRENCY })
        const statuses = pairs.map(([direct, routed], index) => {
          if (direct === undefined || routed === undefined) return 0
          expect({ index, ...comparable(direct) }).toEqual({ index, ...comparable(routed) })
          return direct.status
        })
        expect(statuses.length).toBeGreaterThan(1_200)
        expect([...new Set(statuses)].toSorted()).toEqual([200, 400, 403, 404, 413, 415, 422])
        expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(50)
      }),
    120_000
  )
})
