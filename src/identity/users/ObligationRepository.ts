import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { walletOf } from "../../../engine/ledger/Funding.ts"
import { texts } from "../../database/ArrayParameter.ts"

/** What is left to be ended of users, who nobody can act for once they are gone. */
export interface Obligations {
  /** Money, holds or debts. */
  readonly money: boolean
  /** Bots that are not terminated. */
  readonly bots: boolean
  /** KYC records that await review. */
  readonly kyc: boolean
  /** Orders that they buy or sell, and that are not fulfilled and paid, or cancelled. */
  readonly orders: boolean
  /** Payments that are under way, and those of what they sell that are disputed or given back. */
  readonly payments: boolean
  /** Subscriptions that run, by which they pay or are paid. */
  readonly subscriptions: boolean
  /** Products with pieces for sale, which they are paid for. */
  readonly products: boolean
}

const NONE: Obligations = {
  money: false,
  bots: false,
  kyc: false,
  orders: false,
  payments: false,
  subscriptions: false,
  products: false
}

/** Users of one company: people, and principals of API clients. */
interface Bound {
  readonly userIds: ReadonlyArray<string>
  readonly companyId: string
  /** Whether the company goes with them: then all that it sells counts, whoever is paid for it. */
  readonly withCompany: boolean
}

/** Of an order that a company sells in, its event says whose wallets are paid. */
const isPaid = (sql: SqlClient, wallets: ReadonlyArray<string>) => sql`
  EXISTS (SELECT FROM events, jsonb_array_elements(events.data::jsonb #> '{terms,sellers}') AS share
    WHERE events.stream = 'purchase/' || purchase_orders.id AND events.version = 1
      AND share ->> 'wallet' = ANY(${texts(wallets)}::text[]))`

/** The tables' order that users sell, or of which the company sells a part where it goes with them. */
const sells = (sql: SqlClient, { companyId, userIds, withCompany }: Bound) => sql`
  (purchase_orders.seller_ids @> ${texts([companyId])}::text[]
    AND (${withCompany} OR ${isPaid(
      sql,
      userIds.map((userId) => walletOf(userId, "USD"))
    )}))`

const payments = (sql: SqlClient, bound: Bound) => sql`
  EXISTS (SELECT FROM payments WHERE payer = ANY(${texts(bound.userIds)}::text[])
    AND state IN ('created', 'authorized', 'capturing', 'voiding'))
  OR EXISTS (SELECT FROM payments JOIN purchase_orders ON purchase_orders.id = payments.order_id
    WHERE (payments.dispute = 'open' OR EXISTS (SELECT FROM payment_refunds AS refund
        WHERE refund.payment_id = payments.id AND refund.state = 'pending' AND refund.cause = 'seller'))
      AND ${sells(sql, bound)})`

/** What the tables have of users that is to be ended before they go. */
export const obligationsOf = (sql: SqlClient, bound: Bound) => {
  const { companyId, userIds, withCompany } = bound
  const users = sql`ANY(${texts(userIds)}::text[])`
  return Effect.map(
    sql<Obligations>`
      SELECT
        EXISTS (SELECT FROM ledger_accounts
          WHERE owner = ${users} AND (held > 0 OR (kind = 'wallet' AND balance > 0))) AS money,
        EXISTS (SELECT FROM bots WHERE user_id = ${users} AND status <> 'terminated') AS bots,
        EXISTS (SELECT FROM kyc_records WHERE user_id = ${users} AND status = 'pending') AS kyc,
        EXISTS (SELECT FROM purchase_orders
          WHERE (status IN ('pending', 'paid') OR (status = 'fulfilled' AND paid < amount))
            AND (buyer_user_id = ${users} OR ${sells(sql, bound)})) AS orders,
        (${payments(sql, bound)}) AS payments,
        EXISTS (SELECT FROM subscriptions
          WHERE status IN ('active', 'past_due') AND (user_id = ${users} OR seller_user_id = ${users})) AS subscriptions,
        EXISTS (SELECT FROM products JOIN ledger_accounts AS stock ON stock.id = products.stock_account
          WHERE products.company_id = ${companyId} AND (${withCompany} OR products.user_id = ${users})
            AND stock.balance > stock.held) AS products`,
    ([found]) => found ?? NONE
  )
}
