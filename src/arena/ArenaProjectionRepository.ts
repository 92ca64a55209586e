import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
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
import { bigints, texts } from "../database/ArrayParameter.ts"
import type { Statements } from "../database/Projection.ts"

type Of<E extends ArenaEvent> = ReadonlyArray<Recorded<E>>

/** How recorded arena events become rows of orders and commitments: one statement for each kind of event and table. */
export class ArenaProjectionRepository extends Context.Service<
  ArenaProjectionRepository,
  {
    readonly orderOpened: (events: Of<OrderOpened>) => Statements
    readonly commitmentSubmitted: (events: Of<CommitmentSubmitted>) => Statements
    readonly orderClosed: (events: Of<OrderClosed>) => Statements
    readonly winnerChosen: (events: Of<WinnerChosen>) => Statements
    readonly orderSettled: (events: Of<OrderSettled>) => Statements
    readonly orderVoided: (events: Of<OrderVoided>) => Statements
  }
>()("emporion/arena/ArenaProjectionRepository") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) => {
      const vault = vaultTotals(sql)
      return ArenaProjectionRepository.of({
        ...openings(sql),
        ...competitions(sql),
        ...choices(sql, vault),
        ...endings(sql, vault)
      })
    })
  )
}

type Vault = ReturnType<typeof vaultTotals>

/** The vault's running totals, and what commitments earned. */
const vaultTotals = (sql: SqlClient) => {
  /** What commitments earned until their collateral came free, in all. */
  const addYields = (yields: ReadonlyArray<CommitmentYield>): Statements =>
    yields.length === 0
      ? []
      : [
          sql`
            UPDATE arena_commitments AS commitment SET yield_earned = earned.amount
            FROM unnest(
              ${yields.map(({ commitmentId }) => commitmentId)}::text[],
              ${yields.map(({ trader }) => trader)}::bigint[]) AS earned (id, amount)
            WHERE commitment.id = earned.id`,
          sql`
            UPDATE arena_vault_totals SET yield_generated = yield_generated + ${generatedBy(yields).toString()}::numeric`
        ]

  return { addYields }
}

const generatedBy = (yields: ReadonlyArray<CommitmentYield>): bigint =>
  yields.reduce((sum, each) => sum + each.trader + each.insurance + each.platform + each.tokenHolders, 0n)

const openings = (sql: SqlClient) => {
  const orderOpened = (events: Of<OrderOpened>) => {
    const terms = events.map(({ event }) => event.terms)
    return [
      sql`
      INSERT INTO arena_orders (id, asset_type, asset, details, quantity, entry_price, opened_at, expiry_at,
        settlement_at, maker_owner, maker_address, tie_key_hash, maker_discount, status)
      SELECT id, asset_type, asset, details, quantity, entry_price, opened_at, expiry_at, settlement_at, maker_owner,
        maker_address, tie_key_hash, nullif(maker_discount, -1), 'open'
      FROM unnest(
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
        ${terms.map(({ tieKeyHash }) => tieKeyHash)}::text[],
        ${terms.map(({ makerDiscount }) => makerDiscount ?? -1n)}::bigint[])
      AS row (id, asset_type, asset, details, quantity, entry_price, opened_at, expiry_at, settlement_at, maker_owner,
        maker_address, tie_key_hash, maker_discount)`
    ]
  }

  return { orderOpened }
}

const competitions = (sql: SqlClient) => {
  const insertCommitments = (events: Of<CommitmentSubmitted>) => {
    const rows = events.map(({ event }) => event.commitment)
    return sql`
      WITH placed AS (INSERT INTO arena_commitments (id, order_id, event_seq, owner, user_id, trader_address,
        trader_type, bot_id, proposed_price, exit_price, quantity, slippage, swap_executor, collateral, accepted_at, status)
      SELECT id, order_id, event_seq, owner, user_id, trader_address, trader_type, nullif(bot_id, ''),
        proposed_price, exit_price, quantity, slippage, swap_executor, collateral, accepted_at, 'active'
      FROM unnest(
        ${texts(rows.map(({ commitmentId }) => commitmentId))}::text[],
        ${texts(rows.map(({ orderId }) => orderId))}::text[],
        ${bigints(events.map(({ seq }) => BigInt(seq)))}::bigint[],
        ${texts(rows.map(({ trader }) => trader.owner))}::text[],
        ${texts(rows.map(({ trader }) => trader.userId))}::text[],
        ${texts(rows.map(({ trader }) => trader.address))}::text[],
        ${texts(rows.map(({ trader }) => trader.type))}::text[],
        ${texts(rows.map(({ trader }) => trader.botId ?? ""))}::text[],
        ${bigints(rows.map(({ proposedPrice }) => proposedPrice))}::bigint[],
        ${bigints(rows.map(({ exitPrice }) => exitPrice))}::bigint[],
        ${bigints(rows.map(({ quantity }) => quantity))}::bigint[],
        ${bigints(rows.map(({ slippage }) => slippage))}::integer[],
        ${texts(rows.map(({ swapExecutor }) => swapExecutor))}::text[],
        ${bigints(rows.map(({ collateral }) => collateral))}::bigint[],
        ${bigints(rows.map(({ acceptedAt }) => BigInt(acceptedAt)))}::bigint[])
      AS row (id, order_id, event_seq, owner, user_id, trader_address, trader_type, bot_id, proposed_price,
        exit_price, quantity, slippage, swap_executor, collateral, accepted_at)
      RETURNING collateral)
      UPDATE arena_vault_totals SET collateral_locked = collateral_locked + total.collateral,
        active_commitments = active_commitments + total.commitments
      FROM (SELECT coalesce(sum(collateral), 0) AS collateral, count(*) AS commitments FROM placed) AS total`
  }

  const setStatus = (orders: ReadonlyArray<string>, from: string, to: string) =>
    sql`UPDATE arena_orders SET status = ${to} WHERE id = ANY(${orders}::text[]) AND status = ${from}`

  /** An order's first commitment is the event after its opening. */
  const commitmentSubmitted = (events: Of<CommitmentSubmitted>): Statements => {
    const begun = events.filter(({ version }) => version === 2).map(({ event }) => event.commitment.orderId)
    return [insertCommitments(events), ...(begun.length === 0 ? [] : [setStatus(begun, "open", "competing")])]
  }

  const orderClosed = (events: Of<OrderClosed>) => [
    setStatus(
      events.map(({ event }) => event.orderId),
      "competing",
      "settling"
    )
  ]

  return { commitmentSubmitted, orderClosed }
}

/** Takes the rows of a query's `freed` out of the vault's totals. */
const unlock = `
      UPDATE arena_vault_totals SET collateral_locked = collateral_locked - total.collateral,
        active_commitments = active_commitments - total.commitments
      FROM (SELECT coalesce(sum(collateral), 0) AS collateral, count(*) AS commitments FROM freed) AS total`

const choices = (sql: SqlClient, vault: Vault) => {
  const rank = (events: Of<WinnerChosen>) => {
    const standings = events.flatMap(({ event: { choice } }) =>
      choice.ranking.map((standing, place) => ({ ...standing, place, won: standing.commitmentId === choice.winner }))
    )
    return sql`
      WITH standing AS (SELECT * FROM unnest(
          ${standings.map(({ commitmentId }) => commitmentId)}::text[],
          ${standings.map(({ won }) => (won ? "won" : "lost"))}::text[],
          ${standings.map(({ reason }) => reason ?? "")}::text[],
          ${standings.map(({ place }) => BigInt(place + 1))}::integer[],
          ${standings.map(({ score }) => score.toString())}::numeric[]) AS s (id, status, reason, ranked, score)),
      changed AS (
        UPDATE arena_commitments AS commitment SET status = standing.status, reason = nullif(standing.reason, ''),
          ranked = standing.ranked, score = standing.score
        FROM standing WHERE commitment.id = standing.id RETURNING commitment.status, commitment.collateral),
      freed AS (SELECT collateral FROM changed WHERE status = 'lost')
      ${sql.literal(unlock)}`
  }

  const choose = (events: Of<WinnerChosen>) => {
    const choices = events.map(({ event }) => event.choice)
    return sql`
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
  }

  const winnerChosen = (events: Of<WinnerChosen>) => [
    choose(events),
    rank(events),
    ...vault.addYields(events.flatMap(({ event }) => event.yields))
  ]

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

  const settleWinners = (winners: Of<OrderSettled>) =>
    sql`
      WITH freed AS (
        UPDATE arena_commitments AS commitment SET status = 'settled', profit = w.profit
        FROM unnest(
          ${winners.map(({ event }) => event.winner?.commitmentId ?? "")}::text[],
          ${winners.map(({ event }) => event.profit)}::bigint[]) AS w (id, profit)
        WHERE commitment.id = w.id RETURNING commitment.collateral)
      ${sql.literal(unlock)}`

  const orderSettled = (events: Of<OrderSettled>) => {
    const winners = events.filter(({ event }) => event.winner !== null)
    if (winners.length === 0) return [settleOrders(events)]
    const yields = winners.flatMap(({ event }) => event.yields)
    return [settleOrders(events), settleWinners(winners), ...vault.addYields(yields)]
  }

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

  const releaseAll = (events: Of<OrderVoided>) =>
    sql`
      WITH freed AS (
        UPDATE arena_commitments SET
          reason = CASE WHEN status = 'active' THEN 'void' END,
          status = CASE WHEN status = 'active' THEN 'lost' ELSE 'settled' END
        WHERE order_id = ANY(${events.map(({ event }) => event.orderId)}::text[]) AND status IN ('active', 'won')
        RETURNING collateral)
      ${sql.literal(unlock)}`

  const orderVoided = (events: Of<OrderVoided>) => [
    voidOrders(events),
    releaseAll(events),
    ...vault.addYields(events.flatMap(({ event }) => event.yields))
  ]

  return { orderSettled, orderVoided }
}
