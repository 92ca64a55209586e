import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Recorded } from "../../engine/actor/Journal.ts"
import type {
  ArenaEvent,
  CommitmentSubmitted,
  CommitmentYield,
  OrderClosed,
  OrderOpened,
  OrderSettled,
  OrderVoided,
  WinnerChosen
} from "../../engine/arena/ArenaEvent.ts"
import { encodeEvent } from "../../engine/actor/EventChain.ts"

type Of<E extends ArenaEvent> = ReadonlyArray<Recorded<E>>

/** How recorded arena events become rows of orders and commitments: one statement for each kind of event and table. */
export class ArenaProjectionRepository extends Context.Service<
  ArenaProjectionRepository,
  {
    readonly orderOpened: (events: Of<OrderOpened>) => Effect.Effect<void, SqlError>
    readonly commitmentSubmitted: (events: Of<CommitmentSubmitted>) => Effect.Effect<void, SqlError>
    readonly orderClosed: (events: Of<OrderClosed>) => Effect.Effect<void, SqlError>
    readonly winnerChosen: (events: Of<WinnerChosen>) => Effect.Effect<void, SqlError>
    readonly orderSettled: (events: Of<OrderSettled>) => Effect.Effect<void, SqlError>
    readonly orderVoided: (events: Of<OrderVoided>) => Effect.Effect<void, SqlError>
  }
>()("emporion/arena/ArenaProjectionRepository") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) => {
      const vault = vaultTotals(sql)
      return ArenaProjectionRepository.of({
        ...openings(sql, vault),
        ...choices(sql, vault),
        ...endings(sql, vault)
      })
    })
  )
}

type Vault = ReturnType<typeof vaultTotals>

/** The vault's running totals, and what commitments earned. */
const vaultTotals = (sql: SqlClient) => {
  const add = (generated: bigint, locked: bigint, active: bigint) =>
    sql`
      UPDATE arena_vault_totals SET yield_generated = yield_generated + ${generated.toString()}::numeric,
        collateral_locked = collateral_locked + ${locked.toString()}::numeric,
        active_commitments = active_commitments + ${active}`

  const addYields = (yields: ReadonlyArray<CommitmentYield>) =>
    yields.length === 0
      ? Effect.void
      : sql`
          UPDATE arena_commitments AS commitment SET yield_earned = earned.amount
          FROM unnest(
            ${yields.map(({ commitmentId }) => commitmentId)}::text[],
            ${yields.map(({ trader }) => trader)}::bigint[]) AS earned (id, amount)
          WHERE commitment.id = earned.id`

  return { add, addYields }
}

const generatedBy = (yields: ReadonlyArray<CommitmentYield>): bigint =>
  yields.reduce((sum, each) => sum + each.trader + each.insurance + each.platform + each.tokenHolders, 0n)

const openings = (sql: SqlClient, vault: Vault) => {
  const orderOpened = (events: Of<OrderOpened>) => {
    const terms = events.map(({ event }) => event.terms)
    return Effect.asVoid(sql`
      INSERT INTO arena_orders (id, asset_type, asset, details, quantity, entry_price, opened_at, expiry_at,
        settlement_at, maker_owner, maker_address, tie_key_hash, status)
      SELECT *, 'open' FROM unnest(
        ${terms.map(({ orderId }) => orderId)}::text[],
        ${terms.map(({ assetType }) => assetType)}::text[],
        ${terms.map(({ asset }) => asset)}::text[],
        ${terms.map(({ details }) => JSON.stringify(details))}::text[],
        ${terms.map(({ quantity }) => quantity)}::bigint[],
        ${terms.map(({ entryPrice }) => entryPrice)}::bigint[],
        ${terms.map(({ openedAt }) => BigInt(openedAt))}::bigint[],
        ${terms.map(({ expiryAt }) => BigInt(expiryAt))}::bigint[],
        ${terms.map(({ settlementAt }) => BigInt(settlementAt))}::bigint[],
        ${terms.map(({ maker }) => maker.owner)}::text[],
        ${terms.map(({ maker }) => maker.address)}::text[],
        ${terms.map(({ tieKeyHash }) => tieKeyHash)}::text[])`)
  }

  const insertCommitments = (events: Of<CommitmentSubmitted>) => {
    const rows = events.map(({ event }) => event.commitment)
    return sql`
      INSERT INTO arena_commitments (id, order_id, event_seq, owner, user_id, trader_address, trader_type, bot_id,
        proposed_price, exit_price, quantity, slippage, swap_executor, collateral, accepted_at, status)
      SELECT id, order_id, event_seq, owner, user_id, trader_address, trader_type, nullif(bot_id, ''),
        proposed_price, exit_price, quantity, slippage, swap_executor, collateral, accepted_at, 'active'
      FROM unnest(
        ${rows.map(({ commitmentId }) => commitmentId)}::text[],
        ${rows.map(({ orderId }) => orderId)}::text[],
        ${events.map(({ seq }) => BigInt(seq))}::bigint[],
        ${rows.map(({ trader }) => trader.owner)}::text[],
        ${rows.map(({ trader }) => trader.userId)}::text[],
        ${rows.map(({ trader }) => trader.address)}::text[],
        ${rows.map(({ trader }) => trader.type)}::text[],
        ${rows.map(({ trader }) => trader.botId ?? "")}::text[],
        ${rows.map(({ proposedPrice }) => proposedPrice)}::bigint[],
        ${rows.map(({ exitPrice }) => exitPrice)}::bigint[],
        ${rows.map(({ quantity }) => quantity)}::bigint[],
        ${rows.map(({ slippage }) => slippage)}::integer[],
        ${rows.map(({ swapExecutor }) => swapExecutor)}::text[],
        ${rows.map(({ collateral }) => collateral)}::bigint[],
        ${rows.map(({ acceptedAt }) => BigInt(acceptedAt))}::bigint[])
      AS row (id, order_id, event_seq, owner, user_id, trader_address, trader_type, bot_id, proposed_price,
        exit_price, quantity, slippage, swap_executor, collateral, accepted_at)`
  }

  const setStatus = (orders: ReadonlyArray<string>, from: string, to: string) =>
    sql`UPDATE arena_orders SET status = ${to} WHERE id = ANY(${orders}::text[]) AND status = ${from}`

  const commitmentSubmitted = Effect.fnUntraced(function* (events: Of<CommitmentSubmitted>) {
    yield* insertCommitments(events)
    yield* setStatus([...new Set(events.map(({ event }) => event.commitment.orderId))], "open", "competing")
    const locked = events.reduce((sum, { event }) => sum + event.commitment.collateral, 0n)
    yield* vault.add(0n, locked, BigInt(events.length))
  })

  const orderClosed = (events: Of<OrderClosed>) =>
    Effect.asVoid(
      setStatus(
        events.map(({ event }) => event.orderId),
        "competing",
        "settling"
      )
    )

  return { orderOpened, commitmentSubmitted, orderClosed }
}

const choices = (sql: SqlClient, vault: Vault) => {
  const rank = (events: Of<WinnerChosen>) => {
    const standings = events.flatMap(({ event: { choice } }) =>
      choice.ranking.map((standing, place) => ({ ...standing, place, won: standing.commitmentId === choice.winner }))
    )
    return sql<{ collateral: string; lost: bigint }>`
      WITH standing AS (SELECT * FROM unnest(
          ${standings.map(({ commitmentId }) => commitmentId)}::text[],
          ${standings.map(({ won }) => (won ? "won" : "lost"))}::text[],
          ${standings.map(({ reason }) => reason ?? "")}::text[],
          ${standings.map(({ place }) => BigInt(place + 1))}::integer[],
          ${standings.map(({ score }) => score.toString())}::numeric[]) AS s (id, status, reason, ranked, score)),
      changed AS (
        UPDATE arena_commitments AS commitment SET status = standing.status, reason = nullif(standing.reason, ''),
          ranked = standing.ranked, score = standing.score
        FROM standing WHERE commitment.id = standing.id RETURNING commitment.status, commitment.collateral)
      SELECT coalesce(sum(collateral), 0)::text AS collateral, count(*)::bigint AS lost
      FROM changed WHERE status = 'lost'`
  }

  const winnerChosen = Effect.fnUntraced(function* (events: Of<WinnerChosen>) {
    const choices = events.map(({ event }) => event.choice)
    yield* sql`
      UPDATE arena_orders AS o SET reference_price = c.reference, reference_at = c.reference_at,
        winner_commitment_id = nullif(c.winner, ''), clearing_price = nullif(c.clearing, 0), fairness = c.fairness
      FROM unnest(
        ${events.map(({ event }) => event.orderId)}::text[],
        ${choices.map(({ reference }) => reference)}::bigint[],
        ${choices.map(({ referenceAt }) => BigInt(referenceAt))}::bigint[],
        ${choices.map(({ winner }) => winner ?? "")}::text[],
        ${choices.map(({ clearingPrice }) => clearingPrice ?? 0n)}::bigint[],
        ${choices.map(({ fairness }) => encodeEvent(fairness))}::text[])
      AS c (id, reference, reference_at, winner, clearing, fairness) WHERE o.id = c.id`
    const [freed] = yield* rank(events)
    const yields = events.flatMap(({ event }) => event.yields)
    yield* vault.addYields(yields)
    yield* vault.add(generatedBy(yields), -BigInt(freed?.collateral ?? 0), -(freed?.lost ?? 0n))
  })

  return { winnerChosen }
}

const endings = (sql: SqlClient, vault: Vault) => {
  const settleOrders = (events: Of<OrderSettled>) =>
    sql`
      UPDATE arena_orders AS o SET status = 'settled', tie_key = s.tie_key, profit = s.profit,
        settlement_price = nullif(s.price, -1), yield_distributed = s.distributed
      FROM unnest(
        ${events.map(({ event }) => event.orderId)}::text[],
        ${events.map(({ event }) => event.tieKey)}::text[],
        ${events.map(({ event }) => event.profit)}::bigint[],
        ${events.map(({ event }) => event.price ?? -1n)}::bigint[],
        ${events.map(({ event }) => event.yieldDistributed)}::bigint[])
      AS s (id, tie_key, profit, price, distributed) WHERE o.id = s.id`

  const orderSettled = Effect.fnUntraced(function* (events: Of<OrderSettled>) {
    yield* settleOrders(events)
    const winners = events.filter(({ event }) => event.winner !== null)
    if (winners.length === 0) return
    const [freed] = yield* sql<{ collateral: string; count: bigint }>`
      WITH changed AS (
        UPDATE arena_commitments AS commitment SET status = 'settled', profit = w.profit
        FROM unnest(
          ${winners.map(({ event }) => event.winner?.commitmentId ?? "")}::text[],
          ${winners.map(({ event }) => event.profit)}::bigint[]) AS w (id, profit)
        WHERE commitment.id = w.id RETURNING commitment.collateral)
      SELECT coalesce(sum(collateral), 0)::text AS collateral, count(*)::bigint AS count FROM changed`
    const yields = winners.flatMap(({ event }) => event.yields)
    yield* vault.addYields(yields)
    yield* vault.add(generatedBy(yields), -BigInt(freed?.collateral ?? 0), -(freed?.count ?? 0n))
  })

  const voidOrders = (events: Of<OrderVoided>) =>
    sql`
      UPDATE arena_orders AS o SET status = 'settled', tie_key = v.tie_key, void_reason = v.reason, profit = 0,
        yield_distributed = v.distributed, winner_commitment_id = NULL, clearing_price = NULL
      FROM unnest(
        ${events.map(({ event }) => event.orderId)}::text[],
        ${events.map(({ event }) => event.tieKey)}::text[],
        ${events.map(({ event }) => event.reason)}::text[],
        ${events.map(({ event }) => event.yieldDistributed)}::bigint[])
      AS v (id, tie_key, reason, distributed) WHERE o.id = v.id`

  const orderVoided = Effect.fnUntraced(function* (events: Of<OrderVoided>) {
    yield* voidOrders(events)
    const [freed] = yield* sql<{ collateral: string; count: bigint }>`
      WITH changed AS (
        UPDATE arena_commitments SET
          reason = CASE WHEN status = 'active' THEN 'void' END,
          status = CASE WHEN status = 'active' THEN 'lost' ELSE 'settled' END
        WHERE order_id = ANY(${events.map(({ event }) => event.orderId)}::text[]) AND status IN ('active', 'won')
        RETURNING collateral)
      SELECT coalesce(sum(collateral), 0)::text AS collateral, count(*)::bigint AS count FROM changed`
    const yields = events.flatMap(({ event }) => event.yields)
    yield* vault.addYields(yields)
    yield* vault.add(generatedBy(yields), -BigInt(freed?.collateral ?? 0), -(freed?.count ?? 0n))
  })

  return { orderSettled, orderVoided }
}
