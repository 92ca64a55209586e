import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Recorded } from "../../../engine/actor/Journal.ts"
import { creditBudgetOf } from "../../../engine/bot/EvaluationCredits.ts"
import type {
  CreditBudgetSet,
  CreditsBought,
  CreditsGranted,
  CreditsLapsed
} from "../../../engine/bot/EvaluationCreditsEvent.ts"
import type { CreditMovement } from "../../../engine/replay/EvaluationCreditsRows.ts"
import type { Statements } from "../../database/Projection.ts"

/** A change of credits, and the event that it follows from. */
export interface RecordedMovement {
  readonly seq: number
  readonly movement: CreditMovement
}

/** How recorded events become rows: one statement for each kind, and one for the movements of all. */
export class CreditsProjectionRepository extends Context.Service<
  CreditsProjectionRepository,
  {
    readonly granted: (events: ReadonlyArray<Recorded<CreditsGranted>>) => Statements
    readonly lapsed: (events: ReadonlyArray<Recorded<CreditsLapsed>>) => Statements
    readonly budgetSet: (events: ReadonlyArray<Recorded<CreditBudgetSet>>) => Statements
    /** Counts what bots bought by themselves. To be run after {@link budgetSet}. */
    readonly toppedUp: (events: ReadonlyArray<Recorded<CreditsBought>>) => Statements
    readonly moved: (movements: ReadonlyArray<RecordedMovement>) => Statements
  }
>()("emporion/bots/CreditsProjectionRepository") {
  static readonly layer: Layer.Layer<CreditsProjectionRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      CreditsProjectionRepository.of({ ...periods(sql), ...budgets(sql), moved: moving(sql) })
    )
  )
}

const keyOf = (owner: string, period: string): string => `${owner}/${period}`

const periods = (sql: SqlClient) => ({
  granted: (events: ReadonlyArray<Recorded<CreditsGranted>>): Statements => [
    sql`
      INSERT INTO evaluation_credit_periods (id, company_id, period, granted, granted_at)
      SELECT * FROM unnest(
        ${events.map(({ event }) => keyOf(event.companyId, event.period))}::text[],
        ${events.map(({ event }) => event.companyId)}::text[],
        ${events.map(({ event }) => event.period)}::text[],
        ${events.map(({ event }) => event.credits)}::bigint[],
        ${events.map(({ event }) => BigInt(event.at))}::bigint[])`
  ],
  lapsed: (events: ReadonlyArray<Recorded<CreditsLapsed>>): Statements => [
    sql`
      UPDATE evaluation_credit_periods AS month SET lapsed = ended.credits, lapsed_at = ended.at
      FROM unnest(
        ${events.map(({ event }) => keyOf(event.companyId, event.period))}::text[],
        ${events.map(({ event }) => event.credits)}::bigint[],
        ${events.map(({ event }) => BigInt(event.at))}::bigint[]) AS ended (id, credits, at)
      WHERE month.id = ended.id`
  ]
})

const budgets = (sql: SqlClient) => ({
  budgetSet: (events: ReadonlyArray<Recorded<CreditBudgetSet>>): Statements => {
    const lasts = [...new Map(events.map((each) => [keyOf(each.event.botId, each.event.period), each])).values()]
    return [
      sql`
        INSERT INTO evaluation_credit_budgets AS budget
          (id, company_id, bot_id, period, account, times, budget, topped_up, event_seq)
        SELECT id, company_id, bot_id, period, account, times, amount, 0, event_seq FROM unnest(
          ${lasts.map(({ event }) => keyOf(event.botId, event.period))}::text[],
          ${lasts.map(({ event }) => event.companyId)}::text[],
          ${lasts.map(({ event }) => event.botId)}::text[],
          ${lasts.map(({ event }) => event.period)}::text[],
          ${lasts.map(({ event }) => creditBudgetOf(event.botId, event.period))}::text[],
          ${lasts.map(({ event }) => BigInt(event.times))}::integer[],
          ${lasts.map(({ event }) => event.after)}::bigint[],
          ${lasts.map(({ seq }) => BigInt(seq))}::bigint[])
          AS wanted (id, company_id, bot_id, period, account, times, amount, event_seq)
        ON CONFLICT (id) DO UPDATE SET times = excluded.times, budget = excluded.budget,
          event_seq = excluded.event_seq`
    ]
  },
  toppedUp: (events: ReadonlyArray<Recorded<CreditsBought>>): Statements => {
    const automatic = events.filter(({ event }) => event.automatic)
    if (automatic.length === 0) return []
    return [
      sql`
        UPDATE evaluation_credit_budgets AS budget SET topped_up = budget.topped_up + bought.credits,
          event_seq = greatest(budget.event_seq, bought.event_seq)
        FROM (
          SELECT id, sum(credits)::bigint AS credits, max(event_seq) AS event_seq FROM unnest(
            ${automatic.map(({ event }) => keyOf(event.botId, event.period))}::text[],
            ${automatic.map(({ event }) => event.credits)}::bigint[],
            ${automatic.map(({ seq }) => BigInt(seq))}::bigint[]) AS each (id, credits, event_seq)
          GROUP BY id) AS bought
        WHERE budget.id = bought.id`
    ]
  }
})

/** Stands for nobody and nothing: no id is empty. */
const NOTHING = ""

const moving =
  (sql: SqlClient) =>
  (movements: ReadonlyArray<RecordedMovement>): Statements => {
    const of = movements.map(({ movement }) => movement)
    return [
      sql`
        INSERT INTO evaluation_credit_movements (event_seq, company_id, bot_id, user_id, at, period, kind, free, paid,
          usd, automatic, charge_id)
        SELECT event_seq, company_id, nullif(bot_id, ''), nullif(user_id, ''), at, period, kind, free, paid, usd,
          automatic, nullif(charge_id, '')
        FROM unnest(
          ${movements.map(({ seq }) => BigInt(seq))}::bigint[],
          ${of.map(({ companyId }) => companyId)}::text[],
          ${of.map(({ botId }) => botId ?? NOTHING)}::text[],
          ${of.map(({ userId }) => userId ?? NOTHING)}::text[],
          ${of.map(({ at }) => BigInt(at))}::bigint[],
          ${of.map(({ period }) => period)}::text[],
          ${of.map(({ kind }) => kind)}::text[],
          ${of.map(({ free }) => free)}::bigint[],
          ${of.map(({ paid }) => paid)}::bigint[],
          ${of.map(({ usd }) => usd)}::bigint[],
          ${of.map(({ automatic }) => automatic)}::boolean[],
          ${of.map(({ chargeId }) => chargeId ?? NOTHING)}::text[])
          AS moved (event_seq, company_id, bot_id, user_id, at, period, kind, free, paid, usd, automatic, charge_id)`
    ]
  }
