import { expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { decodeArenaEvent } from "../../engine/arena/ArenaEvent.ts"
import type { ArenaEvent, Choice } from "../../engine/arena/ArenaEvent.ts"
import type { Commitment } from "../../engine/arena/Commitment.ts"
import { type OrderState, orderStream } from "../../engine/arena/Order.ts"
import { type OrderTerms } from "../../engine/arena/OrderTerms.ts"
import type { Account, AccountId } from "../../engine/ledger/Account.ts"
import { type Amount, fromUnits, ONE, toNumber, ZERO } from "../../engine/money/Amount.ts"
import { isoLocal, isoUtc } from "../../src/api/Timestamp.ts"
import { TRADERS } from "./ArenaActors.ts"
import { type ArenaModel, lockedIn } from "./ArenaModel.ts"
import type { ArenaModelComparison } from "./ArenaModelComparison.ts"
import type { TestServer } from "./TestServer.ts"

const numberOrNull = (amount: Amount | null | undefined): number | null =>
  amount === null || amount === undefined ? null : toNumber(amount)

const place = (choice: Choice | null, id: string): number =>
  choice === null ? -1 : choice.ranking.findIndex(({ commitmentId }) => commitmentId === id)

const competing = (commitment: Commitment, choice: Choice | null) => {
  const at = place(choice, commitment.commitmentId)
  return {
    commitment_id: commitment.commitmentId,
    trader_address: commitment.trader.address,
    trader_type: commitment.trader.type,
    proposed_entry_price: toNumber(commitment.proposedPrice),
    expected_exit_price: toNumber(commitment.exitPrice),
    quantity: toNumber(commitment.quantity),
    collateral: toNumber(commitment.collateral),
    status: commitment.status,
    owner_id: commitment.status === "active" ? null : commitment.trader.owner,
    slippage_tolerance: commitment.status === "active" ? null : toNumber(commitment.slippage),
    accepted_at: commitment.status === "active" ? null : isoUtc(commitment.acceptedAt),
    rank: at < 0 ? null : at + 1,
    score: at < 0 ? null : String(choice?.ranking[at]?.score),
    loss_reason: commitment.reason
  }
}

/** What the market maker sells from, rounded up. */
const reserveAt = ({ makerDiscount = ZERO }: OrderTerms, reference: Amount): number => {
  const left = reference - (reference * makerDiscount) / ONE
  return Number(left) / 1e6
}

/** An order as `GET /api/arena/orders/{order_id}` must show it. Specification 2.16, 2.17. */
const orderJson = (state: OrderState, events: ReadonlyArray<ArenaEvent>) => {
  const { choice, commitments, status, terms } = state
  const last = events.at(-1)
  const ended = last?._tag === "OrderSettled" || last?._tag === "OrderVoided" ? last : undefined
  const isVoid = ended?._tag === "OrderVoided"
  const shown = [...commitments.values()].toSorted(
    (one, other) => place(choice, one.commitmentId) - place(choice, other.commitmentId)
  )
  return {
    order_id: terms.orderId,
    asset_type: terms.assetType,
    quantity: toNumber(terms.quantity),
    entry_price: toNumber(terms.entryPrice),
    settlement_date: isoLocal(terms.settlementAt),
    expiry_date: isoLocal(terms.expiryAt),
    status,
    market_maker: terms.maker.address,
    onchain_order_id: `${orderStream(terms.orderId)}:1`,
    asset_details: terms.details,
    opened_at: isoLocal(terms.openedAt),
    commitments: shown.map((commitment) => competing(commitment, choice)),
    bids: "open",
    maker_discount: numberOrNull(terms.makerDiscount),
    reference_price: numberOrNull(choice?.reference),
    reserve_price: choice === null ? null : reserveAt(terms, choice.reference),
    clearing_price: isVoid ? null : numberOrNull(choice?.clearingPrice),
    settlement_price: ended?._tag === "OrderSettled" ? numberOrNull(ended.price) : null,
    winner_commitment_id: isVoid ? null : (choice?.winner ?? null),
    void_reason: ended?._tag === "OrderVoided" ? ended.reason : null,
    tie_key_hash: terms.tieKeyHash,
    tie_key: ended?.tieKey ?? null,
    fairness:
      choice === null
        ? null
        : {
            rule: choice.fairness.rule,
            machines: String(choice.fairness.machines),
            total: String(choice.fairness.total),
            machine_owners: choice.fairness.machineOwners
          }
  }
}

const ownJson = (commitment: Commitment) => ({
  commitment_id: commitment.commitmentId,
  order_id: commitment.orderId,
  asset_type: commitment.assetType,
  trader_type: commitment.trader.type,
  bot_id: commitment.trader.botId,
  proposed_entry_price: toNumber(commitment.proposedPrice),
  expected_exit_price: toNumber(commitment.exitPrice),
  quantity: toNumber(commitment.quantity),
  collateral: toNumber(commitment.collateral),
  status: commitment.status,
  profit: toNumber(commitment.profit),
  yield_earned: toNumber(commitment.yieldEarned),
  loss_reason: commitment.reason,
  created_at: isoUtc(commitment.acceptedAt)
})

const sameOrders = Effect.fnUntraced(function* ({ actors, model, server }: ArenaModelComparison) {
  for (const [orderId, state] of model.orders) {
    const { json } = yield* server.get(`/api/arena/orders/${orderId}`, actors.ada.userId)
    expect(json).toEqual({ success: true, order: orderJson(state, model.events(orderId)) })
  }
  const { json } = yield* server.get("/api/arena/orders?limit=1", actors.ada.userId)
  expect(json).toMatchObject({ total: model.orders.size })
})

const sameCommitments = Effect.fnUntraced(function* ({ actors, model, server }: ArenaModelComparison) {
  const all = [...model.orders.values()].flatMap(({ commitments }) => [...commitments.values()])
  for (const name of TRADERS.filter((each) => each !== "suspended")) {
    const { userId } = actors[name]
    const { json } = yield* server.get<{ readonly commitments: ReadonlyArray<{ readonly commitment_id: string }> }>(
      "/api/arena/commitments/my?limit=100",
      userId
    )
    const own = all.filter(({ trader }) => trader.userId === userId).map(ownJson)
    const byId = (one: { readonly commitment_id: string }, other: { readonly commitment_id: string }) =>
      one.commitment_id < other.commitment_id ? -1 : 1
    if (own.length <= 100) expect(json.commitments.toSorted(byId) as unknown).toEqual(own.toSorted(byId))
  }
})

const sameVault = Effect.fnUntraced(function* ({ actors, model, server }: ArenaModelComparison) {
  const { json } = yield* server.get("/api/arena/yield/total", actors.ada.userId)
  const { collateral, count } = lockedIn(model)
  expect(json).toMatchObject({
    total_yield_generated: Number(model.generated) / 1e6,
    total_collateral_deployed: Number(collateral) / 1e6,
    active_commitments: count
  })
})

/** The ledger's accounts, as they are now. */
export const accountsOf = (server: TestServer): Effect.Effect<ReadonlyArray<Account>> =>
  server.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = yield* sql<{ id: AccountId; balance: string; held: string; closed: boolean }>`
        SELECT id, balance::text AS balance, held::text AS held, closed FROM ledger_accounts`
      return rows.map(({ id, balance, closed, held }) => ({
        id,
        balance: fromUnits(BigInt(balance)),
        held: fromUnits(BigInt(held)),
        closed
      }))
    })
  )

const read = (server: TestServer) =>
  server.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient
      return {
        accounts: yield* sql<{ readonly id: string; readonly balance: string; readonly held: string }>`
          SELECT id, balance::text AS balance, held::text AS held FROM ledger_accounts WHERE balance <> 0 OR held <> 0`,
        holds: yield* sql<{ readonly id: string; readonly status: string; readonly captured: string | null }>`
          SELECT id, status, captured::text AS captured FROM ledger_holds`,
        events: yield* sql<{ readonly stream: string; readonly data: string }>`
          SELECT stream, data FROM events WHERE stream LIKE 'order/%' ORDER BY stream, version`,
        breakers: yield* sql<{ readonly scope: string; readonly state: string; readonly at: bigint }>`
          SELECT scope, state, at FROM arena_breaker_transitions ORDER BY id`,
        receivables: yield* sql`SELECT id FROM ledger_receivables`
      }
    })
  )

const balancesOf = ({ journal: { book } }: ArenaModel) =>
  Object.fromEntries(
    [...book.accounts.values()]
      .filter(({ balance, held }) => balance !== 0n || held !== 0n)
      .map(({ id, balance, held }) => [id, `${balance} ${held}`])
  )

const holdsOf = ({ journal: { book } }: ArenaModel) =>
  Object.fromEntries(
    [...book.holds.values()].map(({ id, state }) => [
      id,
      state._tag === "Captured" ? `captured ${state.amount}` : state._tag.toLowerCase()
    ])
  )

/** What breakers of several asset types do at one moment has no order among them. */
const inOrder = <T extends { readonly at: number; readonly scope: string }>(transitions: ReadonlyArray<T>) =>
  transitions.toSorted((one, other) => one.at - other.at || one.scope.localeCompare(other.scope))

const sameTables = Effect.fnUntraced(function* ({ model, server }: ArenaModelComparison) {
  const { accounts, breakers, events, holds, receivables } = yield* read(server)
  const orders = [...model.orders.keys()].toSorted()
  expect(events.map(({ data }) => decodeArenaEvent(data))).toEqual(orders.flatMap((id) => [...model.events(id)]))
  expect(Object.fromEntries(accounts.map(({ id, balance, held }) => [id, `${balance} ${held}`]))).toEqual(
    balancesOf(model)
  )
  expect(
    Object.fromEntries(
      holds.map(({ id, status, captured }) => [id, captured === null ? status : `${status} ${captured}`])
    )
  ).toEqual(holdsOf(model))
  expect(receivables).toEqual([])
  expect(inOrder(breakers.map(({ at, scope, state }) => ({ scope, state, at: Number(at) })))).toEqual(
    inOrder(model.transitions.map(({ at, scope, state }) => ({ scope, state, at })))
  )
})

/** Everything that the program shows and keeps is what the model has. */
export const expectSameState = (comparison: ArenaModelComparison): Effect.Effect<void> =>
  Effect.andThen(
    Effect.andThen(sameTables(comparison), sameOrders(comparison)),
    Effect.andThen(sameCommitments(comparison), sameVault(comparison))
  )
