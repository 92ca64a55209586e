import { Clock, Effect } from "effect"
import { registry } from "../../src/database/migrations/Registry.ts"
import type { BenchPostgres } from "./BenchPostgres.ts"
import { type BenchWorld, CAPITAL, fill, type Market, ORDER, type Trader } from "./BenchWorld.ts"

/**
 * The last migration of the tables that commitments were written to in each transaction: an account, a stream, an event,
 * a hold and a commitment of their own. What the program makes of its tables later, its rivals do not get.
 */
const LAST = 44

const tables: ReadonlyArray<string> = registry.filter(({ id }) => id <= LAST).flatMap(({ up }) => up)

const HASH = "decode(repeat('07', 32), 'hex')"

const listOf = (rows: ReadonlyArray<string>): string => rows.map((row) => `(${row})`).join(", ")

const tradersOf = (traders: ReadonlyArray<Trader>): ReadonlyArray<string> => [
  `INSERT INTO companies (id, name, kind, label, created_at)
   VALUES ${listOf(traders.map(({ companyId }, at) => `'${companyId}', 'bench-${at}', 'house', 'bench-${at}', 1`))}`,
  `INSERT INTO users (id, company_id, role, status, created_at)
   VALUES ${listOf(traders.map(({ companyId, userId }) => `'${userId}', '${companyId}', 'buyer', 'active', 1`))}`,
  `INSERT INTO ledger_accounts (id, owner, asset, kind, balance)
   VALUES ${listOf(traders.map(({ userId }) => `'${userId}/USD/wallet', '${userId}', 'USD', 'wallet', ${CAPITAL}`))}`
]

const ordersOf = (orderIds: ReadonlyArray<string>, openedAt: number): ReadonlyArray<string> => [
  `INSERT INTO event_streams (id, version, hash)
   VALUES ${listOf(orderIds.map((id) => `'order/${id}', 1, ${HASH}`))}`,
  `INSERT INTO events (seq, stream, version, type, data, hash)
   VALUES ${listOf(orderIds.map((id, at) => `${at + 1}, 'order/${id}', 1, 'OrderOpened', '{}', ${HASH}`))}`,
  `INSERT INTO arena_orders (id, asset_type, asset, details, quantity, entry_price, opened_at, expiry_at, settlement_at,
     status, maker_owner, maker_address, tie_key_hash)
   SELECT id, 'fx', 'EUR/USD', '{"pair":"EUR/USD"}', ${ORDER.quantity}, ${ORDER.price}, ${openedAt},
     ${openedAt + ORDER.window}, ${openedAt + 2 * ORDER.window}, 'open', 'maker', 'maker', repeat('0', 64)
   FROM (VALUES ${listOf(orderIds.map((id) => `'${id}'`))}) AS opened (id)`
]

/** The same orders, and traders with as much money, in the tables of a conventional server. */
export const conventionalMarket = Effect.fnUntraced(function* (
  postgres: BenchPostgres,
  { orderIds, traders }: BenchWorld
) {
  const openedAt = yield* Clock.currentTimeMillis
  const database = yield* postgres.create()
  yield* postgres.script(database, [...tables, ...tradersOf(traders), ...ordersOf(orderIds, openedAt), "ANALYZE"])
  return database
})

/** One market twice: as the program has it, and in the tables of a conventional server. */
export const fillBoth = Effect.fnUntraced(function* (postgres: BenchPostgres, market: Market) {
  const ours = yield* postgres.create()
  const world = yield* fill(postgres, ours, market)
  return { ours, world, conventional: yield* conventionalMarket(postgres, world) }
})

export type Markets = Effect.Success<ReturnType<typeof fillBoth>>
