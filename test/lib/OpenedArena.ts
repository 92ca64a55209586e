import { Effect } from "effect"
import { type Amount, fromUnits, ONE } from "../../engine/money/Amount.ts"
import type { Answer } from "./Requests.ts"
import { TestServer, type Variables } from "./TestServer.ts"

/** Settings with slots of a minute, 90 s to commit and 60 s to settle. */
export const SHORT_SLOTS = {
  ARENA_SLOT_SECONDS: "60",
  ARENA_COMMIT_WINDOW_SECONDS: "90",
  ARENA_SETTLEMENT_DELAY_SECONDS: "60"
}

/** An arena order as it is listed. */
export interface ArenaOrderJson {
  readonly order_id: string
  readonly asset_type: string
  readonly entry_price: number
  readonly quantity: number
  readonly status: string
}

export const usd = (dollars: bigint): Amount => fromUnits(dollars * ONE)

/** The names of an object's fields, in the order of the alphabet. */
export const fieldsOf = (value: unknown): ReadonlyArray<string> => Object.keys(value as object).toSorted()

/** A server with the orders of its first slot, a trader with money, and the terms of a commitment that is taken. */
export const openedArena = (variables?: Variables) =>
  variables === undefined
    ? Effect.map(opened(), ({ given, server }) => arenaOf(server, given))
    : Effect.flatMap(TestServer.make({ ...SHORT_SLOTS, ...variables }), openedOn)

/** The same on a server that has {@link SHORT_SLOTS}. */
export const openedOn = (server: TestServer) => Effect.map(open(server), (given) => arenaOf(server, given))

const open = (server: TestServer) =>
  Effect.gen(function* () {
    const trader = yield* server.user(`0x${"1".repeat(40)}`)
    yield* server.mint(trader.id, usd(10_000n))
    server.world.begin()
    yield* server.tick()
    const { json } = yield* server.get<{ readonly orders: ReadonlyArray<ArenaOrderJson> }>(
      "/api/arena/orders",
      trader.id
    )
    const order = json.orders.find(({ asset_type: type }) => type === "fx")
    if (order === undefined) return yield* Effect.die("there is no order on a currency")
    const terms = {
      order_id: order.order_id,
      proposed_entry_price: order.entry_price,
      expected_exit_price: Math.ceil(order.entry_price * 1_050_000) / 1e6,
      quantity: order.quantity
    }
    return { trader, order, terms }
  })

const opened = TestServer.playedOnce(SHORT_SLOTS, open)

const arenaOf = (server: TestServer, given: Effect.Success<ReturnType<typeof open>>) => ({
  server,
  ...given,
  commit: (change: object, as = given.trader.id, key?: string) =>
    server.post<{ readonly data: { readonly commitment_id: string } }>(
      "/api/arena/commitments",
      { ...given.terms, ...change },
      { as, key }
    )
})

/** Status, code and whether a retry must wait. */
export const refusal = ({ headers, json, status }: Answer) => {
  const { code } = json as { readonly code?: string }
  return [status, code, headers.get("retry-after") === null ? "at once" : "later"]
}

/** A machine trader's registration. */
export const registration = (change: object = {}) => ({
  agent_id: "agent-1",
  agent_uri: "https://example.com/agent",
  wallet_address: `0x${"1".repeat(40)}`,
  capabilities: ["fx"],
  collateral_allocated: 1_000,
  specs: { model: "m-1", risk_tolerance: "low" },
  ...change
})
