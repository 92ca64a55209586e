import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Recorded } from "../../engine/actor/Journal.ts"
import { after } from "../../engine/bot/Bot.ts"
import type {
  BotChanged,
  BotCreated,
  BotDecided,
  BotFunded,
  BotGuardSet,
  BotPaused,
  BotResumed,
  BotReturned,
  BotStarted,
  BotSuspended,
  BotTerminated,
  BotWithdrawn
} from "../../engine/bot/BotEvent.ts"
import type { BotStatus } from "../../engine/bot/BotLifecycle.ts"
import { decisionText, inputText } from "../../engine/replay/BotRows.ts"
import type { Statements } from "../database/Projection.ts"

type Of<E> = ReadonlyArray<Recorded<E>>

type StatusEvent = BotStarted | BotPaused | BotResumed | BotSuspended | BotTerminated

type MoneyEvent = BotChanged | BotFunded | BotWithdrawn | BotReturned | BotTerminated

/** Stands for none: no time is below 0, and no text is empty. */
const NONE = -1n
const NO_TEXT = ""

const STATUS: Readonly<Record<StatusEvent["_tag"], BotStatus>> = {
  BotStarted: "active",
  BotPaused: "paused",
  BotResumed: "active",
  BotSuspended: "suspended",
  BotTerminated: "terminated"
}

/** How recorded events become rows. In one transaction a bot has at most one event of each kind. */
export class BotProjectionRepository extends Context.Service<
  BotProjectionRepository,
  {
    readonly created: (events: Of<BotCreated>) => Statements
    readonly changed: (events: Of<BotChanged>) => Statements
    readonly moved: (events: Of<MoneyEvent>) => Statements
    readonly turned: (events: Of<StatusEvent>) => Statements
    readonly decided: (events: Of<BotDecided>) => Statements
    readonly guarded: (events: Of<BotGuardSet>) => Statements
  }
>()("emporion/bots/BotProjectionRepository") {
  static readonly layer: Layer.Layer<BotProjectionRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      BotProjectionRepository.of({ ...births(sql), ...changes(sql), ...turns(sql), ...decisions(sql) })
    )
  )
}

/** A PostgreSQL array as text: an array of arrays would be one long one. */
const arrayText = (values: ReadonlyArray<string>): string => `{${values.join(",")}}`

const births = (sql: SqlClient) => ({
  created: (events: Of<BotCreated>): Statements => {
    const bots = events.map(({ event }) => after(undefined, event))
    const ids = bots.map(({ botId }) => botId)
    const owners = bots.map(({ companyId }) => companyId)
    const users = bots.map(({ userId }) => userId)
    const wallets = bots.map(({ walletAddress }) => walletAddress)
    const types = bots.map(({ profile }) => arrayText(profile.capabilities))
    const strategies = bots.map(({ profile }) => profile.strategy)
    return [
      sql`
        INSERT INTO machine_traders (id, agent_id, agent_uri, owner, user_id, wallet_address, capabilities,
          collateral_allocated, model, risk_tolerance, status)
        SELECT id, id, '', owner, user_id, wallet_address, capabilities::text[], 0, 'bot', preset, 'inactive'
        FROM unnest(${ids}::text[], ${owners}::text[], ${users}::text[], ${wallets}::text[], ${types}::text[],
          ${strategies.map(({ riskPreset }) => riskPreset)}::text[])
          AS made (id, owner, user_id, wallet_address, capabilities, preset)`,
      sql`
        INSERT INTO bots (id, company_id, user_id, wallet_address, name, capabilities, risk_preset, risk_level,
          max_loss_pct, min_roi_pct, max_collateral_per_trade, credit_budget, auto_top_up, status, net_funded,
          loss_allowance, turns, created_at, status_at, event_seq)
        SELECT id, company_id, user_id, wallet_address, name, capabilities::text[], risk_preset, risk_level,
          max_loss_pct, min_roi_pct, max_collateral_per_trade, credit_budget, auto_top_up, 'inactive', net_funded,
          loss_allowance, turns, created_at, created_at, event_seq
        FROM unnest(${ids}::text[], ${owners}::text[], ${users}::text[], ${wallets}::text[],
          ${bots.map(({ profile }) => profile.name)}::text[],
          ${types}::text[],
          ${strategies.map(({ riskPreset }) => riskPreset)}::text[],
          ${strategies.map(({ riskLevel }) => riskLevel)}::bigint[],
          ${strategies.map(({ maxLossPct }) => maxLossPct)}::bigint[],
          ${strategies.map(({ minRoiPct }) => minRoiPct)}::bigint[],
          ${strategies.map(({ maxCollateralPerTrade }) => maxCollateralPerTrade)}::bigint[],
          ${bots.map(({ profile }) => profile.creditBudget)}::bigint[],
          ${bots.map(({ profile }) => profile.autoTopUp)}::boolean[],
          ${bots.map(({ netFunded }) => `${netFunded}`)}::numeric[],
          ${bots.map(({ allowance }) => `${allowance}`)}::numeric[],
          ${bots.map(({ turns }) => turns)}::integer[],
          ${bots.map(({ createdAt }) => BigInt(createdAt))}::bigint[],
          ${events.map(({ seq }) => BigInt(seq))}::bigint[])
          AS made (id, company_id, user_id, wallet_address, name, capabilities, risk_preset, risk_level, max_loss_pct,
            min_roi_pct, max_collateral_per_trade, credit_budget, auto_top_up, net_funded, loss_allowance, turns,
            created_at, event_seq)`
    ]
  }
})

/** What is funded less what goes back. */
const fundedBy = (event: MoneyEvent): bigint => {
  if (event._tag === "BotChanged") return 0n
  return event._tag === "BotFunded" ? event.amount : -event.amount
}

const changes = (sql: SqlClient) => ({
  changed: (events: Of<BotChanged>): Statements => {
    const profiles = events.map(({ event }) => event.profile)
    const ids = events.map(({ event }) => event.botId)
    const types = profiles.map(({ capabilities }) => arrayText(capabilities))
    const changed = sql`unnest(${ids}::text[], ${types}::text[], ${events.map(({ seq }) => BigInt(seq))}::bigint[],
      ${events.map(({ event }) => BigInt(event.at))}::bigint[]) AS changed (id, types, event_seq, at)`
    return [
      sql`
        UPDATE bots AS bot SET name = changed.name, capabilities = changed.types::text[],
          risk_preset = changed.preset, risk_level = changed.level, max_loss_pct = changed.loss,
          min_roi_pct = changed.roi, max_collateral_per_trade = changed.cap, credit_budget = changed.budget,
          auto_top_up = changed.automatic
        FROM unnest(${ids}::text[], ${profiles.map(({ name }) => name)}::text[], ${types}::text[],
          ${profiles.map(({ strategy }) => strategy.riskPreset)}::text[],
          ${profiles.map(({ strategy }) => strategy.riskLevel)}::bigint[],
          ${profiles.map(({ strategy }) => strategy.maxLossPct)}::bigint[],
          ${profiles.map(({ strategy }) => strategy.minRoiPct)}::bigint[],
          ${profiles.map(({ strategy }) => strategy.maxCollateralPerTrade)}::bigint[],
          ${profiles.map(({ creditBudget }) => creditBudget)}::bigint[],
          ${profiles.map(({ autoTopUp }) => autoTopUp)}::boolean[])
          AS changed (id, name, types, preset, level, loss, roi, cap, budget, automatic)
        WHERE bot.id = changed.id`,
      sql`
        UPDATE machine_traders AS trader SET capabilities = changed.types::text[] FROM ${changed}
        WHERE trader.id = changed.id`,
      sql`
        WITH ended AS (
          UPDATE machine_trader_spans AS span SET active_until = changed.at FROM ${changed}
          WHERE span.trader_id = changed.id AND span.active_until IS NULL
            AND span.capabilities <> changed.types::text[]
          RETURNING span.trader_id, span.owner, changed.types, changed.event_seq, changed.at)
        INSERT INTO machine_trader_spans (event_seq, trader_id, owner, capabilities, active_from)
        SELECT event_seq, trader_id, owner, types::text[], at FROM ended`
    ]
  },
  moved: (events: Of<MoneyEvent>): Statements => [
    sql`
      UPDATE bots AS bot SET net_funded = greatest(0, bot.net_funded + moved.funded),
        loss_allowance = bot.loss_allowance + moved.allowance, turns = moved.turn,
        event_seq = greatest(bot.event_seq, moved.event_seq)
      FROM unnest(
        ${events.map(({ event }) => event.botId)}::text[],
        ${events.map(({ event }) => `${fundedBy(event)}`)}::numeric[],
        ${events.map(({ event }) => `${event.allowance}`)}::numeric[],
        ${events.map(({ event }) => event.turn)}::integer[],
        ${events.map(({ seq }) => BigInt(seq))}::bigint[]) AS moved (id, funded, allowance, turn, event_seq)
      WHERE bot.id = moved.id`
  ]
})

const turns = (sql: SqlClient) => ({
  turned: (events: Of<StatusEvent>): Statements => {
    const turned = sql`unnest(
      ${events.map(({ event }) => event.botId)}::text[],
      ${events.map(({ event }) => STATUS[event._tag])}::text[],
      ${events.map(({ event }) => (event._tag === "BotSuspended" ? event.cause : NO_TEXT))}::text[],
      ${events.map(({ event }) => BigInt(event.at))}::bigint[],
      ${events.map(({ seq }) => BigInt(seq))}::bigint[]) AS turned (id, status, cause, at, event_seq)`
    return [
      sql`
        UPDATE bots AS bot SET status = turned.status, cause = nullif(turned.cause, ''), status_at = turned.at,
          event_seq = greatest(bot.event_seq, turned.event_seq)
        FROM ${turned} WHERE bot.id = turned.id`,
      sql`UPDATE machine_traders AS trader SET status = turned.status FROM ${turned} WHERE trader.id = turned.id`,
      sql`
        UPDATE machine_trader_spans AS span SET active_until = turned.at FROM ${turned}
        WHERE span.trader_id = turned.id AND span.active_until IS NULL AND turned.status <> 'active'`,
      sql`
        INSERT INTO machine_trader_spans (event_seq, trader_id, owner, capabilities, active_from)
        SELECT turned.event_seq, bot.id, bot.company_id, bot.capabilities, turned.at
        FROM ${turned} JOIN bots AS bot ON bot.id = turned.id WHERE turned.status = 'active'`
    ]
  }
})

const decisions = (sql: SqlClient) => ({
  decided: (events: Of<BotDecided>): Statements => {
    const made = events.map(({ event }) => event)
    return [
      sql`
        INSERT INTO bot_decisions (id, event_seq, bot_id, order_id, at, dry_run, code, input, decision, charge_id, free,
          paid)
        SELECT id, event_seq, bot_id, order_id, at, dry_run, code, input, decision, nullif(charge_id, ''), free, paid
        FROM unnest(
          ${made.map(({ decisionId }) => decisionId)}::text[],
          ${events.map(({ seq }) => BigInt(seq))}::bigint[],
          ${made.map(({ botId }) => botId)}::text[],
          ${made.map(({ orderId }) => orderId)}::text[],
          ${made.map(({ at }) => BigInt(at))}::bigint[],
          ${made.map(({ dryRun }) => dryRun)}::boolean[],
          ${made.map(({ decision }) => decision.code)}::text[],
          ${made.map(({ input }) => inputText(input))}::text[],
          ${made.map(({ decision }) => decisionText(decision))}::text[],
          ${made.map(({ charge }) => charge?.chargeId ?? NO_TEXT)}::text[],
          ${made.map(({ charge }) => charge?.free ?? 0n)}::bigint[],
          ${made.map(({ charge }) => charge?.paid ?? 0n)}::bigint[])
          AS made (id, event_seq, bot_id, order_id, at, dry_run, code, input, decision, charge_id, free, paid)`
    ]
  },
  guarded: (events: Of<BotGuardSet>): Statements => {
    const last = [...new Map(events.map((recorded) => [recorded.event.companyId, recorded])).values()]
    return [
      sql`
        INSERT INTO bot_guards (company_id, deadline_at, set_at, set_by, event_seq)
        SELECT company_id, nullif(deadline_at, -1), set_at, nullif(set_by, ''), event_seq FROM unnest(
          ${last.map(({ event }) => event.companyId)}::text[],
          ${last.map(({ event }) => (event.deadlineAt === null ? NONE : BigInt(event.deadlineAt)))}::bigint[],
          ${last.map(({ event }) => BigInt(event.at))}::bigint[],
          ${last.map(({ event }) => event.by ?? NO_TEXT)}::text[],
          ${last.map(({ seq }) => BigInt(seq))}::bigint[]) AS made (company_id, deadline_at, set_at, set_by, event_seq)
        ON CONFLICT (company_id) DO UPDATE SET deadline_at = EXCLUDED.deadline_at, set_at = EXCLUDED.set_at,
          set_by = EXCLUDED.set_by, event_seq = EXCLUDED.event_seq`
    ]
  }
})
