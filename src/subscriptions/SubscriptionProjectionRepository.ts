import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Recorded } from "../../engine/actor/Journal.ts"
import { historyOf, SUBSCRIPTION_ACTS } from "../../engine/replay/SubscriptionRows.ts"
import { after } from "../../engine/subscriptions/Subscription.ts"
import type {
  SubscriptionCancelled,
  SubscriptionCreated,
  SubscriptionEndSet,
  SubscriptionEvent,
  SubscriptionPaymentFailed,
  SubscriptionRenewed
} from "../../engine/subscriptions/SubscriptionEvent.ts"
import type { Statements } from "../database/Projection.ts"

type Of<E extends SubscriptionEvent> = ReadonlyArray<Recorded<E>>

/** Stands for none: no time, period or amount is below 0, and no text is empty. */
const NONE = -1n
const NO_TEXT = ""

const units = (value: number | bigint | null): bigint => (value === null ? NONE : BigInt(value))

/** How recorded events become rows: one statement for each kind, and one for the history of all. */
export class SubscriptionProjectionRepository extends Context.Service<
  SubscriptionProjectionRepository,
  {
    readonly created: (events: Of<SubscriptionCreated>) => Statements
    readonly renewed: (events: Of<SubscriptionRenewed>) => Statements
    readonly paymentFailed: (events: Of<SubscriptionPaymentFailed>) => Statements
    readonly endSet: (events: Of<SubscriptionEndSet>) => Statements
    readonly cancelled: (events: Of<SubscriptionCancelled>) => Statements
    readonly history: (events: Of<SubscriptionEvent>) => Statements
  }
>()("emporion/subscriptions/SubscriptionProjectionRepository") {
  static readonly layer: Layer.Layer<SubscriptionProjectionRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      SubscriptionProjectionRepository.of({ ...openings(sql), ...changes(sql), ...endings(sql) })
    )
  )
}

const openings = (sql: SqlClient) => ({
  created: (events: Of<SubscriptionCreated>): Statements => {
    const states = events.map(({ event }) => after(undefined, event))
    const terms = states.map((state) => state.terms)
    return [
      sql`
        INSERT INTO subscriptions (id, company_id, user_id, seller_id, seller_user_id, product_id, quantity, unit_price,
          every, periods, start_at, created_at, status, paid_periods, failures, next_at, ended_at, event_seq)
        SELECT id, company_id, user_id, seller_id, seller_user_id, product_id, quantity, unit_price, every,
          nullif(periods, -1), start_at, created_at, status, paid_periods, 0, nullif(next_at, -1),
          nullif(ended_at, -1), event_seq
        FROM unnest(
          ${terms.map(({ subscriptionId }) => subscriptionId)}::text[],
          ${terms.map(({ buyer }) => buyer.companyId)}::text[],
          ${terms.map(({ buyer }) => buyer.userId)}::text[],
          ${terms.map(({ seller }) => seller.companyId)}::text[],
          ${terms.map(({ seller }) => seller.userId)}::text[],
          ${terms.map(({ productId }) => productId)}::text[],
          ${terms.map(({ quantity }) => quantity)}::integer[],
          ${terms.map(({ unitPrice }) => unitPrice)}::bigint[],
          ${terms.map(({ every }) => every)}::text[],
          ${terms.map(({ periods }) => Number(units(periods)))}::integer[],
          ${terms.map(({ startAt }) => BigInt(startAt))}::bigint[],
          ${states.map(({ createdAt }) => BigInt(createdAt))}::bigint[],
          ${states.map(({ status }) => status)}::text[],
          ${states.map(({ paidPeriods }) => paidPeriods)}::integer[],
          ${states.map(({ nextAt }) => units(nextAt))}::bigint[],
          ${states.map(({ endedAt }) => units(endedAt))}::bigint[],
          ${events.map(({ seq }) => BigInt(seq))}::bigint[])
          AS made (id, company_id, user_id, seller_id, seller_user_id, product_id, quantity, unit_price, every, periods,
            start_at, created_at, status, paid_periods, next_at, ended_at, event_seq)`
    ]
  },
  history: (events: Of<SubscriptionEvent>): Statements => {
    const kept = events.map(({ event }) => historyOf(event))
    return [
      sql`
        INSERT INTO subscription_history (event_seq, subscription_id, at, event, user_id, period, amount, reason)
        SELECT event_seq, subscription_id, at, event, nullif(user_id, ''), nullif(period, -1), nullif(amount, -1),
          nullif(reason, '')
        FROM unnest(
          ${events.map(({ seq }) => BigInt(seq))}::bigint[],
          ${events.map(({ event }) => event.subscriptionId)}::text[],
          ${events.map(({ event }) => BigInt(event.at))}::bigint[],
          ${events.map(({ event }) => SUBSCRIPTION_ACTS[event._tag])}::text[],
          ${events.map(({ event }) => event.userId ?? NO_TEXT)}::text[],
          ${kept.map(({ period }) => Number(units(period)))}::integer[],
          ${kept.map(({ amount }) => units(amount))}::bigint[],
          ${kept.map(({ reason }) => reason ?? NO_TEXT)}::text[])
          AS made (event_seq, subscription_id, at, event, user_id, period, amount, reason)`
    ]
  }
})

const changes = (sql: SqlClient) => ({
  renewed: (events: Of<SubscriptionRenewed>): Statements => [
    sql`
      UPDATE subscriptions AS subscription SET paid_periods = made.period, failures = 0, failed_at = NULL,
        status = made.status, next_at = nullif(made.next_at, -1), ended_at = nullif(made.ended_at, -1),
        event_seq = made.event_seq
      FROM unnest(
        ${events.map(({ event }) => event.subscriptionId)}::text[],
        ${events.map(({ event }) => event.period)}::integer[],
        ${events.map(({ event }) => (event.nextAt === null ? "completed" : "active"))}::text[],
        ${events.map(({ event }) => units(event.nextAt))}::bigint[],
        ${events.map(({ event }) => units(event.nextAt === null ? event.at : null))}::bigint[],
        ${events.map(({ seq }) => BigInt(seq))}::bigint[]) AS made (id, period, status, next_at, ended_at, event_seq)
      WHERE subscription.id = made.id`
  ],
  paymentFailed: (events: Of<SubscriptionPaymentFailed>): Statements => [
    sql`
      UPDATE subscriptions AS subscription SET status = 'past_due', failures = made.failures,
        failed_at = coalesce(subscription.failed_at, made.at), next_at = made.next_at, event_seq = made.event_seq
      FROM unnest(
        ${events.map(({ event }) => event.subscriptionId)}::text[],
        ${events.map(({ event }) => event.failures)}::integer[],
        ${events.map(({ event }) => BigInt(event.retryAt ?? event.at))}::bigint[],
        ${events.map(({ event }) => BigInt(event.at))}::bigint[],
        ${events.map(({ seq }) => BigInt(seq))}::bigint[]) AS made (id, failures, next_at, at, event_seq)
      WHERE subscription.id = made.id`
  ]
})

const endings = (sql: SqlClient) => ({
  endSet: (events: Of<SubscriptionEndSet>): Statements => [
    sql`
      UPDATE subscriptions AS subscription
      SET ends_at = made.ends_at, next_at = made.ends_at, event_seq = made.event_seq
      FROM unnest(
        ${events.map(({ event }) => event.subscriptionId)}::text[],
        ${events.map(({ event }) => BigInt(event.endsAt))}::bigint[],
        ${events.map(({ seq }) => BigInt(seq))}::bigint[]) AS made (id, ends_at, event_seq)
      WHERE subscription.id = made.id`
  ],
  cancelled: (events: Of<SubscriptionCancelled>): Statements => [
    sql`
      UPDATE subscriptions AS subscription SET status = 'cancelled', next_at = NULL, ended_at = made.at,
        end_reason = made.reason, event_seq = made.event_seq
      FROM unnest(
        ${events.map(({ event }) => event.subscriptionId)}::text[],
        ${events.map(({ event }) => BigInt(event.at))}::bigint[],
        ${events.map(({ event }) => event.reason)}::text[],
        ${events.map(({ seq }) => BigInt(seq))}::bigint[]) AS made (id, at, reason, event_seq)
      WHERE subscription.id = made.id`
  ]
})
