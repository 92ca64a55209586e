/** Every operation, message and event of the platform as types, and what its protocols agree on. Made by `bun scripts/generate-reference.ts` from the contract in src/api. */

export const ARENA_STREAM_PATH = "/ws/arena" as const
export const STREAM_PROTOCOL = "emporion.v1" as const
export const TICKET_PROTOCOL_PREFIX = "ticket." as const
export const HEARTBEAT_MILLIS = 15000 as const
export const STREAM_CLOSE = {"shutdown":1001,"policyViolation":1008,"tooBig":1009,"tryAgainLater":1013,"authenticationExpired":4401,"tooSlow":4408} as const
export const FAST_LANE_PATH = "/rpc" as const
export const FAST_LANE_PROTOCOL = "emporion.rpc.v1.json" as const
export const TOKEN_PROTOCOL_PREFIX = "bearer." as const
export const MAX_UNDER_WAY = 256 as const
export const WITHOUT_KEY = ["POST /api/v1/auth/login","POST /api/v1/auth/token","POST /api/v1/auth/session","POST /v1/authorize","POST /v1/logout","POST /v1/authenticate","POST /api/v1/auth/google/callback","POST /api/auth/google","POST /api/v1/auth/ecommerce/callback","POST /api/auth/ecommerce","POST /v1/logout/everywhere","POST /v1/clients","POST /v1/clients/{clientId}/secret/rotate","POST /v1/kyc","POST /api/arena/stream/ticket","POST /v1/transfers/to","POST /v1/webhooks","POST /v1/webhooks/{id}/secret/rotate","POST /v1/webhooks/test"] as const
export const ERROR_STATUS = {"invalid_request":400,"invalid_grant":400,"unauthorized_client":400,"invalid_scope":400,"unsupported_grant_type":400,"unauthorized":401,"invalid_client":401,"access_denied":403,"insufficient_scope":403,"plan_required":403,"entitlement_required":403,"bot_limit_reached":403,"not_found":404,"method_not_allowed":405,"conflict":409,"commitments_halted":409,"range_not_satisfiable":416,"payload_too_large":413,"unsupported_media_type":415,"unprocessable":422,"credit_frozen":422,"wallet_required":422,"loss_limit":422,"rate_limited":429,"internal":500,"unavailable":503,"ARENA_001":404,"ARENA_002":422,"ARENA_003":409,"ARENA_004":410,"ARENA_005":422,"ARENA_006":403,"ARENA_007":409,"ARENA_008":503,"ARENA_009":503} as const

/** What a program decides by when it is refused. */
export type ErrorCode = "ARENA_001" | "ARENA_002" | "ARENA_003" | "ARENA_004" | "ARENA_005" | "ARENA_006" | "ARENA_008" | "ARENA_009" | "access_denied" | "bot_limit_reached" | "commitments_halted" | "conflict" | "credit_frozen" | "entitlement_required" | "insufficient_scope" | "internal" | "invalid_client" | "invalid_grant" | "invalid_request" | "invalid_scope" | "loss_limit" | "not_found" | "payload_too_large" | "plan_required" | "range_not_satisfiable" | "rate_limited" | "unauthorized" | "unauthorized_client" | "unavailable" | "unprocessable" | "unsupported_grant_type" | "unsupported_media_type" | "wallet_required"

export interface WebhookTestResult {
/** Whether a 2xx answer came within 5 seconds. */
readonly delivered: boolean
readonly status: number | null
readonly duration_ms: number
/** The first 16 KiB of the answer's body. */
readonly answer: string | null
/** Why no answer came. */
readonly error: string | null
/** What was sent. */
readonly body: string
/** What signed it, made for this test; null where a webhook of the company has this URL: its secret did. */
readonly signing_secret: string | null
}

export interface WebhookTest {
readonly endpoint: string
readonly event: "order.created" | "order.updated" | "order.paid" | "order.fulfilled" | "order.cancelled" | "order.payment_due" | "order.overdue" | "payment.authorized" | "payment.captured" | "payment.refunded" | "payment.failed" | "company.created" | "company.verified" | "company.updated" | "subscription.created" | "subscription.renewed" | "subscription.cancelled" | "subscription.payment_failed" | "credit.score_updated" | "credit.limit_changed" | "webhook.disabled" | "webhook.test"
}

export interface WebhookQuota {
/** a day such as 2026-01-31, from 1970 on */
readonly date: string
/** Deliveries begun on the day, each once, however often it was tried. */
readonly deliveries: number
/** What the plan allows on a day; null: no limit. */
readonly limit: number | null
/** Deliveries that wait for room, of this day and days before. */
readonly held: number
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly resets_at: string
}

export interface WebhookEventType {
readonly type: "order.created" | "order.updated" | "order.paid" | "order.fulfilled" | "order.cancelled" | "order.payment_due" | "order.overdue" | "payment.authorized" | "payment.captured" | "payment.refunded" | "payment.failed" | "company.created" | "company.verified" | "company.updated" | "subscription.created" | "subscription.renewed" | "subscription.cancelled" | "subscription.payment_failed" | "credit.score_updated" | "credit.limit_changed" | "webhook.disabled" | "webhook.test"
readonly description: string
/** The kind of its object. */
readonly object: string
/** Which companies are told. */
readonly told: string
readonly example: unknown
}

export interface WebhookBulkRetryResult {
readonly retried: number
/** Those that a next request retries: one retries at most 10,000. */
readonly left: number
}

export interface WebhookBulkRetry {
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly since: string
}

export interface WebhookDelivery {
readonly id: string
readonly webhook_id: string
readonly event_id: string
readonly event: "order.created" | "order.updated" | "order.paid" | "order.fulfilled" | "order.cancelled" | "order.payment_due" | "order.overdue" | "payment.authorized" | "payment.captured" | "payment.refunded" | "payment.failed" | "company.created" | "company.verified" | "company.updated" | "subscription.created" | "subscription.renewed" | "subscription.cancelled" | "subscription.payment_failed" | "credit.score_updated" | "credit.limit_changed" | "webhook.disabled" | "webhook.test"
/** `held`: the plan's deliveries of the day are used up. `failed`: all attempts failed; retry it. */
readonly status: "pending" | "held" | "delivered" | "failed"
/** 1, and one more with each retry by hand. */
readonly round: number
/** Attempts of this round, at most 5. */
readonly attempt_count: number
readonly last_attempt_at: string | null
/** The HTTP status of the last answer. */
readonly last_status: number | null
/** Why the last attempt got no answer. */
readonly last_error: string | null
readonly last_duration_ms: number | null
/** When the next attempt is due, while it is pending. */
readonly due_at: string | null
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly created_at: string
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly updated_at: string
}

export interface WebhookDeliveryDetail {
readonly id: string
readonly webhook_id: string
readonly event_id: string
readonly event: "order.created" | "order.updated" | "order.paid" | "order.fulfilled" | "order.cancelled" | "order.payment_due" | "order.overdue" | "payment.authorized" | "payment.captured" | "payment.refunded" | "payment.failed" | "company.created" | "company.verified" | "company.updated" | "subscription.created" | "subscription.renewed" | "subscription.cancelled" | "subscription.payment_failed" | "credit.score_updated" | "credit.limit_changed" | "webhook.disabled" | "webhook.test"
/** `held`: the plan's deliveries of the day are used up. `failed`: all attempts failed; retry it. */
readonly status: "pending" | "held" | "delivered" | "failed"
/** 1, and one more with each retry by hand. */
readonly round: number
/** Attempts of this round, at most 5. */
readonly attempt_count: number
readonly last_attempt_at: string | null
/** The HTTP status of the last answer. */
readonly last_status: number | null
/** Why the last attempt got no answer. */
readonly last_error: string | null
readonly last_duration_ms: number | null
/** When the next attempt is due, while it is pending. */
readonly due_at: string | null
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly created_at: string
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly updated_at: string
/** The event's place in all events: GET /v1/requests?event_seq= finds the request that caused it. */
readonly event_seq: number
/** Where the webhook's deliveries go now. */
readonly url: string
/** The body, byte for byte as it is signed and sent. */
readonly body: string
/** Why it is not delivered yet, in words; null where it is, or where nothing was tried. */
readonly failure: string | null
/** The last 100 attempts, oldest first. */
readonly attempts: ReadonlyArray<WebhookAttempt>
}

export interface WebhookAttempt {
readonly round: number
/** Which attempt of the round, from 1. */
readonly number: number
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly started_at: string
readonly duration_ms: number
readonly url: string
readonly request_headers: Readonly<Record<string, string>>
/** Null where no answer came. */
readonly status: number | null
/** Why none came. */
readonly error: string | null
/** The first 16 KiB of the answer's body. */
readonly answer: string | null
}

export interface WebhookEndpointWithSecret {
readonly id: string
readonly company_id: string
readonly url: string
/** The types that it is told of. */
readonly events: ReadonlyArray<string>
readonly description: string | null
/** What its company keeps with it by keys of its own. */
readonly metadata: Readonly<Record<string, string>>
readonly status: "enabled" | "disabled"
/** `failing`: its attempts failed for 5 days. `requested`: somebody disabled it. */
readonly disabled_cause: "requested" | "failing" | null
readonly disabled_at: string | null
/** The first failed attempt since the last success, or since it was enabled or got another URL; null where none failed since. */
readonly failing_since: string | null
/** Until when the secret before the last rotation signs as well. Those before it end earlier. */
readonly previous_secret_until: string | null
readonly created_by: string
readonly created_at: string
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly updated_at: string
/** What signs deliveries: `whsec_` and base64. Shown this once. */
readonly secret: string
}

export interface DeletedWebhook {
readonly id: string
readonly deleted: true
}

export interface WebhookEndpoint {
readonly id: string
readonly company_id: string
readonly url: string
/** The types that it is told of. */
readonly events: ReadonlyArray<string>
readonly description: string | null
/** What its company keeps with it by keys of its own. */
readonly metadata: Readonly<Record<string, string>>
readonly status: "enabled" | "disabled"
/** `failing`: its attempts failed for 5 days. `requested`: somebody disabled it. */
readonly disabled_cause: "requested" | "failing" | null
readonly disabled_at: string | null
/** The first failed attempt since the last success, or since it was enabled or got another URL; null where none failed since. */
readonly failing_since: string | null
/** Until when the secret before the last rotation signs as well. Those before it end earlier. */
readonly previous_secret_until: string | null
readonly created_by: string
readonly created_at: string
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly updated_at: string
}

export interface WebhookChange {
readonly url?: string | null | undefined
readonly events?: ReadonlyArray<"order.created" | "order.updated" | "order.paid" | "order.fulfilled" | "order.cancelled" | "order.payment_due" | "order.overdue" | "payment.authorized" | "payment.captured" | "payment.refunded" | "payment.failed" | "company.created" | "company.verified" | "company.updated" | "subscription.created" | "subscription.renewed" | "subscription.cancelled" | "subscription.payment_failed" | "credit.score_updated" | "credit.limit_changed" | "webhook.disabled" | "webhook.test" | "*"> | null | undefined
readonly description?: string | null
readonly status?: "enabled" | "disabled" | null | undefined
/** Extension: keys to be set; those that are not named stay, and null and "" remove one. In all at most 20 keys of 1 to 40 characters without colons, with texts of at most 500 characters without control characters and without sealed:v1:. */
readonly metadata?: Readonly<Record<string, string | null>> | null
}

export interface NewWebhook {
readonly url: string
/** The types that it gets; `*` is every one, also those that come later. */
readonly events: ReadonlyArray<"order.created" | "order.updated" | "order.paid" | "order.fulfilled" | "order.cancelled" | "order.payment_due" | "order.overdue" | "payment.authorized" | "payment.captured" | "payment.refunded" | "payment.failed" | "company.created" | "company.verified" | "company.updated" | "subscription.created" | "subscription.renewed" | "subscription.cancelled" | "subscription.payment_failed" | "credit.score_updated" | "credit.limit_changed" | "webhook.disabled" | "webhook.test" | "*">
readonly description?: string | null | undefined
/** Extension: what is to be kept with it, without keys of null and "": at most 20 keys of 1 to 40 characters without colons, with texts of at most 500 characters without control characters and without sealed:v1:. */
readonly metadata?: Readonly<Record<string, string | null>> | null | undefined
}

export interface Subscription {
readonly id: string
/** The buyer. */
readonly company_id: string
/** Whose USD wallet pays. */
readonly user_id: string
readonly seller_company_id: string
readonly product_id: string
readonly quantity: number
/** USD for a piece, fixed when it was made. */
readonly unit_price: number
/** USD a period. */
readonly price: number
readonly currency: "USD"
readonly interval: "week" | "month" | "year"
readonly periods: number | null
readonly start: string
readonly status: "active" | "past_due" | "completed" | "cancelled"
readonly paid_periods: number
/** How often the period that is due could not be charged. */
readonly failures: number
/** When the next period is due, or a failed one is tried again. */
readonly next_at: string | null
/** When it ends, where it was cancelled for the end of a period. */
readonly cancel_at: string | null
readonly ended_at: string | null
readonly end_reason: "requested" | "period_end" | "payment_failed" | null
/** What the buyer keeps with it by keys of its own. */
readonly metadata: Readonly<Record<string, string>>
readonly created_at: string
}

export interface SubscriptionCancellation {
/** Whether it ends with the period that was paid last, not at once. */
readonly at_period_end?: boolean | null | undefined
}

export interface SubscriptionAct {
/** Its place in all that the platform recorded. */
readonly sequence: number
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly at: string
readonly event: "created" | "renewed" | "payment_failed" | "end_set" | "cancelled"
/** Who did it; null for the platform. */
readonly user_id: string | null
readonly period: number | null
/** USD that was paid, or was to be paid. */
readonly amount: number | null
readonly reason: string | null
}

export interface SubscriptionRequest {
readonly company_id: string
readonly product_id: string
/** A whole number from 1 to 1000000. */
readonly quantity: number
/** How long a period is. */
readonly interval: "week" | "month" | "year"
/** How many periods there are, at most 520 weeks, 120 months or 10 years; without it, until it is cancelled. */
readonly periods?: number | null | undefined
/** When the first period is due, at most 366 days ahead; now without it. */
readonly start?: string | null | undefined
/** Extension: what is to be kept with it, without keys of null and "": at most 20 keys of 1 to 40 characters without colons, with texts of at most 500 characters without control characters and without sealed:v1:. */
readonly metadata?: Readonly<Record<string, string | null>> | null | undefined
}

export interface PaymentTermsOffers {
readonly company_id: string
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly amount: number
readonly currency: "USD"
/** Of the caller's last score card; null without one. */
readonly score: number | null
readonly band: "A" | "B" | "C" | "D" | "E" | null
/** The card's, in percent a year. */
readonly apr: number | null
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly free_limit: number
readonly terms: ReadonlyArray<PaymentTermsOffer>
}

export interface PaymentTermsOffer {
readonly type: "prepaid" | "net_30" | "net_60" | "installments"
/** 2 to 12, with type installments alone. */
readonly installments?: number
readonly available: boolean
/** Why it is not available; empty where it is. */
readonly reasons: ReadonlyArray<{
readonly code: "not_assessed" | "kyc_required" | "overdue" | "limit_too_small" | "amount_too_small"
readonly text: string
}>
/** Percent a year that the terms cost: orders carry no interest. */
readonly apr: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly total: number
/** What would be due when, for an order placed now. It sums to the total. */
readonly schedule: ReadonlyArray<{
readonly number: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly amount: number
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly due_at: string
}>
}

export interface PaymentTermsRequest {
readonly company_id: string
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly amount: number
/** One of USD, in any case. */
readonly currency: string
}

export interface ScoreCard {
/** The user's id. */
readonly profileId: string
/** 300 to 850: 600 at odds of 19:1 that a credit is paid back, and 50 points double the odds. */
readonly score: number
/** That the credit is not paid back, from 0 to 1. */
readonly probability: number
readonly band: "A" | "B" | "C" | "D" | "E"
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly limit: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly assessedLimit: number
/** Percent a year. */
readonly apr: number
/** They add up to the score. */
readonly points: ReadonlyArray<{
readonly attribute: string
readonly points: number
}>
/** What cost most points, the costliest first: at most four. */
readonly reasons: ReadonlyArray<{
readonly code: string
readonly text: string
readonly points: number
}>
readonly modelVersion: string
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly assessedAt: string
}

export interface PresentCreditProfile {
/** The user's id. */
readonly profileId: string
/** 300 to 850: 600 at odds of 19:1 that a credit is paid back, and 50 points double the odds. */
readonly score: number
/** That the credit is not paid back, from 0 to 1. */
readonly probability: number
readonly band: "A" | "B" | "C" | "D" | "E"
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly limit: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly assessedLimit: number
/** Percent a year. */
readonly apr: number
/** They add up to the score. */
readonly points: ReadonlyArray<{
readonly attribute: string
readonly points: number
}>
/** What cost most points, the costliest first: at most four. */
readonly reasons: ReadonlyArray<{
readonly code: string
readonly text: string
readonly points: number
}>
readonly modelVersion: string
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly assessedAt: string
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly available: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly used: number
/** Whether something of the user's company is overdue, so that it orders nothing new on credit. */
readonly frozen: boolean
}

export interface CreditProfile {
/** The user's id. */
readonly profileId: string
/** 300 to 850: 600 at odds of 19:1 that a credit is paid back, and 50 points double the odds. */
readonly score: number
/** That the credit is not paid back, from 0 to 1. */
readonly probability: number
readonly band: "A" | "B" | "C" | "D" | "E"
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly limit: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly assessedLimit: number
/** Percent a year. */
readonly apr: number
/** They add up to the score. */
readonly points: ReadonlyArray<{
readonly attribute: string
readonly points: number
}>
/** What cost most points, the costliest first: at most four. */
readonly reasons: ReadonlyArray<{
readonly code: string
readonly text: string
readonly points: number
}>
readonly modelVersion: string
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly assessedAt: string
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly available: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly used: number
}

export interface CreditRequest {
readonly annualIncome: number
/** Whether the home is owned or mortgaged. */
readonly homeOwnership: boolean
/** Years in the current employment. */
readonly empLength: string
readonly loanAmt: number
readonly purpose: string
readonly desc: string
}

export interface FxDeskHolding {
readonly type: string
/** a decimal number as text with at most 6 decimals */
readonly symbol: string
}

export interface FxDeskFunding {
/** One of USD, EUR, GBP, JPY, CHF, AUD, CAD, CNY, INR, BRL, MXN, XAU, XAG, BTC, ETH, in any case. */
readonly type: string
/** a positive decimal number as text with at most 6 decimals, at most 8000000000 */
readonly symbol: string
/** What the money stands for outside. Taken once. */
readonly external_reference: string
}

export interface FxQuote {
readonly id: string
/** BASE/QUOTE: two symbols of funds, such as EUR/USD, eur-usd, EUR_USD or EURUSD. */
readonly pair: string
readonly trade: "Buy" | "Sell"
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly quantity: number
/** How much of the quote one unit of the base is: a decimal number from 0 to 10000000000; decimals beyond the 12th are rounded. */
readonly rate: number
/** a decimal number as text with at most 6 decimals */
readonly value: string
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly created_at: string
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly expires_at: string
readonly used: boolean
}

export interface FxQuoteRequest {
/** BASE/QUOTE: two symbols of funds, such as EUR/USD, eur-usd, EUR_USD or EURUSD. */
readonly pair: string
/** Sell by default: the base is sold for the quote. Buy: the base is bought with it. */
readonly trade?: "Buy" | "Sell" | null | undefined
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly quantity: number
}

export interface Withdrawal {
readonly id: string
readonly fund_id: string
readonly type: string
/** a decimal number as text with at most 6 decimals */
readonly quantity: string
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly created_at: string
}

export interface Withdraw {
/** a decimal number as text with at most 6 decimals */
readonly quantity: string
readonly id: string
}

export interface WithdrawRequest {
/** a positive decimal number as text with at most 6 decimals, at most 8000000000 */
readonly quantity: string
/** The fund; by default the caller's fund of USD. */
readonly id?: string | null | undefined
}

export interface Transfer {
/** BASE/QUOTE: two symbols of funds, such as EUR/USD, eur-usd, EUR_USD or EURUSD. */
readonly pair: string
/** a decimal number as text with at most 6 decimals */
readonly quantity: string
readonly from: string
readonly to: string
readonly country: string
readonly description: string
readonly createdDate: number
readonly id: string
/** How much of the quote one unit of the base is: a decimal number from 0 to 10000000000; decimals beyond the 12th are rounded. */
readonly fxQuote?: number
readonly mode: "local" | "international"
/** Extension: what it was exchanged at; null where nothing was, and to the recipient. */
readonly rate: number | null
/** Extension: which end the owner is at. */
readonly direction: "sent" | "received"
/** Extension: units taken from the sender; null to the recipient. */
readonly taken: string | null
/** Extension: of which fund; null to the recipient. */
readonly taken_type: string | null
/** a decimal number as text with at most 6 decimals */
readonly received: string
/** Extension: in which fund. */
readonly received_type: string
/** Extension: the held rate that it used; null to the recipient. */
readonly quote_id: string | null
/** Extension: what the sender keeps with it; empty to the recipient. */
readonly metadata: Readonly<Record<string, string>>
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly created_at: string
}

export interface TransferReceipt {
readonly to: string
readonly from: string
/** a decimal number as text with at most 6 decimals */
readonly quantity: string
readonly id: string
}

export interface TransferRequest {
/** BASE/QUOTE: two symbols of funds, such as EUR/USD, eur-usd, EUR_USD or EURUSD. */
readonly pair: string
/** a positive decimal number as text with at most 6 decimals, at most 8000000000 */
readonly quantity: string
readonly from: string
readonly to: string
readonly country: string
readonly description: string
readonly createdDate: number
/** The caller's own id for it. The same id and body again answer the same and move nothing. */
readonly id?: string | null | undefined
/** The worst rate that the sender accepts. It is never the rate that is made. Ignored where the mode is local. */
readonly fxQuote?: number | null | undefined
/** By default `international` where fxQuote or quote_id is given, else `local`. */
readonly mode?: "local" | "international" | null | undefined
/** Extension: the rate of POST /v1/fx/quotes to use, for its own pair and quantity. */
readonly quote_id?: string | null | undefined
/** Extension: what is to be kept with it, without keys of null and "": at most 20 keys of 1 to 40 characters without colons, with texts of at most 500 characters without control characters and without sealed:v1:. */
readonly metadata?: Readonly<Record<string, string | null>> | null | undefined
}

export interface Beneficiary {
/** Extension: what a transfer names as `to`. */
readonly id: string
readonly accountName: string
readonly accountNumber: string
readonly country?: string
readonly bankId?: string
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly created_at: string
}

export interface BankAccount {
readonly accountName: string
readonly accountNumber: string
/** Where the account is: a code of ISO 3166-1 or an English name. An IBAN says it itself. */
readonly country?: string | null | undefined
/** The bank's BIC, or its national number such as a routing number. */
readonly bankId?: string | null | undefined
}

export interface FundEntry {
readonly id: string
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly created_at: string
/** a decimal number as text with at most 6 decimals, negative where it left */
readonly quantity: string
/** a decimal number as text with at most 6 decimals */
readonly balance: string
readonly purpose: string
/** outside, owner, arena, or an account of the platform's own such as fx_desk. */
readonly counterparty: string
/** The other owner of a transfer. */
readonly counterparty_id: string | null
/** Such as the id of a transfer, a withdrawal or a commitment. */
readonly reference: string
}

export interface Fund {
readonly id: string
readonly owner: string
readonly type: string
/** a decimal number as text with at most 6 decimals */
readonly symbol: string
/** a decimal number as text with at most 6 decimals */
readonly available: string
/** a decimal number as text with at most 6 decimals */
readonly held: string
}

export interface FundRequest {
readonly owner: string
/** One of USD, EUR, GBP, JPY, CHF, AUD, CAD, CNY, INR, BRL, MXN, XAU, XAG, BTC, ETH, in any case. */
readonly type: string
/** a positive decimal number as text with at most 6 decimals, at most 8000000000 */
readonly symbol: string
/** The id of a new fund, or of the one to add to. */
readonly id?: string | null | undefined
/** Extension: what the money stands for outside. Taken once. Required in production. */
readonly external_reference?: string | null | undefined
}

/** A payment, as GET /v1/payments/{id} answers it. */
export interface Payment {
readonly id: string
readonly object: "payment"
readonly order_id: string
/** The user who pays. */
readonly payer: string
/** The company that pays. */
readonly company_id: string
readonly provider: "wallet" | "sandbox-card" | "stripe"
/** To the buyer the test card's name, or Stripe's id of the payment method; to a seller null. Never a card's number. */
readonly instrument: string | null
/** Null where the order was paid from the wallet at once. */
readonly extent: "next" | "all" | null
readonly capture: "automatic" | "manual"
/** `processing`: the provider's answer is awaited, and asked for again by itself. */
readonly status: "processing" | "authorized" | "captured" | "partially_refunded" | "refunded" | "failed" | "voided"
/** USD. */
readonly amount: number
readonly currency: "USD"
/** USD. */
readonly captured: number
/** USD that the order has of it. */
readonly applied: number
/** USD on the way back to the instrument. */
readonly refunding: number
/** USD that are back at the instrument. */
readonly refunded: number
/** Why it failed, such as `insufficient_funds`. */
readonly failure: string | null
readonly dispute: "open" | "won" | "lost" | null
readonly refunds: ReadonlyArray<PaymentRefund>
/** What the buyer keeps with it by keys of its own; to a seller nothing. */
readonly metadata: Readonly<Record<string, string>>
readonly created_at: string
readonly updated_at: string
}

export interface PaymentRefund {
readonly id: string
/** USD. */
readonly amount: number
readonly status: "pending" | "succeeded" | "failed"
/** `seller`: a seller gave it back. `unneeded`: the order was cancelled, or was paid otherwise. */
readonly reason: "seller" | "unneeded"
readonly seller_company_id: string | null
readonly failure: string | null
/** How often it was asked for: an `unneeded` one that is declined is tried again, once a day at last. */
readonly attempts: number
readonly created_at: string
}

export interface RefundRequest {
/** USD, more than 0. By default all that the caller's company can give back. */
readonly amount?: number | null | undefined
}

export interface PaymentRequest {
readonly order_id: string
/** `wallet`: the caller's USD fund. `sandbox-card`: a test card, in the sandbox alone. `stripe`: a card. */
readonly provider: "wallet" | "sandbox-card" | "stripe"
/** What to pay with: the number of a documented test card, or the id of a Stripe payment method. Never the number of a real card. */
readonly instrument?: string | null | undefined
/** The next instalment, or all that is left: the default. */
readonly extent?: "next" | "all" | null | undefined
/** `manual` only authorizes; POST /v1/payments/{id}/capture takes it. By default `automatic`. */
readonly capture?: "automatic" | "manual" | null | undefined
/** Extension: what is to be kept with it, without keys of null and "": at most 20 keys of 1 to 40 characters without colons, with texts of at most 500 characters without control characters and without sealed:v1:. */
readonly metadata?: Readonly<Record<string, string | null>> | null | undefined
}

export interface PurchaseOrderHistoryEntry {
/** From 1, without a gap. */
readonly number: number
readonly type: "order.created" | "order.paid" | "order.fulfilled" | "order.cancelled" | "order.payment_due" | "order.overdue"
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly at: string
/** Null where another seller, or nobody, did it. */
readonly user_id: string | null
/** Null where another seller, or nobody, did it. */
readonly company_id: string | null
/** USD: of the order, of the payment, or of the instalment; to a seller its own part. */
readonly amount: number | null
/** The number of the instalment that is due before long, or overdue. */
readonly installment: number | null
readonly payment_id: string | null
readonly reason: string | null
}

/** An order, as GET /v1/orders/{id} answers it. */
export interface PurchaseOrder {
readonly id: string
readonly object: "order"
/** The company that buys. */
readonly company_id: string
readonly status: "pending" | "paid" | "fulfilled" | "cancelled"
readonly payment_status: "unpaid" | "partially_paid" | "paid" | "refunded"
readonly fulfilment_status: "unfulfilled" | "partially_fulfilled" | "fulfilled" | "cancelled"
/** USD for the whole order; to a seller for its own items. */
readonly amount: number
/** USD of that which are not paid yet. */
readonly amount_due: number
/** Whether an instalment is overdue. */
readonly overdue: boolean
readonly currency: "USD"
readonly payment_terms: {
readonly type: "prepaid" | "net_30" | "net_60" | "installments"
readonly installments: number | null
/** The parts sum to the amount. */
readonly schedule: ReadonlyArray<{
readonly number: number
/** USD. */
readonly amount: number
readonly due_at: string
readonly paid: boolean
/** Its due date, once that was found to have passed and as long as it is not paid; else null. */
readonly overdue_since: string | null
}>
}
/** Sub-totals; to a seller its own alone. */
readonly sellers: ReadonlyArray<{
readonly company_id: string
/** USD. */
readonly subtotal: number
/** USD that it was paid of that, refunded or not. */
readonly paid: number
readonly fulfilled_at: string | null
}>
/** The number of the items. */
readonly item_count: number
/** What the buyer keeps with it by keys of its own. */
readonly metadata: Readonly<Record<string, string>>
readonly created_at: string
readonly updated_at: string
/** To a seller its own alone. */
readonly items: ReadonlyArray<{
readonly product_id: string
readonly seller_company_id: string
readonly quantity: number
/** USD. */
readonly unit_price: number
/** USD. */
readonly total: number
}>
/** To a seller its own parts alone. */
readonly payments: ReadonlyArray<{
readonly id: string
/** USD. */
readonly amount: number
/** The numbers of the instalments that it paid. */
readonly installments: ReadonlyArray<number>
readonly refunded: boolean
}>
}

export interface OrderCancellation {
readonly reason?: string | null | undefined
}

export interface OrderPayment {
/** The next instalment, or all that is left, which is the default. */
readonly instalments?: "next" | "all" | null | undefined
}

export interface PurchaseOrderSummary {
readonly id: string
readonly object: "order"
/** The company that buys. */
readonly company_id: string
readonly status: "pending" | "paid" | "fulfilled" | "cancelled"
readonly payment_status: "unpaid" | "partially_paid" | "paid" | "refunded"
readonly fulfilment_status: "unfulfilled" | "partially_fulfilled" | "fulfilled" | "cancelled"
/** USD for the whole order; to a seller for its own items. */
readonly amount: number
/** USD of that which are not paid yet. */
readonly amount_due: number
/** Whether an instalment is overdue. */
readonly overdue: boolean
readonly currency: "USD"
readonly payment_terms: {
readonly type: "prepaid" | "net_30" | "net_60" | "installments"
readonly installments: number | null
/** The parts sum to the amount. */
readonly schedule: ReadonlyArray<{
readonly number: number
/** USD. */
readonly amount: number
readonly due_at: string
readonly paid: boolean
/** Its due date, once that was found to have passed and as long as it is not paid; else null. */
readonly overdue_since: string | null
}>
}
/** Sub-totals; to a seller its own alone. */
readonly sellers: ReadonlyArray<{
readonly company_id: string
/** USD. */
readonly subtotal: number
/** USD that it was paid of that, refunded or not. */
readonly paid: number
readonly fulfilled_at: string | null
}>
/** The number of the items. */
readonly item_count: number
/** What the buyer keeps with it by keys of its own. */
readonly metadata: Readonly<Record<string, string>>
readonly created_at: string
readonly updated_at: string
}

export interface NewPurchaseOrder {
readonly company_id: string
readonly items: ReadonlyArray<{
readonly product_id: string
readonly quantity: number
}>
readonly payment_terms: {
/** prepaid is paid before it is fulfilled; the others need a verified KYC record and free credit limit. */
readonly type: "prepaid" | "net_30" | "net_60" | "installments"
/** 2 to 12 monthly parts: for the type installments, where it is required. Another type takes none; 0 and 1 say so too. */
readonly installments?: number | null | undefined
}
/** Extension: what is to be kept with it, without keys of null and "": at most 20 keys of 1 to 40 characters without colons, with texts of at most 500 characters without control characters and without sealed:v1:. */
readonly metadata?: Readonly<Record<string, string | null>> | null | undefined
}

export interface PriceList {
readonly id: string
/** The seller. */
readonly company_id: string
readonly customer_company_id: string
readonly name: string
readonly prices: ReadonlyArray<{
readonly product_id: string
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly price: number
}>
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly created_at: string
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly updated_at: string
}

export interface PriceListChange {
readonly name?: string | null | undefined
/** All of them: what is not here is gone. */
readonly prices?: ReadonlyArray<{
readonly product_id: string
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly price: number
}> | null | undefined
}

export interface NewPriceList {
readonly customer_company_id: string
readonly name: string
readonly prices: ReadonlyArray<{
readonly product_id: string
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly price: number
}>
}

export interface CatalogEntry {
readonly id: string
/** Extension: the seller. */
readonly company_id: string
readonly name: string
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly price: number
readonly description: string
/** a whole number as text from 0 to 1000000000 */
readonly quantity: string
/** Extension: whether any is for sale. */
readonly available: boolean
/** a whole number as text from 0 to 1000000000 */
readonly reserved: string
readonly insurable: boolean
readonly bidable: boolean
readonly iscontract: boolean
readonly type: "Commodity" | "Consumer Product"
/** Extension: what was kept with it by keys of one's own. */
readonly metadata: Readonly<Record<string, string>>
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly created_at: string
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly updated_at: string
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly list_price: number
/** The seller's price list that the price is of. */
readonly price_list_id: string | null
}

export interface Product {
readonly id: string
/** Extension: the seller. */
readonly company_id: string
readonly name: string
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly price: number
readonly description: string
/** a whole number as text from 0 to 1000000000 */
readonly quantity: string
/** Extension: whether any is for sale. */
readonly available: boolean
/** a whole number as text from 0 to 1000000000 */
readonly reserved: string
readonly insurable: boolean
readonly bidable: boolean
readonly iscontract: boolean
readonly type: "Commodity" | "Consumer Product"
/** Extension: what was kept with it by keys of one's own. */
readonly metadata: Readonly<Record<string, string>>
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly created_at: string
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly updated_at: string
}

export interface ProductChange {
readonly name?: string | null | undefined
readonly price?: number | null | undefined
readonly description?: string | null | undefined
/** How many are to be for sale from now on. */
readonly quantity?: string | null | undefined
readonly insurable?: boolean | null | undefined
readonly bidable?: boolean | null | undefined
readonly iscontract?: boolean | null | undefined
readonly type?: "Commodity" | "Consumer Product" | null | undefined
/** Extension: keys to be set; those that are not named stay, and null and "" remove one. In all at most 20 keys of 1 to 40 characters without colons, with texts of at most 500 characters without control characters and without sealed:v1:. */
readonly metadata?: Readonly<Record<string, string | null>> | null
}

export interface NewProduct {
readonly name: string
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly price: number
readonly description: string
/** a whole number as text from 0 to 1000000000 */
readonly quantity: string
/** By default false. */
readonly insurable?: boolean | null | undefined
/** By default false. */
readonly bidable?: boolean | null | undefined
/** Opens to forwards and futures. By default false. */
readonly iscontract?: boolean | null | undefined
/** By default Consumer Product. */
readonly type?: "Commodity" | "Consumer Product" | null | undefined
/** Extension: what is to be kept with it, without keys of null and "": at most 20 keys of 1 to 40 characters without colons, with texts of at most 500 characters without control characters and without sealed:v1:. */
readonly metadata?: Readonly<Record<string, string | null>> | null | undefined
}

export interface BotDecision {
readonly decision_id: string
readonly order_id: string
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly at: string
readonly dry_run: boolean
readonly should_commit: boolean
readonly decision_code: "commit" | "window_closed" | "breaker_open" | "not_capable" | "price_missing" | "collateral_missing" | "loss_limit" | "collateral_cap" | "below_entry" | "roi_too_low"
readonly decision_reason: string
readonly credits_charged: number
/** What it was decided on, as it was recorded: amounts are decimal strings of 10⁻⁶. */
readonly input: Readonly<Record<string, unknown>>
/** What was decided, as it was recorded. */
readonly decision: Readonly<Record<string, unknown>>
}

export interface Evaluation {
readonly should_commit: boolean
/** A code and a sentence, such as `commit: …`. */
readonly decision_reason: string
/** A decimal number; negative for a loss. */
readonly expected_profit: number
/** A decimal number; negative for a loss. */
readonly roi_percent: number
readonly status: "decision_made"
/** Extension. */
readonly decision_id: string
/** Extension: the code alone. */
readonly decision_code: "commit" | "window_closed" | "breaker_open" | "not_capable" | "price_missing" | "collateral_missing" | "loss_limit" | "collateral_cap" | "below_entry" | "roi_too_low"
/** Extension: what the bot holds it for worth. */
readonly fair_price: number | null
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly proposed_entry_price: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly slippage_tolerance: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly expected_exit_price: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly quantity: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly collateral: number
/** Extension: such as ARENA_007 while too few machine traders take part for one to win. */
readonly warnings: ReadonlyArray<string>
}

export interface EvaluationRequest {
readonly order_id: string
}

export interface CreditBalance {
/** The plan's credits that are left of this month. */
readonly free_balance: number
/** Bought ones, which do not lapse. */
readonly paid_balance: number
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly period_end: string
readonly currency: "CREDITS"
}

export interface CreditMovement {
/** Its place among all events. */
readonly seq: number
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly at: string
/** A calendar month in UTC, such as 2026-11. */
readonly period: string
readonly kind: "grant" | "lapse" | "topup" | "charge"
/** By what the free credits changed. */
readonly free: number
/** By what the paid ones changed. */
readonly paid: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly usd: number
/** Whether a bot bought them by itself. */
readonly automatic: boolean
readonly bot_id: string | null
/** The decision that was paid for. */
readonly charge_id: string | null
}

export interface BotCreditStats {
readonly bot_id: string
/** A calendar month in UTC, such as 2026-11. */
readonly period: string
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly period_end: string
/** What it may use a month. */
readonly credit_budget: number
/** What it may still use this month. */
readonly budget_remaining: number
readonly auto_topup_enabled: boolean
/** What it bought automatically this month. */
readonly auto_topped_up: number
readonly this_period: CreditUse
readonly all_time: CreditUse
readonly last_evaluation_at: string | null
}

export interface CreditUse {
/** Credits. */
readonly credits_used: number
/** Credits. */
readonly free_credits_used: number
/** Credits. */
readonly paid_credits_used: number
readonly evaluations: number
/** Bought for the bot, by hand or automatically. */
readonly credits_purchased: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly usd_spent: number
}

export interface CreditsToppedUp {
readonly success: true
readonly message: string
readonly top_up_id: string
readonly bot_id: string
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly dollar_amount: number
/** Credits. */
readonly credits_purchased: number
readonly balance: CreditBalance
}

export interface CreditTopUp {
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly dollar_amount: number
}

export interface KillSwitch {
readonly success: true
/** Whether every commitment of the company is refused. */
readonly halted: boolean
/** When it was pulled last. */
readonly halted_at: string | null
/** The user who pulled it; null for the platform. */
readonly halted_by: string | null
/** asked; deadline, where cancel-after was not asked again; disconnected, where a connection with cancel_on_disconnect ended; restarted, where the platform did while there were such connections. */
readonly cause: "asked" | "deadline" | "disconnected" | "restarted" | null
/** When cancel-after pulls it; null for never. */
readonly halts_at: string | null
/** Whether there are connections whose end pulls it. */
readonly cancel_on_disconnect: boolean
}

export interface BotGuardStanding {
readonly success: true
/** When all bots are paused; null for never. */
readonly pauses_at: string | null
}

export interface BotGuard {
readonly success: true
readonly timeout_seconds: number
/** When all bots are paused; null for never. */
readonly pauses_at: string | null
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly halted_at?: string
}

export interface CancelAfter {
readonly timeout_seconds: number
readonly scope?: "bots" | "company" | null | undefined
}

export interface PauseAll {
readonly scope?: "bots" | "company" | null | undefined
}

export interface MyCommitment {
readonly commitment_id: string
readonly order_id: string
readonly asset_type: "commodity" | "fx" | "options" | "gpu"
readonly trader_type: "human" | "machine"
/** Extension. */
readonly bot_id: string | null
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly proposed_entry_price: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly expected_exit_price: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly quantity: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly collateral: number
readonly status: "active" | "won" | "lost" | "settled"
/** A decimal number; negative for a loss. */
readonly profit: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly yield_earned: number
/** Extension. */
readonly loss_reason: string | null
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly created_at: string
}

export interface CollateralMoved {
readonly success: true
readonly message: string
readonly bot_id: string
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly amount: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly collateral_amount: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly collateral_locked: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly collateral_available: number
}

export interface CollateralAmount {
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly amount: number
}

export interface Bot {
readonly bot_id: string
/** The company. */
readonly owner_id: string
/** Whose account funds it and gets its collateral back. */
readonly user_id: string
readonly wallet_address: string
readonly name: string
readonly capabilities: ReadonlyArray<"commodity" | "fx" | "options" | "gpu">
readonly strategy: Strategy
readonly status: "inactive" | "active" | "paused" | "suspended" | "terminated"
readonly suspension_reason: "credits_gone" | "loss_limit" | "breaker_open" | "plan_downgraded" | "module_failed" | null
/** Extension: the file of the module that decides for it; null where its strategy does. */
readonly strategy_module: string | null
/** Extension: what its module failed with, while it is suspended by module_failed. */
readonly strategy_error: string | null
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly collateral_amount: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly collateral_locked: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly collateral_available: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly net_funded: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly loss_limit: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly loss_remaining: number
readonly credit_budget: number
readonly auto_topup_enabled: boolean
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly created_at: string
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly status_changed_at: string
}

export interface Strategy {
readonly riskPreset: "conservative" | "balanced" | "aggressive" | "custom"
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly riskLevel: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly maxLossPct: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly minRoiPct: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly maxCollateralPerTrade: number
/** Extension: the numbers that are not those of the preset that riskPreset names. */
readonly overrides: ReadonlyArray<"riskLevel" | "maxLossPct" | "minRoiPct">
}

export interface BotChange {
readonly name?: string | null | undefined
readonly capabilities?: ReadonlyArray<"commodity" | "fx" | "options" | "gpu"> | null | undefined
readonly strategy?: StrategyRequest | null | undefined
readonly credit_budget?: number | null | undefined
readonly auto_topup_enabled?: boolean | null | undefined
/** Extension: null has the strategy decide again. */
readonly strategy_module?: string | null
}

export interface StrategyRequest {
readonly riskPreset: "conservative" | "balanced" | "aggressive" | "custom"
/** How far the bot follows its fair price, 0 to 1. Left out, the preset's; custom needs it. */
readonly riskLevel?: number | null | undefined
/** The part of the net funding that the bot may lose, in percent. Left out, the preset's; custom needs it. */
readonly maxLossPct?: number | null | undefined
/** The least return on the collateral, in percent. Left out, the preset's; custom needs it. */
readonly minRoiPct?: number | null | undefined
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly maxCollateralPerTrade: number
}

export interface BotDetail {
readonly bot_id: string
/** The company. */
readonly owner_id: string
/** Whose account funds it and gets its collateral back. */
readonly user_id: string
readonly wallet_address: string
readonly name: string
readonly capabilities: ReadonlyArray<"commodity" | "fx" | "options" | "gpu">
readonly strategy: Strategy
readonly status: "inactive" | "active" | "paused" | "suspended" | "terminated"
readonly suspension_reason: "credits_gone" | "loss_limit" | "breaker_open" | "plan_downgraded" | "module_failed" | null
/** Extension: the file of the module that decides for it; null where its strategy does. */
readonly strategy_module: string | null
/** Extension: what its module failed with, while it is suspended by module_failed. */
readonly strategy_error: string | null
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly collateral_amount: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly collateral_locked: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly collateral_available: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly net_funded: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly loss_limit: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly loss_remaining: number
readonly credit_budget: number
readonly auto_topup_enabled: boolean
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly created_at: string
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly status_changed_at: string
/** A decimal number; negative for a loss. */
readonly profit_loss: number
/** Won of decided commitments, a fraction; 0 before the first. */
readonly win_rate: number
/** Credits that its evaluations took. */
readonly credits_used: number
readonly total_commitments: number
readonly commitments_won: number
}

export interface MachineTraderRegistered {
readonly success: true
readonly message: string
readonly trader_id: string
readonly status: string
}

export interface BotCreation {
readonly name: string
readonly capabilities: ReadonlyArray<"commodity" | "fx" | "options" | "gpu">
readonly strategy: StrategyRequest
/** USD that move from the caller's account to the bot, by default 0. */
readonly collateral_amount?: number | null | undefined
/** Credits a month. Left out, what the plan gives a month. */
readonly credit_budget?: number | null | undefined
readonly auto_topup_enabled?: boolean | null | undefined
/** Extension: the module that decides in place of the strategy, a file in the folder that a sandbox's operator names by STRATEGY_MODULES. */
readonly strategy_module?: string | null | undefined
}

export interface MachineTraderRegistration {
readonly agent_id: string
readonly agent_uri: string
readonly wallet_address: string
readonly capabilities: ReadonlyArray<"commodity" | "fx" | "options" | "gpu">
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly collateral_allocated: number
readonly specs: {
readonly model: string
readonly risk_tolerance: string
}
}

export interface Breakers {
readonly breakers: ReadonlyArray<Breaker>
/** What they did, newest first, the last 100 times. */
readonly transitions: ReadonlyArray<BreakerTransition>
}

export interface BreakerTransition {
/** global, or an asset type. */
readonly scope: "global" | "commodity" | "fx" | "options" | "gpu"
/** What it became. */
readonly status: "closed" | "open" | "half_open"
/** What tripped it; clean; or operator_reset. */
readonly reason: string
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly at: string
}

export interface Breaker {
/** global, or an asset type. */
readonly scope: "global" | "commodity" | "fx" | "options" | "gpu"
/** closed: trading. open: commitments are refused. half_open: trading on trial. */
readonly status: "closed" | "open" | "half_open"
/** Null for one that has never changed. */
readonly since: string | null
/** Only an administrator closes it. */
readonly latched: boolean
}

export interface StreamTicket {
readonly success: true
readonly ticket: string
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly expires_at: string
}

export interface Candle {
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly at: string
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly open: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly high: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly low: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly close: number
/** How many recorded prices it is made of. */
readonly prices: number
}

export interface HistoryDay {
/** a day such as 2026-01-31, from 1970 on */
readonly day: string
/** Auctions whose settlement_date lies in the day, void ones included. */
readonly orders: number
readonly commitments: number
/** As the orders of the files have it. */
readonly bids: "open" | "sealed"
readonly files: ReadonlyArray<HistoryFile>
readonly journal: {
/** The last entry of the journal when the day was sealed. */
readonly sequence: number
/** The hash of the journal's row that ends there. */
readonly hash: string
}
/** The hash of the day that was sealed before; zeros before the first. */
readonly previous: string
/** SHA-256 of previous and of everything above. */
readonly hash: string
}

export interface HistoryFile {
readonly name: "auctions.jsonl" | "auctions.csv" | "medians.jsonl" | "medians.csv" | "yields.jsonl" | "yields.csv"
readonly bytes: number
/** SHA-256, 64 hexadecimal digits. */
readonly sha256: string
}

export interface Leader {
readonly rank: number
/** The company. */
readonly owner_id: string
readonly trader_address: string
readonly trader_type: "human" | "machine"
/** Decided ones: void orders decide nothing. */
readonly commitments: number
readonly won: number
/** Won of decided commitments, a fraction. */
readonly win_rate: number
/** A decimal number; negative for a loss. */
readonly profit: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly yield_earned: number
}

export interface PricePoint {
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly at: string
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly price: number
/** Whether it was inside its band: only these choose and settle. */
readonly safe: boolean
}

export interface CommitmentRequest {
readonly order_id: string
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly proposed_entry_price: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly expected_exit_price: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly quantity: number
readonly swap_executor?: string | null | undefined
readonly slippage_tolerance?: number | null | undefined
/** Extension: commits as one's machine trader. */
readonly bot_id?: string | null | undefined
}

/** opened_at, reference_price and what follows it are an extension: what anyone needs to recompute the choice and its price. */
export interface OrderDetail {
readonly order_id: string
readonly asset_type: "commodity" | "fx" | "options" | "gpu"
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly quantity: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly entry_price: number
/** an ISO 8601 time without zone, such as 2026-01-31T12:00:00.000 */
readonly settlement_date: string
/** an ISO 8601 time without zone, such as 2026-01-31T12:00:00.000 */
readonly expiry_date: string
readonly status: "open" | "competing" | "settling" | "settled"
/** The wallet address of who sells. */
readonly market_maker: string
readonly onchain_order_id: string
readonly asset_details: Readonly<Record<string, string | number>>
/** an ISO 8601 time without zone, such as 2026-01-31T12:00:00.000 */
readonly opened_at: string
readonly commitments: ReadonlyArray<OrderCommitment>
/** Extension: whether the prices of others' bids are shown before the choice. */
readonly bids: "open" | "sealed"
/** Extension: how far below the reference price the market maker sells, as a fraction. Null where bids do not float. */
readonly maker_discount: number | null
readonly reference_price: number | null
/** Extension: the least that the market maker sells for, reference_price × (1 − maker_discount). */
readonly reserve_price: number | null
readonly clearing_price: number | null
readonly settlement_price: number | null
readonly winner_commitment_id: string | null
readonly void_reason: string | null
readonly tie_key_hash: string
readonly tie_key: string | null
readonly fairness: {
readonly rule: string
readonly machines: string
readonly total: string
/** The eligible owners that counted as machines. */
readonly machine_owners: ReadonlyArray<string>
} | null
}

export interface OrderCommitment {
readonly commitment_id: string
readonly trader_address: string
readonly trader_type: "human" | "machine"
/** Null until the choice where bids are sealed. */
readonly proposed_entry_price: number | null
/** Null until the choice where bids are sealed. */
readonly expected_exit_price: number | null
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly quantity: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly collateral: number
readonly status: "active" | "won" | "lost" | "settled"
/** Extension: who competes; after the choice. */
readonly owner_id: string | null
/** Extension: as submitted; after the choice. */
readonly slippage_tolerance: number | null
/** Extension: after the choice. */
readonly accepted_at: string | null
/** Extension: the place in the ranking, from 1. */
readonly rank: number | null
/** Extension: (offered − reserve_price) × quantity in 10⁻¹² USD. */
readonly score: string | null
/** Extension: outbid, below_reference, ARENA_007 or void. */
readonly loss_reason: string | null
}

export interface ListedOrder {
readonly order_id: string
readonly asset_type: "commodity" | "fx" | "options" | "gpu"
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly quantity: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly entry_price: number
/** an ISO 8601 time without zone, such as 2026-01-31T12:00:00.000 */
readonly settlement_date: string
/** an ISO 8601 time without zone, such as 2026-01-31T12:00:00.000 */
readonly expiry_date: string
readonly status: "open" | "competing" | "settling" | "settled"
/** The wallet address of who sells. */
readonly market_maker: string
readonly onchain_order_id: string
/** The order's details as JSON text. */
readonly asset_details: string
}

export interface KycRecord {
readonly id: string
readonly fullnames: string
readonly address: string
readonly phoneNumber: string
readonly country: string
readonly email: string
readonly identityId: string
/** Extension: whose it is. */
readonly user_id: string
/** Extension: what an administrator found. */
readonly status: "pending" | "verified" | "rejected"
/** Extension: why it was rejected. */
readonly reason: string | null
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly submitted_at: string
/** Extension: when an administrator decided. */
readonly reviewed_at: string | null
}

export interface KycRejection {
readonly reason: string
}

export interface KycSubmitted {
readonly id: string
readonly fullnames: string
readonly address: string
readonly phoneNumber: string
readonly country: string
readonly email: string
readonly identityId: string
}

export interface KycSubmission {
readonly fullnames: string
readonly address: string
readonly phoneNumber: string
readonly country: string
readonly email: string
readonly identityId: string
/** The id of the new record; by default one is made. */
readonly id?: string | null | undefined
}

export interface LoggedRequestDetail {
/** In this log; it grows with the time of the answer. */
readonly id: string
/** X-Request-Id of the answer. Callers may send one of their own. */
readonly request_id: string
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly at: string
/** The caller's; null where nobody could tell who sent it. */
readonly company_id: string | null
readonly user_id: string | null
/** The API client, or the platform's own pages. */
readonly client_id: string | null
/** The address that it came from. */
readonly address: string
/** Method and path template, such as POST /v1/transfers; unmatched where there is no such operation. */
readonly operation: string
/** The path as it was written, at most 300 characters. */
readonly path: string
readonly status: number
/** The code of a refusal. */
readonly code: string | null
/** From the arrival to the answer. */
readonly duration_ms: number
/** The length of the body, where it was said. */
readonly request_bytes: number | null
/** The length of the answer's body, before it is compressed. */
readonly response_bytes: number | null
/** The trace it belongs to (W3C Trace Context). */
readonly trace_id: string | null
/** The events that it wrote, by their place in all events, the first 16. */
readonly event_seqs: ReadonlyArray<number>
/** Of a refused request, without secrets. */
readonly query: string | null
/** The body of a refused request, as JSON without secrets: what is in a field that the operation does not know is removed as well. Null where it was refused before it was read, is longer than 8,192 characters or is no JSON. */
readonly body: string | null
/** Where the time went of a request that wrote something. All but the last add up to duration_ms. */
readonly phases: RequestPhases | null
}

export interface RequestPhases {
/** Reading and checking the request, before it asked for its commit. */
readonly checks_ms: number
/** Waiting for whoever decides, the decision, and the group that it was written with. */
readonly decision_ms: number
/** From when that was sent to the journal to when it was durable. */
readonly append_ms: number
/** From there to the answer. */
readonly answer_ms: number
/** From when it was sent to the journal to when the tables had it, which no request waits for. */
readonly projection_ms: number | null
}

export interface LoggedRequest {
/** In this log; it grows with the time of the answer. */
readonly id: string
/** X-Request-Id of the answer. Callers may send one of their own. */
readonly request_id: string
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly at: string
/** The caller's; null where nobody could tell who sent it. */
readonly company_id: string | null
readonly user_id: string | null
/** The API client, or the platform's own pages. */
readonly client_id: string | null
/** The address that it came from. */
readonly address: string
/** Method and path template, such as POST /v1/transfers; unmatched where there is no such operation. */
readonly operation: string
/** The path as it was written, at most 300 characters. */
readonly path: string
readonly status: number
/** The code of a refusal. */
readonly code: string | null
/** From the arrival to the answer. */
readonly duration_ms: number
/** The length of the body, where it was said. */
readonly request_bytes: number | null
/** The length of the answer's body, before it is compressed. */
readonly response_bytes: number | null
/** The trace it belongs to (W3C Trace Context). */
readonly trace_id: string | null
/** The events that it wrote, by their place in all events, the first 16. */
readonly event_seqs: ReadonlyArray<number>
}

export interface Usage {
/** Null: all, and requests without a caller. */
readonly company_id: string | null
/** a day such as 2026-01-31, from 1970 on */
readonly from: string
/** a day such as 2026-01-31, from 1970 on */
readonly to: string
readonly interval: "day"
readonly totals: UsageTotals
/** Every day from the first to the last. */
readonly days: ReadonlyArray<UsageDay>
}

export interface UsageDay {
/** a day such as 2026-01-31, from 1970 on */
readonly date: string
readonly requests: number
/** Of these, answered with 400 to 499. */
readonly client_errors: number
/** Of these, answered with 500 or above. */
readonly server_errors: number
/** Percentiles by nearest rank of the time from a request's arrival to its answer, in milliseconds, off by 3.2 % at most. Null where there were no requests. */
readonly latency_ms: Latency | null
readonly endpoints: ReadonlyArray<EndpointUsage>
readonly activities: ReadonlyArray<Activity>
readonly credits: UsedCredits
}

export interface UsedCredits {
/** What plans gave. */
readonly granted: number
/** What was left of it at a month's end. */
readonly lapsed: number
readonly purchased: number
/** What evaluations of bots took. */
readonly used: number
}

export interface Activity {
/** Such as orders_placed. */
readonly activity: string
readonly count: number
/** The sum of its amounts, those of them that are in USD. */
readonly volume_usd: string
}

export interface EndpointUsage {
/** Method and path template, such as GET /v1/funds/{id}; unmatched where there is no such endpoint; overflow, for administrators, where more were asked than are counted apart. */
readonly endpoint: string
readonly requests: number
/** Of these, answered with 400 to 499. */
readonly client_errors: number
/** Of these, answered with 500 or above. */
readonly server_errors: number
/** Percentiles by nearest rank of the time from a request's arrival to its answer, in milliseconds, off by 3.2 % at most. Null where there were no requests. */
readonly latency_ms: Latency | null
}

export interface Latency {
readonly p50: number
readonly p95: number
readonly p99: number
}

export interface UsageTotals {
readonly requests: number
/** Of these, answered with 400 to 499. */
readonly client_errors: number
/** Of these, answered with 500 or above. */
readonly server_errors: number
/** Percentiles by nearest rank of the time from a request's arrival to its answer, in milliseconds, off by 3.2 % at most. Null where there were no requests. */
readonly latency_ms: Latency | null
readonly endpoints: ReadonlyArray<EndpointUsage>
readonly activities: ReadonlyArray<Activity>
readonly credits: UsedCredits
}

export interface SandboxClock {
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly now: string
/** How far that is ahead of the machine's clock. */
readonly ahead_seconds: number
/** advancing: it is on its way to `until`, and does what is due on the way. */
readonly status: "ready" | "advancing"
readonly until: string | null
}

export interface Nodes {
/** By address; none where one server works alone. */
readonly nodes: ReadonlyArray<Node>
/** The address of the node that took the last term. */
readonly writer: string | null
/** Since when the writer takes requests; null while it does not. */
readonly serving_since: string | null
/** The number of the last writer. */
readonly term: number
/** Events of the journal that the tables do not have yet. */
readonly unprojected: number
}

export interface Node {
/** By which the other nodes reach it. */
readonly address: string
/** Since when it is connected to the database; null where it is gone. */
readonly connected_since: string | null
/** Whether it took the last term. */
readonly writes: boolean
/** Events that it heard of and does not have; null where it writes, or did not say. */
readonly behind: number | null
}

export interface AuditEntry {
readonly id: number
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly at: string
/** Who. */
readonly actor_id: string
/** What, such as user.suspend. */
readonly act: string
/** Whom or which. */
readonly subject_id: string
readonly before: Readonly<Record<string, string | boolean | null>> | null
readonly after: Readonly<Record<string, string | boolean | null>> | null
readonly request_id: string | null
}

export interface MadeClient {
readonly id: string
readonly client_id: string
readonly name: string
readonly scopes: ReadonlyArray<"orders:read" | "orders:write" | "payments:read" | "payments:write" | "subscriptions:read" | "subscriptions:write" | "credit:read" | "credit:write" | "kyc:read" | "kyc:write" | "users:read" | "users:write">
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly created_at: string
/** Shown this once: only its hash is kept. */
readonly client_secret: string
}

export interface DeletedClient {
readonly id: string
readonly deleted: true
}

export interface Client {
readonly id: string
readonly client_id: string
readonly name: string
readonly scopes: ReadonlyArray<"orders:read" | "orders:write" | "payments:read" | "payments:write" | "subscriptions:read" | "subscriptions:write" | "credit:read" | "credit:write" | "kyc:read" | "kyc:write" | "users:read" | "users:write">
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly created_at: string
}

export interface NewClient {
readonly name: string
/** What its tokens may do at most. With none it may use the arena. */
readonly scopes: ReadonlyArray<"orders:read" | "orders:write" | "payments:read" | "payments:write" | "subscriptions:read" | "subscriptions:write" | "credit:read" | "credit:write" | "kyc:read" | "kyc:write" | "users:read" | "users:write">
}

export interface Company {
readonly id: string
readonly name: string
readonly plan: "standard" | "pro" | "enterprise"
readonly status: "pending" | "verified"
/** The company that made it and manages it. */
readonly managed_by: string | null
readonly tax_id: string | null
readonly email: string | null
readonly phone: string | null
/** Where it is registered. */
readonly country: string | null
readonly address: PostalAddress | null
readonly created_at: string
readonly verified_at: string | null
/** Whether it may have the bots that its plan gives: false where an administrator withdrew them. */
readonly machine_trader: boolean
}

export interface PostalAddress {
readonly street?: string
readonly city?: string
readonly state?: string
readonly postal_code?: string
readonly country?: string
}

export interface EntitlementsChange {
readonly machine_trader: boolean
}

export interface PlanChange {
readonly plan: "standard" | "pro" | "enterprise"
}

export interface CompanyChange {
readonly name?: string | null | undefined
readonly tax_id?: string | null
readonly email?: string | null
readonly phone?: string | null
readonly country?: string | null
readonly address?: NewPostalAddress | null
}

export interface NewPostalAddress {
readonly street?: string | null | undefined
readonly city?: string | null | undefined
readonly state?: string | null | undefined
readonly postal_code?: string | null | undefined
readonly country?: string | null | undefined
}

export interface NewCompany {
readonly name: string
readonly tax_id?: string | null | undefined
readonly email?: string | null | undefined
readonly phone?: string | null | undefined
readonly country?: string | null | undefined
readonly address?: NewPostalAddress | null | undefined
}

export interface Erasure {
/** The user's id, which stays. */
readonly id: string
readonly company_id: string
/** Whether the user was the company's last person, so that its contacts were forgotten too. */
readonly company_erased: boolean
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly erased_at: string
}

export interface Person {
readonly id: string
readonly email: string | null
readonly email_verified: boolean
readonly cellphone: string | null
readonly firstname: string | null
readonly lastname: string | null
readonly contact_name: string | null
readonly country: string | null
readonly address: string | null
readonly accountname: string | null
readonly language: string | null
readonly profileurl: string | null
readonly appsprofile: string | null
readonly company_id: string
readonly company_name: string
readonly role: "admin" | "buyer" | "seller" | "service"
readonly status: "pending_kyc" | "active" | "suspended" | "rejected"
readonly wallet_address: string | null
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly created_at: string
}

export interface RoleChange {
readonly role: "admin" | "buyer" | "seller"
}

export interface NewUser {
readonly email: string
readonly password: string
readonly cellphone: string
readonly firstname: string
readonly lastname: string
readonly country: string
readonly address: string
readonly accountname?: string | null | undefined
readonly language?: string | null | undefined
readonly profileurl?: string | null | undefined
readonly appsprofile?: string | null | undefined
readonly accesstoken?: string | null | undefined
}

export type EmailVerified = unknown

export interface EmailVerification {
readonly token: string
}

export type PasswordWasReset = unknown

export interface PasswordReset {
readonly token: string
readonly password: string
}

export type ResetRequested = unknown

export interface ForgottenPassword {
readonly email: string
}

export type LoggedOutEverywhere = unknown

export type VerificationSent = unknown

export interface LoginResponse {
readonly access_token: string
readonly token_type: "Bearer"
/** Seconds; 1800. */
readonly expires_in: number
/** Good once, within 30 days of the sign-in: its use answers the next one, which replaces it. An old one that is used again ends the sign-in. */
readonly refresh_token: string
readonly user: {
readonly id: string
readonly email: string
readonly company_name: string
readonly role: "admin" | "buyer" | "seller" | "service"
}
}

export interface PasswordChange {
readonly current_password: string
readonly new_password: string
}

export interface User {
readonly id: string
readonly email: string | null
readonly email_verified: boolean
readonly company_name: string
readonly company_id: string
readonly tax_id: string | null
readonly role: "admin" | "buyer" | "seller" | "service"
readonly status: "pending_kyc" | "active" | "suspended" | "rejected"
readonly phone: string | null
readonly address: PostalAddress | null
readonly contact_name: string | null
readonly wallet_address: string | null
readonly ecommerce_company_id: string | null
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly created_at: string
}

export interface UserUpdate {
readonly phone?: string | null | undefined
readonly address?: PostalAddressChange | null | undefined
readonly wallet_address?: string | null | undefined
}

export interface PostalAddressChange {
readonly street?: string | null
readonly city?: string | null
readonly state?: string | null
readonly postal_code?: string | null
readonly country?: string | null
}

export interface SandboxPerson_1 {
readonly email: string
readonly name?: string | null | undefined
readonly state: string
}

export interface TokenResponse {
readonly access_token: string
readonly token_type: "Bearer"
/** Seconds; 1800. */
readonly expires_in: number
/** Good once, within 30 days of the sign-in: its use answers the next one, which replaces it. An old one that is used again ends the sign-in. */
readonly refresh_token: string
}

export interface ShopCallback {
readonly shop: string
readonly code: string
readonly state?: string | null | undefined
readonly timestamp?: string | null | undefined
readonly host?: string | null | undefined
readonly hmac?: string | null | undefined
}

export interface SandboxPerson {
readonly email: string
readonly name?: string | null | undefined
readonly state: string
}

export interface ProviderCallback {
readonly code: string
readonly state?: string | null | undefined
readonly iss?: string | null | undefined
}

export interface AuthorizationServerMetadata {
readonly issuer: string
readonly token_endpoint: string
readonly revocation_endpoint: string
readonly jwks_uri: string
readonly scopes_supported: ReadonlyArray<"orders:read" | "orders:write" | "payments:read" | "payments:write" | "subscriptions:read" | "subscriptions:write" | "credit:read" | "credit:write" | "kyc:read" | "kyc:write" | "users:read" | "users:write">
readonly response_types_supported: ReadonlyArray<string>
readonly grant_types_supported: ReadonlyArray<string>
readonly token_endpoint_auth_methods_supported: ReadonlyArray<string>
readonly revocation_endpoint_auth_methods_supported: ReadonlyArray<string>
readonly service_documentation: string
}

export interface Jwks {
readonly keys: ReadonlyArray<Jwk>
}

export interface Jwk {
readonly kty: "OKP"
readonly crv: "Ed25519"
readonly x: string
readonly kid: string
readonly alg: "EdDSA"
readonly use: "sig"
}

export interface Registered {
readonly id: string
readonly email: string
readonly company_name: string
readonly status: "pending_kyc" | "active" | "suspended" | "rejected"
readonly ecommerce_company_id: string | null
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly created_at: string
}

export interface Account {
readonly email: string
readonly accountName: string
readonly firstname: string
readonly lastname: string
readonly password: string
readonly country: string
readonly city: string
readonly address: string
}

export interface Login {
readonly email: string
readonly password: string
}

export type LoggedOut = unknown

export type Revoked = unknown

export interface Revocation_1 {
readonly refresh_token?: string | null | undefined
readonly token?: string | null | undefined
readonly token_type_hint?: string | null | undefined
}

export interface Revocation {
readonly refresh_token?: string | null | undefined
readonly token?: string | null | undefined
readonly token_type_hint?: string | null | undefined
}

export interface AuthorizeRequest_1 {
readonly client_id: string
readonly client_secret: string
readonly username: string
readonly password: string
}

export interface AuthorizeRequest {
readonly client_id: string
readonly client_secret: string
readonly username: string
readonly password: string
}

export interface SessionToken {
readonly access_token: string
readonly token_type: "Bearer"
/** Seconds; 1800. */
readonly expires_in: number
}

export interface TokenRequest_1 {
readonly grant_type: string
readonly client_id?: string | null | undefined
readonly client_secret?: string | null | undefined
readonly refresh_token?: string | null | undefined
readonly scope?: string | null | undefined
}

export interface TokenRequest {
readonly grant_type: string
readonly client_id?: string | null | undefined
readonly client_secret?: string | null | undefined
readonly refresh_token?: string | null | undefined
readonly scope?: string | null | undefined
}

export interface Registration {
readonly email: string
readonly password: string
readonly company_name: string
readonly contact_name?: string | null | undefined
readonly phone?: string | null | undefined
readonly tax_id?: string | null | undefined
readonly address?: NewPostalAddress | null | undefined
}

export interface Info {
readonly name: string
readonly version: string
readonly release: string
readonly mode: "sandbox" | "production"
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly time: string
readonly documentation: string
}

export interface Health {
readonly status: "ok"
}

export interface Profile {
readonly email: string
readonly cellphone: string
readonly country: string
readonly address: string
readonly firstname: string
readonly lastname: string
readonly city: string
readonly id?: string
readonly accountName?: string
readonly accesstoken?: string
readonly profileurl?: string
readonly language?: string
readonly nickname?: string
readonly dob?: string
readonly occupation?: string
readonly iscorporate?: string
}

export interface Wallet {
readonly name: string
readonly symbol: string
readonly userId: string
readonly balance: number
}

export interface ResponseError {
/** What to do, in a sentence. */
readonly message: string
/** What a program decides by. */
readonly code: string
}

/** An order, as GET /v1/orders/{id} answers it. */
export interface WebhookDataPurchaseOrder {
readonly id: string
readonly object: "order"
/** The company that buys. */
readonly company_id: string
readonly status: "pending" | "paid" | "fulfilled" | "cancelled"
readonly payment_status: "unpaid" | "partially_paid" | "paid" | "refunded"
readonly fulfilment_status: "unfulfilled" | "partially_fulfilled" | "fulfilled" | "cancelled"
/** USD for the whole order; to a seller for its own items. */
readonly amount: number
/** USD of that which are not paid yet. */
readonly amount_due: number
/** Whether an instalment is overdue. */
readonly overdue: boolean
readonly currency: "USD"
readonly payment_terms: {
readonly type: "prepaid" | "net_30" | "net_60" | "installments"
readonly installments: number | null
/** The parts sum to the amount. */
readonly schedule: ReadonlyArray<{
readonly number: number
/** USD. */
readonly amount: number
readonly due_at: string
readonly paid: boolean
/** Its due date, once that was found to have passed and as long as it is not paid; else null. */
readonly overdue_since: string | null
}>
}
/** Sub-totals; to a seller its own alone. */
readonly sellers: ReadonlyArray<{
readonly company_id: string
/** USD. */
readonly subtotal: number
/** USD that it was paid of that, refunded or not. */
readonly paid: number
readonly fulfilled_at: string | null
}>
/** The number of the items. */
readonly item_count: number
/** What the buyer keeps with it by keys of its own. */
readonly metadata: Readonly<Record<string, string>>
readonly created_at: string
readonly updated_at: string
/** To a seller its own alone. */
readonly items: ReadonlyArray<{
readonly product_id: string
readonly seller_company_id: string
readonly quantity: number
/** USD. */
readonly unit_price: number
/** USD. */
readonly total: number
}>
/** To a seller its own parts alone. */
readonly payments: ReadonlyArray<{
readonly id: string
/** USD. */
readonly amount: number
/** The numbers of the instalments that it paid. */
readonly installments: ReadonlyArray<number>
readonly refunded: boolean
}>
}

export interface WebhookDataPaymentRefund {
readonly id: string
/** USD. */
readonly amount: number
readonly status: "pending" | "succeeded" | "failed"
/** `seller`: a seller gave it back. `unneeded`: the order was cancelled, or was paid otherwise. */
readonly reason: "seller" | "unneeded"
readonly seller_company_id: string | null
readonly failure: string | null
/** How often it was asked for: an `unneeded` one that is declined is tried again, once a day at last. */
readonly attempts: number
readonly created_at: string
}

/** A payment, as GET /v1/payments/{id} answers it. */
export interface WebhookDataPayment {
readonly id: string
readonly object: "payment"
readonly order_id: string
/** The user who pays. */
readonly payer: string
/** The company that pays. */
readonly company_id: string
readonly provider: "wallet" | "sandbox-card" | "stripe"
/** To the buyer the test card's name, or Stripe's id of the payment method; to a seller null. Never a card's number. */
readonly instrument: string | null
/** Null where the order was paid from the wallet at once. */
readonly extent: "next" | "all" | null
readonly capture: "automatic" | "manual"
/** `processing`: the provider's answer is awaited, and asked for again by itself. */
readonly status: "processing" | "authorized" | "captured" | "partially_refunded" | "refunded" | "failed" | "voided"
/** USD. */
readonly amount: number
readonly currency: "USD"
/** USD. */
readonly captured: number
/** USD that the order has of it. */
readonly applied: number
/** USD on the way back to the instrument. */
readonly refunding: number
/** USD that are back at the instrument. */
readonly refunded: number
/** Why it failed, such as `insufficient_funds`. */
readonly failure: string | null
readonly dispute: "open" | "won" | "lost" | null
readonly refunds: ReadonlyArray<WebhookDataPaymentRefund>
/** What the buyer keeps with it by keys of its own; to a seller nothing. */
readonly metadata: Readonly<Record<string, string>>
readonly created_at: string
readonly updated_at: string
}

/** A subscription, as GET /v1/subscriptions/{id} answers it. */
export interface WebhookDataSubscription {
readonly object: "subscription"
/** USD a period, the same as `price`. */
readonly amount: number
readonly id: string
/** The buyer. */
readonly company_id: string
/** Whose USD wallet pays. */
readonly user_id: string
readonly seller_company_id: string
readonly product_id: string
readonly quantity: number
/** USD for a piece, fixed when it was made. */
readonly unit_price: number
/** USD a period. */
readonly price: number
readonly currency: "USD"
readonly interval: "week" | "month" | "year"
readonly periods: number | null
readonly start: string
readonly status: "active" | "past_due" | "completed" | "cancelled"
readonly paid_periods: number
/** How often the period that is due could not be charged. */
readonly failures: number
/** When the next period is due, or a failed one is tried again. */
readonly next_at: string | null
/** When it ends, where it was cancelled for the end of a period. */
readonly cancel_at: string | null
readonly ended_at: string | null
readonly end_reason: "requested" | "period_end" | "payment_failed" | null
/** What the buyer keeps with it by keys of its own. */
readonly metadata: Readonly<Record<string, string>>
readonly created_at: string
}

export interface WebhookDataPostalAddress {
readonly street?: string
readonly city?: string
readonly state?: string
readonly postal_code?: string
readonly country?: string
}

/** A company, as GET /v1/companies/{id} answers it. */
export interface WebhookDataCompany {
readonly object: "company"
/** The same as `id`. */
readonly company_id: string
readonly id: string
readonly name: string
readonly plan: "standard" | "pro" | "enterprise"
readonly status: "pending" | "verified"
/** The company that made it and manages it. */
readonly managed_by: string | null
readonly tax_id: string | null
readonly email: string | null
readonly phone: string | null
/** Where it is registered. */
readonly country: string | null
readonly address: WebhookDataPostalAddress | null
readonly created_at: string
readonly verified_at: string | null
}

/** A user's credit profile. */
export interface WebhookDataCreditProfile {
/** The user's id, by which GET /v1/credit/profile/{profileId} answers. */
readonly id: string
readonly object: "credit_profile"
/** The user's company. */
readonly company_id: string
/** `declined`: the limit is 0. */
readonly status: "approved" | "declined"
/** USD that the user may owe: its limit. */
readonly amount: number
readonly currency: "USD"
readonly created_at: string
/** USD that the user could owe before. */
readonly previous_amount: number
/** USD that unpaid orders use. */
readonly used: number
/** USD that the user may still owe. */
readonly available: number
/** 300 to 850. */
readonly score: number
readonly band: "A" | "B" | "C" | "D" | "E"
/** Percent a year. */
readonly apr: number
/** What cost most points, the costliest first: at most four. */
readonly reasons: ReadonlyArray<{
readonly code: string
readonly text: string
readonly points: number
}>
readonly model_version: string
}

/** An endpoint. */
export interface WebhookDataWebhook {
readonly id: string
readonly object: "webhook"
readonly company_id: string
readonly status: "enabled" | "disabled" | "deleted"
readonly created_at: string
readonly url: string
/** The types that it is told of. */
readonly events: ReadonlyArray<string>
readonly description: string | null
/** What its company keeps with it by keys of its own. */
readonly metadata: Readonly<Record<string, string>>
/** `failing`: its attempts failed for 5 days. `requested`: somebody disabled it. */
readonly disabled_cause: "requested" | "failing" | null
}

export type ClientFrame = Subscribe | Unsubscribe | Ping

export interface CommitmentLost {
readonly type: "commitment_lost"
readonly data: {
readonly commitment_id: string
readonly order_id: string
readonly asset_type: "commodity" | "fx" | "options" | "gpu"
readonly reason: "outbid" | "below_reference" | "ARENA_007" | "void"
}
readonly timestamp: string
readonly seq?: number
readonly prev?: number
readonly frame?: number
readonly frames?: number
}

export interface CommitmentSettled {
readonly type: "commitment_settled"
readonly data: {
readonly commitment_id: string
readonly order_id: string
readonly asset_type: "commodity" | "fx" | "options" | "gpu"
readonly profit: number
readonly settlement_price: number | null
}
readonly timestamp: string
readonly seq?: number
readonly prev?: number
readonly frame?: number
readonly frames?: number
}

export interface CommitmentSubmitted {
readonly type: "commitment_submitted"
readonly data: {
readonly commitment_id: string
readonly order_id: string
readonly trader_type: "human" | "machine"
readonly collateral: number
}
readonly timestamp: string
readonly seq?: number
readonly prev?: number
readonly frame?: number
readonly frames?: number
}

export interface CommitmentUpdated {
readonly type: "commitment_updated"
readonly data: {
readonly order_id: string
readonly commitment_id: string
readonly trader_address: string
readonly trader_type: "human" | "machine"
/** Null until the choice where bids are sealed. */
readonly proposed_entry_price: number | null
/** Null until the choice where bids are sealed. */
readonly expected_exit_price: number | null
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly quantity: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly collateral: number
readonly status: "active" | "won" | "lost" | "settled"
/** Extension: who competes; after the choice. */
readonly owner_id: string | null
/** Extension: as submitted; after the choice. */
readonly slippage_tolerance: number | null
/** Extension: after the choice. */
readonly accepted_at: string | null
/** Extension: the place in the ranking, from 1. */
readonly rank: number | null
/** Extension: (offered − reserve_price) × quantity in 10⁻¹² USD. */
readonly score: string | null
/** Extension: outbid, below_reference, ARENA_007 or void. */
readonly loss_reason: string | null
}
readonly timestamp: string
readonly seq?: number
readonly prev?: number
readonly frame?: number
readonly frames?: number
}

export interface CommitmentWon {
readonly type: "commitment_won"
readonly data: {
readonly commitment_id: string
readonly order_id: string
readonly asset_type: "commodity" | "fx" | "options" | "gpu"
readonly clearing_price: number | null
}
readonly timestamp: string
readonly seq?: number
readonly prev?: number
readonly frame?: number
readonly frames?: number
}

export type EventFrame = OrderCreated | CommitmentSubmitted | OrderSettled | OrderUpdated | CommitmentUpdated | CommitmentWon | CommitmentLost | CommitmentSettled

export interface Heartbeat {
readonly type: "heartbeat"
readonly data: {
readonly epoch: string
readonly seq: number
readonly prev: number
}
readonly timestamp: string
}

export interface OrderCreated {
readonly type: "order_created"
readonly data: {
readonly order_id: string
readonly asset_type: "commodity" | "fx" | "options" | "gpu"
readonly entry_price: number
readonly settlement_date: string
}
readonly timestamp: string
readonly seq?: number
readonly prev?: number
readonly frame?: number
readonly frames?: number
}

export interface OrderSettled {
readonly type: "order_settled"
readonly data: {
readonly order_id: string
readonly winner_commitment_id: string | null
readonly winner_address: string | null
readonly prize_amount: number
readonly yield_distributed: number
}
readonly timestamp: string
readonly seq?: number
readonly prev?: number
readonly frame?: number
readonly frames?: number
}

export interface OrderUpdated {
readonly type: "order_updated"
readonly data: {
readonly order_id: string
readonly asset_type: "commodity" | "fx" | "options" | "gpu"
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly quantity: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly entry_price: number
/** an ISO 8601 time without zone, such as 2026-01-31T12:00:00.000 */
readonly settlement_date: string
/** an ISO 8601 time without zone, such as 2026-01-31T12:00:00.000 */
readonly expiry_date: string
readonly status: "open" | "competing" | "settling" | "settled"
/** The wallet address of who sells. */
readonly market_maker: string
readonly onchain_order_id: string
readonly asset_details: Readonly<Record<string, string | number>>
/** an ISO 8601 time without zone, such as 2026-01-31T12:00:00.000 */
readonly opened_at: string
/** Extension: whether the prices of others' bids are shown before the choice. */
readonly bids: "open" | "sealed"
/** Extension: how far below the reference price the market maker sells, as a fraction. Null where bids do not float. */
readonly maker_discount: number | null
readonly reference_price: number | null
/** Extension: the least that the market maker sells for, reference_price × (1 − maker_discount). */
readonly reserve_price: number | null
readonly clearing_price: number | null
readonly settlement_price: number | null
readonly winner_commitment_id: string | null
readonly void_reason: string | null
readonly tie_key_hash: string
readonly tie_key: string | null
readonly fairness: {
readonly rule: string
readonly machines: string
readonly total: string
/** The eligible owners that counted as machines. */
readonly machine_owners: ReadonlyArray<string>
} | null
}
readonly timestamp: string
readonly seq?: number
readonly prev?: number
readonly frame?: number
readonly frames?: number
}

export interface Ping {
readonly type: "ping"
readonly id?: string | null | undefined
}

export interface Pong {
readonly type: "pong"
readonly data: {
readonly id?: string
}
readonly timestamp: string
}

export interface Position {
readonly epoch: string
readonly seq: number
}

export interface PriceUpdate {
readonly type: "price_update"
readonly data: {
readonly asset_type: "commodity" | "fx" | "options" | "gpu"
readonly asset: string
readonly price: number
readonly source: string
}
readonly timestamp: string
readonly price_seq?: number
readonly price_prev?: number | null
}

export interface ResyncRequired {
readonly type: "resync_required"
readonly data: {
readonly id?: string
readonly epoch: string
readonly seq: number
readonly reason: "epoch_changed" | "position_unknown" | "too_far_behind"
}
readonly timestamp: string
}

export type ServerFrame = OrderCreated | CommitmentSubmitted | OrderSettled | OrderUpdated | CommitmentUpdated | CommitmentWon | CommitmentLost | CommitmentSettled | PriceUpdate | Subscribed | Unsubscribed | Snapshot | Pong | Heartbeat | ResyncRequired | ServerShutdown | StreamError

export interface ServerShutdown {
readonly type: "server_shutdown"
readonly data: {
readonly reconnect_after_ms: number
}
readonly timestamp: string
}

export interface Snapshot {
readonly type: "snapshot"
readonly data: {
readonly id?: string
readonly epoch: string
readonly seq: number
readonly page: number
readonly pages: number
readonly orders: ReadonlyArray<OrderDetail>
}
readonly timestamp: string
}

export interface StreamError {
readonly type: "error"
readonly data: {
readonly id?: string
readonly code: "invalid_request" | "unauthorized" | "unavailable" | "conflict"
readonly message: string
}
readonly timestamp: string
}

export interface StreamedCommitment {
readonly order_id: string
readonly commitment_id: string
readonly trader_address: string
readonly trader_type: "human" | "machine"
/** Null until the choice where bids are sealed. */
readonly proposed_entry_price: number | null
/** Null until the choice where bids are sealed. */
readonly expected_exit_price: number | null
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly quantity: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly collateral: number
readonly status: "active" | "won" | "lost" | "settled"
/** Extension: who competes; after the choice. */
readonly owner_id: string | null
/** Extension: as submitted; after the choice. */
readonly slippage_tolerance: number | null
/** Extension: after the choice. */
readonly accepted_at: string | null
/** Extension: the place in the ranking, from 1. */
readonly rank: number | null
/** Extension: (offered − reserve_price) × quantity in 10⁻¹² USD. */
readonly score: string | null
/** Extension: outbid, below_reference, ARENA_007 or void. */
readonly loss_reason: string | null
}

export interface StreamedOrder {
readonly order_id: string
readonly asset_type: "commodity" | "fx" | "options" | "gpu"
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly quantity: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly entry_price: number
/** an ISO 8601 time without zone, such as 2026-01-31T12:00:00.000 */
readonly settlement_date: string
/** an ISO 8601 time without zone, such as 2026-01-31T12:00:00.000 */
readonly expiry_date: string
readonly status: "open" | "competing" | "settling" | "settled"
/** The wallet address of who sells. */
readonly market_maker: string
readonly onchain_order_id: string
readonly asset_details: Readonly<Record<string, string | number>>
/** an ISO 8601 time without zone, such as 2026-01-31T12:00:00.000 */
readonly opened_at: string
/** Extension: whether the prices of others' bids are shown before the choice. */
readonly bids: "open" | "sealed"
/** Extension: how far below the reference price the market maker sells, as a fraction. Null where bids do not float. */
readonly maker_discount: number | null
readonly reference_price: number | null
/** Extension: the least that the market maker sells for, reference_price × (1 − maker_discount). */
readonly reserve_price: number | null
readonly clearing_price: number | null
readonly settlement_price: number | null
readonly winner_commitment_id: string | null
readonly void_reason: string | null
readonly tie_key_hash: string
readonly tie_key: string | null
readonly fairness: {
readonly rule: string
readonly machines: string
readonly total: string
/** The eligible owners that counted as machines. */
readonly machine_owners: ReadonlyArray<string>
} | null
}

export interface Subscribe {
readonly type: "subscribe"
readonly id?: string | null | undefined
readonly data?: {
readonly channels?: ReadonlyArray<"orders" | "commitments" | "settlements" | "prices" | "my"> | null | undefined
readonly asset_type?: ReadonlyArray<"commodity" | "fx" | "options" | "gpu"> | null | undefined
readonly order_id?: ReadonlyArray<string> | null | undefined
readonly snapshot?: boolean | null | undefined
readonly sequence?: boolean | null | undefined
readonly resume?: {
readonly epoch: string
readonly seq: number
} | null | undefined
readonly price_sequence?: boolean | null | undefined
readonly price_resume?: number | null | undefined
} | null | undefined
}

export interface SubscribeData {
readonly channels?: ReadonlyArray<"orders" | "commitments" | "settlements" | "prices" | "my"> | null | undefined
readonly asset_type?: ReadonlyArray<"commodity" | "fx" | "options" | "gpu"> | null | undefined
readonly order_id?: ReadonlyArray<string> | null | undefined
readonly snapshot?: boolean | null | undefined
readonly sequence?: boolean | null | undefined
readonly resume?: {
readonly epoch: string
readonly seq: number
} | null | undefined
readonly price_sequence?: boolean | null | undefined
readonly price_resume?: number | null | undefined
}

export interface Subscribed {
readonly type: "subscribed"
readonly data: {
readonly id?: string
readonly epoch: string
readonly seq: number
readonly channels: ReadonlyArray<"orders" | "commitments" | "settlements" | "prices" | "my">
readonly asset_type: ReadonlyArray<"commodity" | "fx" | "options" | "gpu">
readonly order_id: ReadonlyArray<string>
}
readonly timestamp: string
}

export interface Unsubscribe {
readonly type: "unsubscribe"
readonly id?: string | null | undefined
readonly data?: {
readonly channels?: ReadonlyArray<"orders" | "commitments" | "settlements" | "prices" | "my"> | null | undefined
} | null | undefined
}

export interface Unsubscribed {
readonly type: "unsubscribed"
readonly data: {
readonly id?: string
readonly channels: ReadonlyArray<"orders" | "commitments" | "settlements" | "prices" | "my">
}
readonly timestamp: string
}

export interface FieldError {
/** Where it is: payload, query, path or headers, and the field's path. */
readonly field: string
/** What the field takes. */
readonly expected: string
}

/** Every operation, by its method and path. */
export interface Operations {
/** Whether the process runs */
readonly "GET /health/live": {
readonly request: Readonly<Record<never, never>>
readonly response: Health
readonly code: "internal" | "invalid_request" | "rate_limited" | "unavailable"
}
/** Whether requests can be served */
readonly "GET /health/ready": {
readonly request: Readonly<Record<never, never>>
readonly response: Health
readonly code: "internal" | "invalid_request" | "rate_limited" | "unavailable"
}
/** Basic server information */
readonly "GET /v1/info": {
readonly request: Readonly<Record<never, never>>
readonly response: Info
readonly code: "internal" | "invalid_request" | "rate_limited" | "unavailable"
}
/** Register a company and its first user */
readonly "POST /api/v1/auth/register": {
readonly request: {
readonly body: Registration
}
readonly response: Registered
readonly code: "conflict" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** Get tokens for an email and password */
readonly "POST /api/v1/auth/login": {
readonly request: {
readonly body: Login
}
readonly response: LoginResponse
readonly code: "access_denied" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unsupported_media_type"
}
/** Get tokens for client credentials or a refresh token */
readonly "POST /api/v1/auth/token": {
readonly request: {
readonly body: TokenRequest
}
readonly response: TokenResponse
readonly code: "access_denied" | "internal" | "invalid_client" | "invalid_grant" | "invalid_request" | "invalid_scope" | "payload_too_large" | "rate_limited" | "unauthorized_client" | "unavailable" | "unsupported_grant_type" | "unsupported_media_type"
}
/** Get an access token for the browser's session */
readonly "POST /api/v1/auth/session": {
readonly request: Readonly<Record<never, never>>
readonly response: SessionToken
readonly code: "access_denied" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Get a user's tokens for an API client */
readonly "POST /v1/authorize": {
readonly request: {
readonly body: AuthorizeRequest
}
readonly response: TokenResponse
readonly code: "access_denied" | "internal" | "invalid_client" | "invalid_grant" | "invalid_request" | "payload_too_large" | "rate_limited" | "unavailable" | "unsupported_media_type"
}
/** Log out */
readonly "POST /api/v1/auth/revoke": {
readonly request: {
readonly body: Revocation
}
readonly response: Revoked
readonly code: "conflict" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** End the browser's session */
readonly "POST /v1/logout": {
readonly request: Readonly<Record<never, never>>
readonly response: LoggedOut
readonly code: "access_denied" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unavailable"
}
/** The older form of login */
readonly "POST /v1/authenticate": {
readonly request: {
readonly body: Login
}
readonly response: LoginResponse
readonly code: "access_denied" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unsupported_media_type"
}
/** The older form of registration */
readonly "POST /v1/account": {
readonly request: {
readonly body: Account
}
readonly response: Registered
readonly code: "conflict" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** The keys that verify access tokens */
readonly "GET /.well-known/jwks.json": {
readonly request: Readonly<Record<never, never>>
readonly response: Jwks
readonly code: "internal" | "invalid_request" | "rate_limited" | "unavailable"
}
/** What an OAuth client needs to know (RFC 8414) */
readonly "GET /.well-known/oauth-authorization-server": {
readonly request: Readonly<Record<never, never>>
readonly response: AuthorizationServerMetadata
readonly code: "internal" | "invalid_request" | "rate_limited" | "unavailable"
}
/** Sign in at the identity provider */
readonly "GET /auth/google": {
readonly request: {
readonly query?: {
readonly return_to?: string | undefined
}
}
readonly response: undefined
readonly code: "internal" | "invalid_request" | "not_found" | "rate_limited" | "unavailable"
}
/** The callback page of the platform itself */
readonly "GET /auth/google/callback": {
readonly request: {
readonly query?: {
readonly code?: string | undefined
readonly state?: string | undefined
readonly iss?: string | undefined
readonly error?: string | undefined
}
}
readonly response: undefined
readonly code: "access_denied" | "internal" | "invalid_grant" | "invalid_request" | "not_found" | "rate_limited" | "unavailable"
}
/** Get tokens for the identity provider's code */
readonly "POST /api/v1/auth/google/callback": {
readonly request: {
readonly body: ProviderCallback
}
readonly response: TokenResponse
readonly code: "access_denied" | "internal" | "invalid_grant" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unavailable" | "unsupported_media_type"
}
/** The sandbox's own identity provider */
readonly "GET /api/auth/google": {
readonly request: {
readonly query?: {
readonly return_to?: string | undefined
}
}
readonly response: string
readonly code: "internal" | "invalid_request" | "not_found" | "rate_limited" | "unavailable"
}
/** Answer the sandbox's own identity provider */
readonly "POST /api/auth/google": {
readonly request: {
readonly body: SandboxPerson
}
readonly response: undefined
readonly code: "access_denied" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unavailable" | "unsupported_media_type"
}
/** Sign in at a shop */
readonly "GET /auth/ecommerce": {
readonly request: {
readonly query: {
readonly shop: string
readonly return_to?: string | undefined
}
}
readonly response: undefined
readonly code: "internal" | "invalid_request" | "not_found" | "rate_limited" | "unavailable"
}
/** The shop's callback page of the platform itself */
readonly "GET /auth/ecommerce/callback": {
readonly request: {
readonly query: {
readonly shop: string
readonly code: string
readonly state?: string | undefined
}
}
readonly response: undefined
readonly code: "access_denied" | "internal" | "invalid_grant" | "invalid_request" | "not_found" | "rate_limited" | "unavailable"
}
/** Get tokens for a shop's code */
readonly "POST /api/v1/auth/ecommerce/callback": {
readonly request: {
readonly body: ShopCallback
}
readonly response: TokenResponse
readonly code: "access_denied" | "internal" | "invalid_grant" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unavailable" | "unsupported_media_type"
}
/** The sandbox's own shops */
readonly "GET /api/auth/ecommerce": {
readonly request: {
readonly query: {
readonly shop: string
readonly state: string
}
}
readonly response: string
readonly code: "access_denied" | "internal" | "invalid_request" | "not_found" | "rate_limited" | "unavailable"
}
/** Answer for a shop of the sandbox */
readonly "POST /api/auth/ecommerce": {
readonly request: {
readonly body: SandboxPerson_1
}
readonly response: undefined
readonly code: "access_denied" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unavailable" | "unsupported_media_type"
}
/** The current user */
readonly "GET /api/v1/users/me": {
readonly request: Readonly<Record<never, never>>
readonly response: User
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Change the current user */
readonly "PUT /api/v1/users/me": {
readonly request: {
readonly body: UserUpdate
}
readonly response: User
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unsupported_media_type"
}
/** Change one's password */
readonly "PUT /api/v1/users/me/password": {
readonly request: {
readonly body: PasswordChange
}
readonly response: LoginResponse
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unsupported_media_type"
}
/** Ask for another mail to verify one's email */
readonly "POST /api/v1/users/me/email/verification": {
readonly request: Readonly<Record<never, never>>
readonly response: VerificationSent
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable"
}
/** Log out everywhere */
readonly "POST /v1/logout/everywhere": {
readonly request: Readonly<Record<never, never>>
readonly response: LoggedOutEverywhere
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Ask for a mail to reset a password */
readonly "POST /api/v1/auth/password/forgot": {
readonly request: {
readonly body: ForgottenPassword
}
readonly response: ResetRequested
readonly code: "conflict" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** Set a new password by a mail's token */
readonly "POST /api/v1/auth/password/reset": {
readonly request: {
readonly body: PasswordReset
}
readonly response: PasswordWasReset
readonly code: "conflict" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** Verify an email by a mail's token */
readonly "POST /api/v1/auth/email/verify": {
readonly request: {
readonly body: EmailVerification
}
readonly response: EmailVerified
readonly code: "conflict" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** Add a user to the company */
readonly "POST /v1/users": {
readonly request: {
readonly query?: {
readonly company_id?: string | undefined
}
readonly body: NewUser
}
readonly response: Person
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** List the company's users, oldest first */
readonly "GET /v1/users": {
readonly request: {
readonly query?: {
readonly company_id?: string | undefined
readonly status?: "pending_kyc" | "active" | "suspended" | "rejected" | undefined
/** An integer from 1 to 100, by default 100. */
readonly limit?: number | undefined
/** An integer from 0 to 1000000, by default 0. */
readonly offset?: number | undefined
readonly after?: string | undefined
}
}
readonly response: ReadonlyArray<Person>
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "rate_limited" | "unauthorized" | "unavailable"
}
/** One user of the company */
readonly "GET /v1/users/{userId}": {
readonly request: {
readonly path: {
readonly userId: string
}
}
readonly response: Person
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Verify a user */
readonly "PUT /v1/users/verify/{userId}": {
readonly request: {
readonly path: {
readonly userId: string
}
}
readonly response: Person
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Reject a user */
readonly "PUT /v1/users/verify/{userId}/reject": {
readonly request: {
readonly path: {
readonly userId: string
}
}
readonly response: Person
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Suspend a user */
readonly "PUT /v1/users/{userId}/suspend": {
readonly request: {
readonly path: {
readonly userId: string
}
}
readonly response: Person
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Reactivate a user */
readonly "PUT /v1/users/{userId}/reactivate": {
readonly request: {
readonly path: {
readonly userId: string
}
}
readonly response: Person
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Set a user's role */
readonly "PUT /v1/users/{userId}/role": {
readonly request: {
readonly path: {
readonly userId: string
}
readonly body: RoleChange
}
readonly response: Person
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** Forget a user */
readonly "POST /v1/users/{userId}/erasure": {
readonly request: {
readonly path: {
readonly userId: string
}
}
readonly response: Erasure
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable"
}
/** Make a company that the caller's company manages */
readonly "POST /v1/companies": {
readonly request: {
readonly body: NewCompany
}
readonly response: Company
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** List the caller's company and those that it manages, oldest first */
readonly "GET /v1/companies": {
readonly request: {
readonly query?: {
readonly q?: string | undefined
/** An integer from 1 to 100, by default 100. */
readonly limit?: number | undefined
/** An integer from 0 to 1000000, by default 0. */
readonly offset?: number | undefined
readonly after?: string | undefined
}
}
readonly response: ReadonlyArray<Company>
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** The caller's company, or one that it manages */
readonly "GET /v1/companies/{id}": {
readonly request: {
readonly path: {
readonly id: string
}
}
readonly response: Company
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Change the caller's company, or one that it manages */
readonly "PATCH /v1/companies/{id}": {
readonly request: {
readonly path: {
readonly id: string
}
readonly body: CompanyChange
}
readonly response: Company
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unsupported_media_type"
}
/** Set a company's plan */
readonly "PUT /v1/companies/{id}/plan": {
readonly request: {
readonly path: {
readonly id: string
}
readonly body: PlanChange
}
readonly response: Company
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unsupported_media_type"
}
/** Withdraw or give back what a company's plan gives */
readonly "PUT /v1/companies/{id}/entitlements": {
readonly request: {
readonly path: {
readonly id: string
}
readonly body: EntitlementsChange
}
readonly response: Company
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unsupported_media_type"
}
/** Verify a company */
readonly "PUT /v1/companies/{id}/verify": {
readonly request: {
readonly path: {
readonly id: string
}
}
readonly response: Company
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Create an API client */
readonly "POST /v1/clients": {
readonly request: {
readonly body: NewClient
}
readonly response: MadeClient
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unsupported_media_type"
}
/** List the company's API clients, oldest first */
readonly "GET /v1/clients": {
readonly request: {
readonly query?: {
/** An integer from 1 to 100, by default 100. */
readonly limit?: number | undefined
/** An integer from 0 to 1000000, by default 0. */
readonly offset?: number | undefined
readonly after?: string | undefined
}
}
readonly response: ReadonlyArray<Client>
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Delete an API client */
readonly "DELETE /v1/clients/{clientId}": {
readonly request: {
readonly path: {
readonly clientId: string
}
}
readonly response: DeletedClient
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Give an API client a new secret */
readonly "POST /v1/clients/{clientId}/secret/rotate": {
readonly request: {
readonly path: {
readonly clientId: string
}
}
readonly response: MadeClient
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable"
}
/** List what administrators did, newest first */
readonly "GET /v1/audit": {
readonly request: {
readonly query?: {
readonly actor_id?: string | undefined
readonly subject_id?: string | undefined
readonly act?: string | undefined
/** An integer from 1 to 100, by default 100. */
readonly limit?: number | undefined
/** An integer from 0 to 1000000, by default 0. */
readonly offset?: number | undefined
readonly after?: string | undefined
}
}
readonly response: ReadonlyArray<AuditEntry>
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** The nodes, and which one writes */
readonly "GET /v1/nodes": {
readonly request: Readonly<Record<never, never>>
readonly response: Nodes
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** What the sandbox's clock says */
readonly "GET /v1/sandbox/clock": {
readonly request: Readonly<Record<never, never>>
readonly response: SandboxClock
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Set the sandbox's clock forward */
readonly "POST /v1/sandbox/clock": {
readonly request: {
readonly body: {
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly until: string
}
}
readonly response: SandboxClock
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** What the caller's company asked of the platform and did on it, by day */
readonly "GET /v1/analytics/usage": {
readonly request: {
readonly query?: {
/** a day such as 2026-01-31, from 1970 on */
readonly from?: string | undefined
/** a day such as 2026-01-31, from 1970 on */
readonly to?: string | undefined
readonly interval?: "day" | undefined
readonly endpoint?: string | undefined
readonly company_id?: string | undefined
}
}
readonly response: Usage
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "rate_limited" | "unauthorized" | "unavailable"
}
/** List the requests of the caller's company, newest first */
readonly "GET /v1/requests": {
readonly request: {
readonly query?: {
/** refused: 4xx and 5xx. */
readonly status?: "refused" | "2xx" | "3xx" | "4xx" | "5xx" | undefined
readonly code?: string | undefined
readonly operation?: string | undefined
readonly path?: string | undefined
readonly user_id?: string | undefined
readonly company_id?: string | undefined
/** Only the request that wrote this event, by its place in all events. */
readonly event_seq?: string | undefined
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly since?: string | undefined
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly until?: string | undefined
/** An integer from 1 to 100, by default 100. */
readonly limit?: number | undefined
/** The id of a row: the page has those before it. The Link header has the next page. */
readonly after?: string | undefined
}
}
readonly response: ReadonlyArray<LoggedRequest>
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** One request, with the body that was refused or the phases of its commit */
readonly "GET /v1/requests/{id}": {
readonly request: {
readonly path: {
readonly id: string
}
}
readonly response: LoggedRequestDetail
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Submit one's KYC record */
readonly "POST /v1/kyc": {
readonly request: {
readonly body: KycSubmission
}
readonly response: KycSubmitted
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unsupported_media_type"
}
/** List KYC records, oldest first */
readonly "GET /v1/kyc": {
readonly request: {
readonly query?: {
/** Extension: for administrators, whose records; without it everybody's. */
readonly user_id?: string | undefined
/** Extension. */
readonly status?: "pending" | "verified" | "rejected" | undefined
/** An integer from 1 to 100, by default 100. */
readonly limit?: number | undefined
/** An integer from 0 to 1000000, by default 0. */
readonly offset?: number | undefined
readonly after?: string | undefined
}
}
readonly response: ReadonlyArray<KycRecord>
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** One KYC record */
readonly "GET /v1/kyc/{id}": {
readonly request: {
readonly path: {
readonly id: string
}
}
readonly response: KycRecord
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Verify a KYC record */
readonly "PUT /v1/kyc/{id}/verify": {
readonly request: {
readonly path: {
readonly id: string
}
}
readonly response: KycRecord
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Reject a KYC record */
readonly "PUT /v1/kyc/{id}/reject": {
readonly request: {
readonly path: {
readonly id: string
}
readonly body: KycRejection
}
readonly response: KycRecord
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unsupported_media_type"
}
/** State of the order agent and its oracles */
readonly "GET /api/arena/agent/status": {
readonly request: Readonly<Record<never, never>>
readonly response: {
readonly success: true
readonly status: string
readonly oracles: {
readonly price_oracle: {
readonly available: boolean
readonly sample_price: string
readonly source: string
}
readonly fx_api: {
readonly available: boolean
}
readonly gpu_marketplaces: {
readonly available: boolean
}
}
readonly supported_asset_types: ReadonlyArray<"commodity" | "fx" | "options" | "gpu">
readonly open_orders_count: {
readonly commodity: number
readonly fx: number
readonly options: number
readonly gpu: number
}
/** At least 1. */
readonly generation_interval_minutes: number
/** Extension: the same, exactly. */
readonly generation_interval_seconds: number
/** Extension. */
readonly circuit_breakers: Readonly<Record<string, string>>
/** Extension: orders not made since the start, for want of a safe price or of maker capital. */
readonly skipped_orders: number
}
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** List orders, newest first */
readonly "GET /api/arena/orders": {
readonly request: {
readonly query?: {
readonly asset_type?: "commodity" | "fx" | "options" | "gpu" | undefined
readonly status?: "open" | "competing" | "settling" | "settled" | undefined
/** An integer from 1 to 100, by default 20. */
readonly limit?: number | undefined
/** An integer from 0 to 1000000, by default 0. */
readonly offset?: number | undefined
readonly after?: string | undefined
}
}
readonly response: {
readonly success: true
readonly orders: ReadonlyArray<ListedOrder>
readonly total: number
readonly offset: number
readonly limit: number
}
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** One order with its commitments and, after the choice, the ranking */
readonly "GET /api/arena/orders/{order_id}": {
readonly request: {
readonly path: {
readonly order_id: string
}
}
readonly response: {
readonly success: true
readonly order: OrderDetail
}
readonly code: "ARENA_001" | "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Commit to an order */
readonly "POST /api/arena/commitments": {
readonly request: {
readonly body: CommitmentRequest
}
readonly response: {
readonly success: true
readonly message: string
readonly data: {
readonly commitment_id: string
readonly onchain_commitment_id: string
readonly transaction_hash: string
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly collateral_required: number
readonly status: "active"
}
}
readonly code: "ARENA_001" | "ARENA_002" | "ARENA_003" | "ARENA_004" | "ARENA_005" | "ARENA_006" | "ARENA_008" | "ARENA_009" | "access_denied" | "commitments_halted" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "loss_limit" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** The caller's commitments, newest first */
readonly "GET /api/arena/commitments/my": {
readonly request: {
readonly query?: {
readonly status?: "active" | "won" | "lost" | "settled" | undefined
/** An integer from 1 to 100, by default 100. */
readonly limit?: number | undefined
/** An integer from 0 to 1000000, by default 0. */
readonly offset?: number | undefined
readonly after?: string | undefined
}
}
readonly response: {
readonly success: true
readonly commitments: ReadonlyArray<MyCommitment>
readonly total: number
readonly offset: number
readonly limit: number
}
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** The caller's commitments with what each earned, newest first, as CSV */
readonly "GET /api/arena/commitments/my.csv": {
readonly request: {
readonly query?: {
readonly status?: "active" | "won" | "lost" | "settled" | undefined
readonly after?: string | undefined
}
}
readonly response: string
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** What an order's unit was worth, from before its opening to its settlement */
readonly "GET /api/arena/orders/{order_id}/prices": {
readonly request: {
readonly path: {
readonly order_id: string
}
}
readonly response: {
readonly success: true
readonly order_id: string
/** Whose prices were recorded: of an option the underlying. */
readonly asset: string
readonly prices: ReadonlyArray<PricePoint>
}
readonly code: "ARENA_001" | "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Who earned most on settled orders */
readonly "GET /api/arena/leaderboard": {
readonly request: {
readonly query?: {
readonly asset_type?: "commodity" | "fx" | "options" | "gpu" | undefined
/** An integer from 1 to 30, by default 7. */
readonly days?: number | undefined
/** An integer from 1 to 100, by default 100. */
readonly limit?: number | undefined
}
}
readonly response: {
readonly success: true
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly since: string
/** Settled orders that were counted: the newest 2,000 of the days. */
readonly orders: number
readonly leaders: ReadonlyArray<Leader>
}
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** The sealed days of the arena's history, newest first */
readonly "GET /api/arena/history": {
readonly request: {
readonly query?: {
/** An integer from 1 to 100, by default 100. */
readonly limit?: number | undefined
/** An integer from 0 to 1000000, by default 0. */
readonly offset?: number | undefined
readonly after?: string | undefined
}
}
readonly response: {
readonly success: true
readonly days: ReadonlyArray<HistoryDay>
readonly total: number
readonly offset: number
readonly limit: number
}
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** The auctions, recorded prices or yields of a day, as JSON lines or CSV */
readonly "GET /api/arena/history/{day}/{file}": {
readonly request: {
readonly path: {
/** a day such as 2026-01-31, from 1970 on */
readonly day: string
readonly file: "auctions.jsonl" | "auctions.csv" | "medians.jsonl" | "medians.csv" | "yields.jsonl" | "yields.csv"
}
}
readonly response: string
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "range_not_satisfiable" | "rate_limited" | "unauthorized" | "unavailable"
}
/** What an asset was worth by interval, oldest first */
readonly "GET /api/arena/candles/{asset}": {
readonly request: {
readonly path: {
readonly asset: string
}
readonly query: {
/** An integer from 60 to 86400. */
readonly interval: number
/** Prices from then on; without it from the first. */
readonly from?: string | undefined
/** Prices from before then; without it to the last. */
readonly to?: string | undefined
/** An integer from 1 to 100, by default 100. */
readonly limit?: number | undefined
/** An integer from 0 to 1000000, by default 0. */
readonly offset?: number | undefined
readonly after?: string | undefined
}
}
readonly response: {
readonly success: true
readonly asset: string
readonly interval: number
readonly candles: ReadonlyArray<Candle>
readonly total: number
readonly offset: number
readonly limit: number
}
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Get a ticket for one connection to /ws/arena */
readonly "POST /api/arena/stream/ticket": {
readonly request: Readonly<Record<never, never>>
readonly response: StreamTicket
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable"
}
/** What an order's collateral would earn */
readonly "GET /api/arena/yield/estimate": {
readonly request: {
readonly query: {
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly order_value: number
/** An integer from 1 to 3650. */
readonly duration_days: number
}
}
readonly response: {
readonly success: true
readonly estimate: {
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly order_value: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly collateral: number
readonly duration_days: number
/** A fraction: 0.05 is 5 %. */
readonly estimated_apy: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly estimated_yield: number
readonly strategy: string
readonly breakdown: {
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly trader_share: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly insurance_share: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly platform_share: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly token_holder_share: number
}
}
}
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** What the vault earned so far */
readonly "GET /api/arena/yield/total": {
readonly request: Readonly<Record<never, never>>
readonly response: {
readonly success: true
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly total_yield_generated: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly total_collateral_deployed: number
/** A fraction: 0.05 is 5 %. */
readonly average_apy: number
readonly active_commitments: number
readonly strategies: Readonly<Record<string, {
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly tvl: number
/** A fraction: 0.05 is 5 %. */
readonly apy: number
}>>
}
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** The vault now */
readonly "GET /api/arena/yield/vault-stats": {
readonly request: Readonly<Record<never, never>>
readonly response: {
readonly success: true
readonly vault: {
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly total_value_locked: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly total_yield_generated: number
readonly active_strategies: number
readonly current_strategy: string
readonly allocation: Readonly<Record<string, number>>
}
}
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** The arena's circuit breakers and what they did */
readonly "GET /v1/breakers": {
readonly request: Readonly<Record<never, never>>
readonly response: Breakers
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Let trading go on after a ledger that did not add up */
readonly "POST /v1/breakers/reset": {
readonly request: Readonly<Record<never, never>>
readonly response: Breakers
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable"
}
/** What machine traders committed, won and earned */
readonly "GET /api/arena/machine-traders/stats": {
readonly request: {
readonly query?: {
readonly trader_id?: string | undefined
}
}
readonly response: {
readonly success: true
readonly stats: {
readonly total_traders: number
readonly active_traders: number
readonly total_commitments: number
/** A fraction: 0.05 is 5 %. */
readonly win_rate: number
/** A decimal number; negative for a loss. */
readonly avg_profit_per_trade: number
readonly traders: ReadonlyArray<{
readonly trader_id: string
readonly agent_id: string
readonly status: string
readonly total_commitments: number
readonly commitments_won: number
/** A fraction: 0.05 is 5 %. */
readonly win_rate: number
/** A decimal number; negative for a loss. */
readonly total_profit: number
}>
}
}
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Retire a registered machine trader for good (administrators) */
readonly "POST /api/arena/machine-traders/{trader_id}/retire": {
readonly request: {
readonly path: {
readonly trader_id: string
}
}
readonly response: MachineTraderRegistered
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable"
}
/** Make a bot, or register a machine trader (administrators) */
readonly "POST /api/arena/machine-traders": {
readonly request: {
readonly body: MachineTraderRegistration | BotCreation
}
readonly response: MachineTraderRegistered | {
readonly success: true
readonly bot: Bot
}
readonly code: "access_denied" | "bot_limit_reached" | "conflict" | "entitlement_required" | "insufficient_scope" | "internal" | "invalid_request" | "payload_too_large" | "plan_required" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable" | "unsupported_media_type" | "wallet_required"
}
/** The company's bots with what they earned, oldest first */
readonly "GET /api/arena/machine-traders": {
readonly request: {
readonly query?: {
readonly status?: "inactive" | "active" | "paused" | "suspended" | "terminated" | undefined
/** An integer from 1 to 100, by default 100. */
readonly limit?: number | undefined
/** An integer from 0 to 1000000, by default 0. */
readonly offset?: number | undefined
readonly after?: string | undefined
}
}
readonly response: {
readonly success: true
readonly bots: ReadonlyArray<BotDetail>
readonly total: number
readonly offset: number
readonly limit: number
}
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** One bot with what it earned */
readonly "GET /api/arena/machine-traders/{bot_id}": {
readonly request: {
readonly path: {
readonly bot_id: string
}
}
readonly response: {
readonly success: true
readonly bot: BotDetail
}
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Change a bot */
readonly "PATCH /api/arena/machine-traders/{bot_id}": {
readonly request: {
readonly path: {
readonly bot_id: string
}
readonly body: BotChange
}
readonly response: {
readonly success: true
readonly bot: Bot
}
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** Start an inactive bot */
readonly "POST /api/arena/machine-traders/{bot_id}/start": {
readonly request: {
readonly path: {
readonly bot_id: string
}
}
readonly response: {
readonly success: true
readonly bot: Bot
}
readonly code: "access_denied" | "bot_limit_reached" | "conflict" | "entitlement_required" | "insufficient_scope" | "internal" | "invalid_request" | "payload_too_large" | "plan_required" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable"
}
/** Pause an active bot */
readonly "POST /api/arena/machine-traders/{bot_id}/pause": {
readonly request: {
readonly path: {
readonly bot_id: string
}
}
readonly response: {
readonly success: true
readonly bot: Bot
}
readonly code: "access_denied" | "bot_limit_reached" | "conflict" | "entitlement_required" | "insufficient_scope" | "internal" | "invalid_request" | "payload_too_large" | "plan_required" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable"
}
/** Resume a paused bot, or a suspended one whose cause is gone */
readonly "POST /api/arena/machine-traders/{bot_id}/resume": {
readonly request: {
readonly path: {
readonly bot_id: string
}
}
readonly response: {
readonly success: true
readonly bot: Bot
}
readonly code: "access_denied" | "bot_limit_reached" | "conflict" | "entitlement_required" | "insufficient_scope" | "internal" | "invalid_request" | "payload_too_large" | "plan_required" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable"
}
/** Terminate a bot for good */
readonly "POST /api/arena/machine-traders/{bot_id}/terminate": {
readonly request: {
readonly path: {
readonly bot_id: string
}
}
readonly response: {
readonly success: true
readonly bot: Bot
}
readonly code: "access_denied" | "bot_limit_reached" | "conflict" | "entitlement_required" | "insufficient_scope" | "internal" | "invalid_request" | "payload_too_large" | "plan_required" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable"
}
/** Move USD from the account to the bot */
readonly "POST /api/arena/machine-traders/{bot_id}/fund": {
readonly request: {
readonly path: {
readonly bot_id: string
}
readonly body: CollateralAmount
}
readonly response: CollateralMoved
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** Move free collateral back to the account of the bot's user */
readonly "POST /api/arena/machine-traders/{bot_id}/withdraw": {
readonly request: {
readonly path: {
readonly bot_id: string
}
readonly body: CollateralAmount
}
readonly response: CollateralMoved
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** What a bot committed to, newest first */
readonly "GET /api/arena/machine-traders/{bot_id}/commitments": {
readonly request: {
readonly path: {
readonly bot_id: string
}
readonly query?: {
readonly status?: "active" | "won" | "lost" | "settled" | undefined
/** An integer from 1 to 100, by default 100. */
readonly limit?: number | undefined
/** An integer from 0 to 1000000, by default 0. */
readonly offset?: number | undefined
readonly after?: string | undefined
}
}
readonly response: {
readonly success: true
readonly commitments: ReadonlyArray<MyCommitment>
readonly total: number
readonly offset: number
readonly limit: number
}
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Pause all active bots of the company, or stop all that it commits */
readonly "POST /api/arena/machine-traders/pause-all": {
readonly request: {
readonly body: null | PauseAll
}
readonly response: {
readonly success: true
/** The ids of the bots that were active. */
readonly paused: ReadonlyArray<string>
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly halted_at?: string
}
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** Pause all bots of the company unless asked again in time */
readonly "POST /api/arena/machine-traders/cancel-after": {
readonly request: {
readonly body: CancelAfter
}
readonly response: BotGuard
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** When all bots of the company are paused, unless cancel-after is asked again */
readonly "GET /api/arena/machine-traders/cancel-after": {
readonly request: Readonly<Record<never, never>>
readonly response: BotGuardStanding
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Whether the company's commitments are stopped, and what would stop them */
readonly "GET /api/arena/machine-traders/kill-switch": {
readonly request: Readonly<Record<never, never>>
readonly response: KillSwitch
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Lift the company's kill switch, so that it may commit again */
readonly "DELETE /api/arena/machine-traders/kill-switch": {
readonly request: Readonly<Record<never, never>>
readonly response: KillSwitch
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable"
}
/** The company's credits */
readonly "GET /api/arena/machine-traders/credits/balance": {
readonly request: Readonly<Record<never, never>>
readonly response: {
readonly success: true
readonly plan: "standard" | "pro" | "enterprise"
readonly balance: CreditBalance
/** What the plan gives a month. */
readonly monthly_grant: number
readonly credit_unit_usd: 0.01
readonly credits_per_dollar: 100
}
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** What credits cost, and who sells them */
readonly "GET /api/arena/machine-traders/credits/rates": {
readonly request: Readonly<Record<never, never>>
readonly response: {
readonly success: true
readonly credit_unit_usd: 0.01
readonly credits_per_dollar: 100
/** Credits that one evaluation takes. */
readonly evaluation_price: number
/** Credits that an automatic top-up buys at most. */
readonly auto_topup_credits: number
readonly min_topup_usd: number
readonly max_topup_usd: number
readonly monthly_grants: {
readonly standard: number
readonly pro: number
readonly enterprise: number
}
/** Who sells credits. The platform alone does. */
readonly partner_pool_providers: ReadonlyArray<{
readonly provider: string
readonly credits_per_dollar: number
readonly available: boolean
}>
}
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Every movement of the company's credits, newest first */
readonly "GET /api/arena/machine-traders/credits/history": {
readonly request: {
readonly query?: {
/** An integer from 1 to 100, by default 100. */
readonly limit?: number | undefined
/** An integer from 0 to 1000000, by default 0. */
readonly offset?: number | undefined
readonly after?: string | undefined
}
}
readonly response: {
readonly success: true
readonly entries: ReadonlyArray<CreditMovement>
readonly total: number
readonly offset: number
readonly limit: number
}
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Buy credits with USD */
readonly "POST /api/arena/machine-traders/{bot_id}/topup": {
readonly request: {
readonly path: {
readonly bot_id: string
}
readonly body: CreditTopUp
}
readonly response: CreditsToppedUp
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** The credits that a bot used, this month and in all */
readonly "GET /api/arena/machine-traders/{bot_id}/stats": {
readonly request: {
readonly path: {
readonly bot_id: string
}
}
readonly response: {
readonly success: true
readonly stats: BotCreditStats
}
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** A bot's credit ledger, newest first, and the company's balance */
readonly "GET /api/arena/machine-traders/{bot_id}/usage": {
readonly request: {
readonly path: {
readonly bot_id: string
}
readonly query?: {
/** An integer from 1 to 100, by default 100. */
readonly limit?: number | undefined
/** An integer from 0 to 1000000, by default 0. */
readonly offset?: number | undefined
readonly after?: string | undefined
}
}
readonly response: {
readonly success: true
readonly entries: ReadonlyArray<CreditMovement>
readonly total: number
readonly offset: number
readonly limit: number
readonly bot_id: string
readonly plan: "standard" | "pro" | "enterprise"
readonly balance: CreditBalance
/** What the plan gives a month. */
readonly monthly_grant: number
readonly credit_unit_usd: 0.01
readonly credits_per_dollar: 100
}
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** What a bot would do about an open order (costs a credit) */
readonly "POST /api/arena/machine-traders/{bot_id}/evaluate": {
readonly request: {
readonly path: {
readonly bot_id: string
}
readonly body: EvaluationRequest
}
readonly response: {
readonly success: true
readonly evaluation: Evaluation
readonly credits_charged: number
}
readonly code: "ARENA_001" | "ARENA_003" | "ARENA_004" | "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** What a bot decided and why, newest first */
readonly "GET /api/arena/machine-traders/{bot_id}/decisions": {
readonly request: {
readonly path: {
readonly bot_id: string
}
readonly query?: {
/** An integer from 1 to 100, by default 100. */
readonly limit?: number | undefined
/** An integer from 0 to 1000000, by default 0. */
readonly offset?: number | undefined
readonly after?: string | undefined
}
}
readonly response: {
readonly success: true
readonly decisions: ReadonlyArray<BotDecision>
readonly total: number
readonly offset: number
readonly limit: number
}
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Offer a product */
readonly "POST /v1/commerce/products": {
readonly request: {
readonly body: NewProduct
}
readonly response: Product
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** List products, oldest first */
readonly "GET /v1/commerce/products": {
readonly request: {
readonly query?: {
/** Extension: of one seller. */
readonly company_id?: string | undefined
/** Extension. */
readonly type?: "Commodity" | "Consumer Product" | undefined
/** Extension. */
readonly bidable?: "true" | "false" | undefined
/** Extension. */
readonly iscontract?: "true" | "false" | undefined
/** Extension: a part of the name or the description, in whatever case. */
readonly q?: string | undefined
/** Extension: of those that have this in their metadata: key:value, such as campaign:spring. */
readonly metadata?: string | undefined
/** An integer from 1 to 100, by default 100. */
readonly limit?: number | undefined
/** An integer from 0 to 1000000, by default 0. */
readonly offset?: number | undefined
readonly after?: string | undefined
}
}
readonly response: ReadonlyArray<Product>
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** One product */
readonly "GET /v1/commerce/products/{id}": {
readonly request: {
readonly path: {
readonly id: string
}
}
readonly response: Product
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Change a product of one's company */
readonly "PUT /v1/commerce/products/{id}": {
readonly request: {
readonly path: {
readonly id: string
}
readonly body: ProductChange
}
readonly response: Product
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** List what the caller's company can buy, oldest first */
readonly "GET /v1/commerce/catalog": {
readonly request: {
readonly query?: {
/** Instead of the caller's company one that it manages. */
readonly customer_company_id?: string | undefined
/** Extension: of one seller. */
readonly company_id?: string | undefined
/** Extension. */
readonly type?: "Commodity" | "Consumer Product" | undefined
/** Extension. */
readonly bidable?: "true" | "false" | undefined
/** Extension. */
readonly iscontract?: "true" | "false" | undefined
/** Extension: a part of the name or the description, in whatever case. */
readonly q?: string | undefined
/** Extension: of those that have this in their metadata: key:value, such as campaign:spring. */
readonly metadata?: string | undefined
/** An integer from 1 to 100, by default 100. */
readonly limit?: number | undefined
/** An integer from 0 to 1000000, by default 0. */
readonly offset?: number | undefined
readonly after?: string | undefined
}
}
readonly response: ReadonlyArray<CatalogEntry>
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Give a customer prices of its own */
readonly "POST /v1/commerce/price-lists": {
readonly request: {
readonly body: NewPriceList
}
readonly response: PriceList
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** List the company's price lists, oldest first */
readonly "GET /v1/commerce/price-lists": {
readonly request: {
readonly query?: {
readonly customer_company_id?: string | undefined
/** An integer from 1 to 100, by default 100. */
readonly limit?: number | undefined
/** An integer from 0 to 1000000, by default 0. */
readonly offset?: number | undefined
readonly after?: string | undefined
}
}
readonly response: ReadonlyArray<PriceList>
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** One price list */
readonly "GET /v1/commerce/price-lists/{id}": {
readonly request: {
readonly path: {
readonly id: string
}
}
readonly response: PriceList
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Change a price list */
readonly "PUT /v1/commerce/price-lists/{id}": {
readonly request: {
readonly path: {
readonly id: string
}
readonly body: PriceListChange
}
readonly response: PriceList
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unsupported_media_type"
}
/** Delete a price list */
readonly "DELETE /v1/commerce/price-lists/{id}": {
readonly request: {
readonly path: {
readonly id: string
}
}
readonly response: {
readonly id: string
readonly deleted: true
}
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Order products of one or several companies */
readonly "POST /v1/orders": {
readonly request: {
readonly body: NewPurchaseOrder
}
readonly response: PurchaseOrder
readonly code: "access_denied" | "conflict" | "credit_frozen" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** List the company's orders without their items, newest first */
readonly "GET /v1/orders": {
readonly request: {
readonly query?: {
/** Whether the caller's company buys or sells; by default either. */
readonly role?: "buyer" | "seller" | undefined
readonly status?: "pending" | "paid" | "fulfilled" | "cancelled" | undefined
/** Instead of the caller's company one that it manages. */
readonly company_id?: string | undefined
/** Extension: of those that have this in their metadata: key:value, such as campaign:spring. */
readonly metadata?: string | undefined
/** An integer from 1 to 100, by default 100. */
readonly limit?: number | undefined
/** An integer from 0 to 1000000, by default 0. */
readonly offset?: number | undefined
readonly after?: string | undefined
}
}
readonly response: ReadonlyArray<PurchaseOrderSummary>
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable"
}
/** One order, for those who take part in it: a seller sees its own part */
readonly "GET /v1/orders/{id}": {
readonly request: {
readonly path: {
readonly id: string
}
}
readonly response: PurchaseOrder
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Pay an order from the caller's USD wallet */
readonly "POST /v1/orders/{id}/pay": {
readonly request: {
readonly path: {
readonly id: string
}
readonly body: OrderPayment
}
readonly response: PurchaseOrder
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** Say that the caller's company has delivered its items */
readonly "POST /v1/orders/{id}/fulfil": {
readonly request: {
readonly path: {
readonly id: string
}
}
readonly response: PurchaseOrder
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable"
}
/** Cancel an order before anything of it is fulfilled */
readonly "POST /v1/orders/{id}/cancel": {
readonly request: {
readonly path: {
readonly id: string
}
readonly body: OrderCancellation
}
readonly response: PurchaseOrder
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** Who did what to an order, oldest first */
readonly "GET /v1/orders/{id}/history": {
readonly request: {
readonly path: {
readonly id: string
}
}
readonly response: ReadonlyArray<PurchaseOrderHistoryEntry>
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Pay an order */
readonly "POST /v1/payments": {
readonly request: {
readonly body: PaymentRequest
}
readonly response: Payment
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** List the company's payments, newest first */
readonly "GET /v1/payments": {
readonly request: {
readonly query?: {
/** The payments of one order; to its sellers their shares of them. */
readonly order_id?: string | undefined
/** Extension: of those that have this in their metadata: key:value, such as campaign:spring. */
readonly metadata?: string | undefined
/** An integer from 1 to 100, by default 100. */
readonly limit?: number | undefined
/** An integer from 0 to 1000000, by default 0. */
readonly offset?: number | undefined
readonly after?: string | undefined
}
}
readonly response: ReadonlyArray<Payment>
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable"
}
/** One payment */
readonly "GET /v1/payments/{id}": {
readonly request: {
readonly path: {
readonly id: string
}
}
readonly response: Payment
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Take an authorized payment */
readonly "POST /v1/payments/{id}/capture": {
readonly request: {
readonly path: {
readonly id: string
}
}
readonly response: Payment
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable"
}
/** Let an authorized payment go */
readonly "POST /v1/payments/{id}/void": {
readonly request: {
readonly path: {
readonly id: string
}
}
readonly response: Payment
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable"
}
/** Give money back to the instrument that paid */
readonly "POST /v1/payments/{id}/refund": {
readonly request: {
readonly path: {
readonly id: string
}
readonly body: RefundRequest
}
readonly response: Payment
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** Add units to a fund */
readonly "POST /v1/funds": {
readonly request: {
readonly body: FundRequest
}
readonly response: Fund
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** List funds, oldest first */
readonly "GET /v1/funds": {
readonly request: {
readonly query?: {
/** Extension: whose funds an administrator wants; without it all. */
readonly owner?: string | undefined
/** An integer from 1 to 100, by default 100. */
readonly limit?: number | undefined
/** An integer from 0 to 1000000, by default 0. */
readonly offset?: number | undefined
readonly after?: string | undefined
}
}
readonly response: ReadonlyArray<Fund>
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** One fund */
readonly "GET /v1/funds/{id}": {
readonly request: {
readonly path: {
readonly id: string
}
}
readonly response: Fund
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "rate_limited" | "unauthorized" | "unavailable"
}
/** A fund's statement, newest first */
readonly "GET /v1/funds/{id}/entries": {
readonly request: {
readonly path: {
readonly id: string
}
readonly query?: {
/** By default csv where Accept is text/csv, else json. */
readonly format?: "json" | "csv" | undefined
/** An integer from 1 to 100, by default 100. */
readonly limit?: number | undefined
/** An integer from 0 to 1000000, by default 0. */
readonly offset?: number | undefined
readonly after?: string | undefined
}
}
readonly response: ReadonlyArray<FundEntry> | string
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Load a beneficiary */
readonly "POST /v1/transfers/to": {
readonly request: {
readonly body: BankAccount
}
readonly response: Beneficiary
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** The caller's beneficiaries, oldest first */
readonly "GET /v1/transfers/to": {
readonly request: {
readonly query?: {
/** Whose beneficiaries an administrator wants; by default one's own. */
readonly owner?: string | undefined
/** An integer from 1 to 100, by default 100. */
readonly limit?: number | undefined
/** An integer from 0 to 1000000, by default 0. */
readonly offset?: number | undefined
readonly after?: string | undefined
}
}
readonly response: ReadonlyArray<Beneficiary>
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Delete a beneficiary */
readonly "DELETE /v1/transfers/to/{id}": {
readonly request: {
readonly path: {
readonly id: string
}
}
readonly response: {
readonly id: string
readonly deleted: true
}
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Move money to another owner or a beneficiary */
readonly "POST /v1/transfers": {
readonly request: {
readonly body: TransferRequest
}
readonly response: TransferReceipt
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** The transfers that the caller sent and received, newest first */
readonly "GET /v1/transfers": {
readonly request: {
readonly query?: {
/** Extension: those of one direction alone; by default both. */
readonly direction?: "sent" | "received" | undefined
/** Extension: whose transfers an administrator wants; by default one's own. */
readonly owner?: string | undefined
/** Extension: of those that have this in their metadata: key:value, such as campaign:spring. */
readonly metadata?: string | undefined
/** An integer from 1 to 100, by default 100. */
readonly limit?: number | undefined
/** An integer from 0 to 1000000, by default 0. */
readonly offset?: number | undefined
readonly after?: string | undefined
}
}
readonly response: ReadonlyArray<Transfer>
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** One transfer */
readonly "GET /v1/transfers/{id}": {
readonly request: {
readonly path: {
readonly id: string
}
readonly query?: {
/** Extension: whose transfer an administrator wants; by default one's own. */
readonly owner?: string | undefined
}
}
readonly response: Transfer
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Take money out of a fund */
readonly "POST /v1/withdraw": {
readonly request: {
readonly body: WithdrawRequest
}
readonly response: Withdraw
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** The caller's withdrawals, newest first */
readonly "GET /v1/withdraw": {
readonly request: {
readonly query?: {
/** An integer from 1 to 100, by default 100. */
readonly limit?: number | undefined
/** An integer from 0 to 1000000, by default 0. */
readonly offset?: number | undefined
readonly after?: string | undefined
}
}
readonly response: ReadonlyArray<Withdrawal>
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Hold an exchange rate */
readonly "POST /v1/fx/quotes": {
readonly request: {
readonly body: FxQuoteRequest
}
readonly response: FxQuote
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** One held rate */
readonly "GET /v1/fx/quotes/{id}": {
readonly request: {
readonly path: {
readonly id: string
}
}
readonly response: FxQuote
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "rate_limited" | "unauthorized" | "unavailable"
}
/** What the desk can pay out */
readonly "GET /v1/fx/desk": {
readonly request: Readonly<Record<never, never>>
readonly response: ReadonlyArray<FxDeskHolding>
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Add to what the desk can pay out */
readonly "POST /v1/fx/desk": {
readonly request: {
readonly body: FxDeskFunding
}
readonly response: FxDeskHolding
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** Score the caller and set its credit limit */
readonly "POST /v1/credit/request": {
readonly request: {
readonly body: CreditRequest
}
readonly response: CreditProfile
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** A user's score card */
readonly "GET /v1/credit/profile/{profileId}": {
readonly request: {
readonly path: {
readonly profileId: string
}
}
readonly response: PresentCreditProfile
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "rate_limited" | "unauthorized" | "unavailable"
}
/** A user's score cards, newest first */
readonly "GET /v1/credit/profile/{profileId}/history": {
readonly request: {
readonly path: {
readonly profileId: string
}
readonly query?: {
/** An integer from 1 to 100, by default 100. */
readonly limit?: number | undefined
/** An integer from 0 to 1000000, by default 0. */
readonly offset?: number | undefined
readonly after?: string | undefined
}
}
readonly response: ReadonlyArray<ScoreCard>
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "rate_limited" | "unauthorized" | "unavailable"
}
/** The terms on which an amount can be paid */
readonly "POST /v1/payments/terms": {
readonly request: {
readonly body: PaymentTermsRequest
}
readonly response: PaymentTermsOffers
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** Buy a product each period */
readonly "POST /v1/subscriptions": {
readonly request: {
readonly body: SubscriptionRequest
}
readonly response: Subscription
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** List the company's subscriptions, oldest first */
readonly "GET /v1/subscriptions": {
readonly request: {
readonly query?: {
/** Whether the company buys or sells; by default either. */
readonly role?: "buyer" | "seller" | undefined
readonly status?: "active" | "past_due" | "completed" | "cancelled" | undefined
/** Extension: of those that have this in their metadata: key:value, such as campaign:spring. */
readonly metadata?: string | undefined
/** An integer from 1 to 100, by default 100. */
readonly limit?: number | undefined
/** An integer from 0 to 1000000, by default 0. */
readonly offset?: number | undefined
readonly after?: string | undefined
}
}
readonly response: ReadonlyArray<Subscription>
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable"
}
/** One subscription */
readonly "GET /v1/subscriptions/{id}": {
readonly request: {
readonly path: {
readonly id: string
}
}
readonly response: Subscription
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Who did what to a subscription, oldest first */
readonly "GET /v1/subscriptions/{id}/history": {
readonly request: {
readonly path: {
readonly id: string
}
readonly query?: {
/** An integer from 1 to 100, by default 100. */
readonly limit?: number | undefined
/** An integer from 0 to 1000000, by default 0. */
readonly offset?: number | undefined
readonly after?: string | undefined
}
}
readonly response: ReadonlyArray<SubscriptionAct>
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Cancel a subscription */
readonly "POST /v1/subscriptions/{id}/cancel": {
readonly request: {
readonly path: {
readonly id: string
}
readonly body: SubscriptionCancellation
}
readonly response: Subscription
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** Pay the next period now */
readonly "POST /v1/subscriptions/{id}/renew": {
readonly request: {
readonly path: {
readonly id: string
}
}
readonly response: Subscription
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable"
}
/** Be told of events */
readonly "POST /v1/webhooks": {
readonly request: {
readonly body: NewWebhook
}
readonly response: WebhookEndpointWithSecret
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unsupported_media_type"
}
/** List the company's webhooks, oldest first */
readonly "GET /v1/webhooks": {
readonly request: {
readonly query?: {
/** Extension: of those that have this in their metadata: key:value, such as campaign:spring. */
readonly metadata?: string | undefined
/** An integer from 1 to 100, by default 100. */
readonly limit?: number | undefined
/** An integer from 0 to 1000000, by default 0. */
readonly offset?: number | undefined
readonly after?: string | undefined
}
}
readonly response: ReadonlyArray<WebhookEndpoint>
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** One webhook */
readonly "GET /v1/webhooks/{id}": {
readonly request: {
readonly path: {
readonly id: string
}
}
readonly response: WebhookEndpoint
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Change a webhook, disable or enable it */
readonly "PATCH /v1/webhooks/{id}": {
readonly request: {
readonly path: {
readonly id: string
}
readonly body: WebhookChange
}
readonly response: WebhookEndpoint
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** Delete a webhook */
readonly "DELETE /v1/webhooks/{id}": {
readonly request: {
readonly path: {
readonly id: string
}
}
readonly response: DeletedWebhook
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Sign with a new secret */
readonly "POST /v1/webhooks/{id}/secret/rotate": {
readonly request: {
readonly path: {
readonly id: string
}
}
readonly response: WebhookEndpointWithSecret
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable"
}
/** List a webhook's deliveries, newest first */
readonly "GET /v1/webhooks/{id}/deliveries": {
readonly request: {
readonly path: {
readonly id: string
}
readonly query?: {
/** `held`: the plan's deliveries of the day are used up. `failed`: all attempts failed; retry it. */
readonly status?: "pending" | "held" | "delivered" | "failed" | undefined
readonly event?: "order.created" | "order.updated" | "order.paid" | "order.fulfilled" | "order.cancelled" | "order.payment_due" | "order.overdue" | "payment.authorized" | "payment.captured" | "payment.refunded" | "payment.failed" | "company.created" | "company.verified" | "company.updated" | "subscription.created" | "subscription.renewed" | "subscription.cancelled" | "subscription.payment_failed" | "credit.score_updated" | "credit.limit_changed" | "webhook.disabled" | "webhook.test" | undefined
/** An integer from 1 to 100, by default 100. */
readonly limit?: number | undefined
/** An integer from 0 to 1000000, by default 0. */
readonly offset?: number | undefined
readonly after?: string | undefined
}
}
readonly response: ReadonlyArray<WebhookDelivery>
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "rate_limited" | "unauthorized" | "unavailable"
}
/** One delivery with its body, its attempts and why it failed */
readonly "GET /v1/webhooks/deliveries/{id}": {
readonly request: {
readonly path: {
readonly id: string
}
}
readonly response: WebhookDeliveryDetail
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Retry a failed delivery */
readonly "POST /v1/webhooks/deliveries/{id}/retry": {
readonly request: {
readonly path: {
readonly id: string
}
}
readonly response: WebhookDelivery
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable"
}
/** Retry everything that failed since a time, the oldest first */
readonly "POST /v1/webhooks/{id}/retry": {
readonly request: {
readonly path: {
readonly id: string
}
readonly body: WebhookBulkRetry
}
readonly response: WebhookBulkRetryResult
readonly code: "access_denied" | "conflict" | "insufficient_scope" | "internal" | "invalid_request" | "not_found" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unprocessable" | "unsupported_media_type"
}
/** What webhooks can be told of, each with an example */
readonly "GET /v1/webhooks/event-types": {
readonly request: Readonly<Record<never, never>>
readonly response: ReadonlyArray<WebhookEventType>
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** How much of the day's deliveries the company has used */
readonly "GET /v1/webhooks/quota": {
readonly request: Readonly<Record<never, never>>
readonly response: WebhookQuota
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
/** Post an example of an event to an endpoint */
readonly "POST /v1/webhooks/test": {
readonly request: {
readonly body: WebhookTest
}
readonly response: WebhookTestResult
readonly code: "access_denied" | "insufficient_scope" | "internal" | "invalid_request" | "payload_too_large" | "rate_limited" | "unauthorized" | "unavailable" | "unsupported_media_type"
}
/** This document */
readonly "GET /openapi.json": {
readonly request: Readonly<Record<never, never>>
readonly response: Readonly<Record<string, unknown>>
readonly code: "internal" | "rate_limited" | "unavailable"
}
/** This document as a page */
readonly "GET /docs": {
readonly request: Readonly<Record<never, never>>
readonly response: string
readonly code: "internal" | "rate_limited" | "unavailable"
}
/** The page's style sheet */
readonly "GET /docs/style.css": {
readonly request: Readonly<Record<never, never>>
readonly response: string
readonly code: "internal" | "rate_limited" | "unavailable"
}
/** Metrics, for callers on the same machine and administrators */
readonly "GET /metrics": {
readonly request: Readonly<Record<never, never>>
readonly response: string
readonly code: "access_denied" | "internal" | "rate_limited" | "unauthorized" | "unavailable"
}
/** The arena's event stream, by WebSocket */
readonly "GET /ws/arena": {
readonly request: Readonly<Record<never, never>>
readonly response: undefined
readonly code: "internal" | "invalid_request" | "rate_limited" | "unauthorized" | "unavailable"
}
}

/** The messages of the fast lane. */
export interface FastLaneMessages {
readonly authenticate: {
readonly payload: {
readonly access_token: string
}
readonly success: {
readonly user_id: string
readonly company_id: string
}
}
readonly commit: {
readonly payload: {
readonly order_id: string
readonly proposed_entry_price: number
readonly expected_exit_price: number
readonly quantity: number
readonly swap_executor?: string | null | undefined
readonly slippage_tolerance?: number | null | undefined
readonly bot_id?: string | null | undefined
/** A commitment that was accepted under it is answered again within 24 hours, and made once however often it is sent. A refused one may be sent again. */
readonly idempotency_id?: string | null | undefined
}
readonly success: {
readonly _tag: "Accepted"
readonly commitment_id: string
readonly onchain_commitment_id: string
readonly transaction_hash: string
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly collateral_required: number
readonly status: "active"
}
}
readonly commitBatch: {
readonly payload: {
readonly items: ReadonlyArray<{
readonly order_id: string
readonly proposed_entry_price: number
readonly expected_exit_price: number
readonly quantity: number
readonly swap_executor?: string | null | undefined
readonly slippage_tolerance?: number | null | undefined
readonly bot_id?: string | null | undefined
/** A commitment that was accepted under it is answered again within 24 hours, and made once however often it is sent. A refused one may be sent again. */
readonly idempotency_id?: string | null | undefined
}>
}
readonly success: {
readonly results: ReadonlyArray<{
readonly _tag: "Accepted"
readonly commitment_id: string
readonly onchain_commitment_id: string
readonly transaction_hash: string
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly collateral_required: number
readonly status: "active"
} | {
readonly _tag: "Refused"
readonly code: "invalid_request" | "invalid_grant" | "unauthorized_client" | "invalid_scope" | "unsupported_grant_type" | "unauthorized" | "invalid_client" | "access_denied" | "insufficient_scope" | "plan_required" | "entitlement_required" | "bot_limit_reached" | "not_found" | "method_not_allowed" | "conflict" | "commitments_halted" | "range_not_satisfiable" | "payload_too_large" | "unsupported_media_type" | "unprocessable" | "credit_frozen" | "wallet_required" | "loss_limit" | "rate_limited" | "internal" | "unavailable" | "ARENA_001" | "ARENA_002" | "ARENA_003" | "ARENA_004" | "ARENA_005" | "ARENA_006" | "ARENA_007" | "ARENA_008" | "ARENA_009"
/** What to do, in a sentence. */
readonly message: string
/** Every faulty field, at most 20, the first of which the message names. */
readonly errors?: ReadonlyArray<FieldError>
/** Seconds after which the same message may succeed. */
readonly retry_after?: number
}>
}
}
readonly myCommitments: {
readonly payload: {
readonly status?: "active" | "won" | "lost" | "settled" | null | undefined
readonly limit?: number | null | undefined
readonly offset?: number | null | undefined
/** The id of a row of this list: the page begins behind it. The next of an answer is that of the next page. */
readonly after?: string | null | undefined
}
readonly success: {
readonly commitments: ReadonlyArray<MyCommitment>
readonly total: number
/** What after is for the next page, where there is one. */
readonly next?: string
}
}
readonly balances: {
readonly payload: {
readonly limit?: number | null | undefined
readonly offset?: number | null | undefined
/** The id of a row of this list: the page begins behind it. The next of an answer is that of the next page. */
readonly after?: string | null | undefined
}
readonly success: {
readonly funds: ReadonlyArray<Fund>
readonly total: number
/** What after is for the next page, where there is one. */
readonly next?: string
}
}
readonly evaluate: {
readonly payload: {
readonly bot_id: string
readonly order_id: string
}
readonly success: {
readonly evaluation: Evaluation
readonly credits_charged: number
}
}
readonly pauseAll: {
readonly payload: {
readonly scope?: "bots" | "company" | null | undefined
}
readonly success: {
readonly paused: ReadonlyArray<string>
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly halted_at?: string
}
}
readonly cancelAfter: {
readonly payload: {
readonly timeout_seconds: number
readonly scope?: "bots" | "company" | null | undefined
}
readonly success: {
readonly timeout_seconds: number
/** When all bots are paused; null for never. */
readonly pauses_at: string | null
/** an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z */
readonly halted_at?: string
}
}
readonly cancelOnDisconnect: {
readonly payload: {
readonly enabled: boolean
}
readonly success: {
/** Whether every commitment of the company is refused. */
readonly halted: boolean
/** When it was pulled last. */
readonly halted_at: string | null
/** The user who pulled it; null for the platform. */
readonly halted_by: string | null
/** asked; deadline, where cancel-after was not asked again; disconnected, where a connection with cancel_on_disconnect ended; restarted, where the platform did while there were such connections. */
readonly cause: "asked" | "deadline" | "disconnected" | "restarted" | null
/** When cancel-after pulls it; null for never. */
readonly halts_at: string | null
/** Whether there are connections whose end pulls it. */
readonly cancel_on_disconnect: boolean
}
}
readonly liftKillSwitch: {
readonly payload: undefined
readonly success: {
/** Whether every commitment of the company is refused. */
readonly halted: boolean
/** When it was pulled last. */
readonly halted_at: string | null
/** The user who pulled it; null for the platform. */
readonly halted_by: string | null
/** asked; deadline, where cancel-after was not asked again; disconnected, where a connection with cancel_on_disconnect ended; restarted, where the platform did while there were such connections. */
readonly cause: "asked" | "deadline" | "disconnected" | "restarted" | null
/** When cancel-after pulls it; null for never. */
readonly halts_at: string | null
/** Whether there are connections whose end pulls it. */
readonly cancel_on_disconnect: boolean
}
}
readonly orders: {
readonly payload: {
readonly asset_type?: ReadonlyArray<"commodity" | "fx" | "options" | "gpu"> | null | undefined
readonly order_id?: ReadonlyArray<string> | null | undefined
}
readonly success: {
readonly order_id: string
readonly asset_type: "commodity" | "fx" | "options" | "gpu"
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly quantity: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly entry_price: number
/** an ISO 8601 time without zone, such as 2026-01-31T12:00:00.000 */
readonly settlement_date: string
/** an ISO 8601 time without zone, such as 2026-01-31T12:00:00.000 */
readonly expiry_date: string
readonly status: "open" | "competing" | "settling" | "settled"
/** The wallet address of who sells. */
readonly market_maker: string
readonly onchain_order_id: string
readonly asset_details: Readonly<Record<string, string | number>>
/** an ISO 8601 time without zone, such as 2026-01-31T12:00:00.000 */
readonly opened_at: string
/** Extension: whether the prices of others' bids are shown before the choice. */
readonly bids: "open" | "sealed"
/** Extension: how far below the reference price the market maker sells, as a fraction. Null where bids do not float. */
readonly maker_discount: number | null
readonly reference_price: number | null
/** Extension: the least that the market maker sells for, reference_price × (1 − maker_discount). */
readonly reserve_price: number | null
readonly clearing_price: number | null
readonly settlement_price: number | null
readonly winner_commitment_id: string | null
readonly void_reason: string | null
readonly tie_key_hash: string
readonly tie_key: string | null
readonly fairness: {
readonly rule: string
readonly machines: string
readonly total: string
/** The eligible owners that counted as machines. */
readonly machine_owners: ReadonlyArray<string>
} | null
}
}
readonly subscribe: {
readonly payload: {
readonly channels?: ReadonlyArray<"orders" | "commitments" | "settlements" | "prices" | "my"> | null | undefined
readonly asset_type?: ReadonlyArray<"commodity" | "fx" | "options" | "gpu"> | null | undefined
readonly order_id?: ReadonlyArray<string> | null | undefined
readonly snapshot?: boolean | null | undefined
readonly resume?: {
readonly epoch: string
readonly seq: number
} | null | undefined
}
readonly success: {
readonly type: "order_created"
readonly data: {
readonly order_id: string
readonly asset_type: "commodity" | "fx" | "options" | "gpu"
readonly entry_price: number
readonly settlement_date: string
}
readonly timestamp: string
readonly seq?: number
readonly prev?: number
readonly frame?: number
readonly frames?: number
} | {
readonly type: "commitment_submitted"
readonly data: {
readonly commitment_id: string
readonly order_id: string
readonly trader_type: "human" | "machine"
readonly collateral: number
}
readonly timestamp: string
readonly seq?: number
readonly prev?: number
readonly frame?: number
readonly frames?: number
} | {
readonly type: "order_settled"
readonly data: {
readonly order_id: string
readonly winner_commitment_id: string | null
readonly winner_address: string | null
readonly prize_amount: number
readonly yield_distributed: number
}
readonly timestamp: string
readonly seq?: number
readonly prev?: number
readonly frame?: number
readonly frames?: number
} | {
readonly type: "order_updated"
readonly data: {
readonly order_id: string
readonly asset_type: "commodity" | "fx" | "options" | "gpu"
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly quantity: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly entry_price: number
/** an ISO 8601 time without zone, such as 2026-01-31T12:00:00.000 */
readonly settlement_date: string
/** an ISO 8601 time without zone, such as 2026-01-31T12:00:00.000 */
readonly expiry_date: string
readonly status: "open" | "competing" | "settling" | "settled"
/** The wallet address of who sells. */
readonly market_maker: string
readonly onchain_order_id: string
readonly asset_details: Readonly<Record<string, string | number>>
/** an ISO 8601 time without zone, such as 2026-01-31T12:00:00.000 */
readonly opened_at: string
/** Extension: whether the prices of others' bids are shown before the choice. */
readonly bids: "open" | "sealed"
/** Extension: how far below the reference price the market maker sells, as a fraction. Null where bids do not float. */
readonly maker_discount: number | null
readonly reference_price: number | null
/** Extension: the least that the market maker sells for, reference_price × (1 − maker_discount). */
readonly reserve_price: number | null
readonly clearing_price: number | null
readonly settlement_price: number | null
readonly winner_commitment_id: string | null
readonly void_reason: string | null
readonly tie_key_hash: string
readonly tie_key: string | null
readonly fairness: {
readonly rule: string
readonly machines: string
readonly total: string
/** The eligible owners that counted as machines. */
readonly machine_owners: ReadonlyArray<string>
} | null
}
readonly timestamp: string
readonly seq?: number
readonly prev?: number
readonly frame?: number
readonly frames?: number
} | {
readonly type: "commitment_updated"
readonly data: {
readonly order_id: string
readonly commitment_id: string
readonly trader_address: string
readonly trader_type: "human" | "machine"
/** Null until the choice where bids are sealed. */
readonly proposed_entry_price: number | null
/** Null until the choice where bids are sealed. */
readonly expected_exit_price: number | null
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly quantity: number
/** A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even. */
readonly collateral: number
readonly status: "active" | "won" | "lost" | "settled"
/** Extension: who competes; after the choice. */
readonly owner_id: string | null
/** Extension: as submitted; after the choice. */
readonly slippage_tolerance: number | null
/** Extension: after the choice. */
readonly accepted_at: string | null
/** Extension: the place in the ranking, from 1. */
readonly rank: number | null
/** Extension: (offered − reserve_price) × quantity in 10⁻¹² USD. */
readonly score: string | null
/** Extension: outbid, below_reference, ARENA_007 or void. */
readonly loss_reason: string | null
}
readonly timestamp: string
readonly seq?: number
readonly prev?: number
readonly frame?: number
readonly frames?: number
} | {
readonly type: "commitment_won"
readonly data: {
readonly commitment_id: string
readonly order_id: string
readonly asset_type: "commodity" | "fx" | "options" | "gpu"
readonly clearing_price: number | null
}
readonly timestamp: string
readonly seq?: number
readonly prev?: number
readonly frame?: number
readonly frames?: number
} | {
readonly type: "commitment_lost"
readonly data: {
readonly commitment_id: string
readonly order_id: string
readonly asset_type: "commodity" | "fx" | "options" | "gpu"
readonly reason: "outbid" | "below_reference" | "ARENA_007" | "void"
}
readonly timestamp: string
readonly seq?: number
readonly prev?: number
readonly frame?: number
readonly frames?: number
} | {
readonly type: "commitment_settled"
readonly data: {
readonly commitment_id: string
readonly order_id: string
readonly asset_type: "commodity" | "fx" | "options" | "gpu"
readonly profit: number
readonly settlement_price: number | null
}
readonly timestamp: string
readonly seq?: number
readonly prev?: number
readonly frame?: number
readonly frames?: number
} | {
readonly type: "price_update"
readonly data: {
readonly asset_type: "commodity" | "fx" | "options" | "gpu"
readonly asset: string
readonly price: number
readonly source: string
}
readonly timestamp: string
readonly price_seq?: number
readonly price_prev?: number | null
} | {
readonly type: "subscribed"
readonly data: {
readonly id?: string
readonly epoch: string
readonly seq: number
readonly channels: ReadonlyArray<"orders" | "commitments" | "settlements" | "prices" | "my">
readonly asset_type: ReadonlyArray<"commodity" | "fx" | "options" | "gpu">
readonly order_id: ReadonlyArray<string>
}
readonly timestamp: string
} | {
readonly type: "snapshot"
readonly data: {
readonly id?: string
readonly epoch: string
readonly seq: number
readonly page: number
readonly pages: number
readonly orders: ReadonlyArray<OrderDetail>
}
readonly timestamp: string
} | {
readonly type: "heartbeat"
readonly data: {
readonly epoch: string
readonly seq: number
readonly prev: number
}
readonly timestamp: string
} | {
readonly type: "resync_required"
readonly data: {
readonly id?: string
readonly epoch: string
readonly seq: number
readonly reason: "epoch_changed" | "position_unknown" | "too_far_behind"
}
readonly timestamp: string
}
}
readonly webhookEvents: {
readonly payload: {
/** Absent: every one. */
readonly events?: ReadonlyArray<"order.created" | "order.updated" | "order.paid" | "order.fulfilled" | "order.cancelled" | "order.payment_due" | "order.overdue" | "payment.authorized" | "payment.captured" | "payment.refunded" | "payment.failed" | "company.created" | "company.verified" | "company.updated" | "subscription.created" | "subscription.renewed" | "subscription.cancelled" | "subscription.payment_failed" | "credit.score_updated" | "credit.limit_changed" | "webhook.disabled" | "webhook.test" | "*"> | null | undefined
readonly after?: number | null | undefined
}
readonly success: {
readonly seq: number
readonly events: ReadonlyArray<{
readonly id: string
readonly type: "order.created" | "order.updated" | "order.paid" | "order.fulfilled" | "order.cancelled" | "order.payment_due" | "order.overdue" | "payment.authorized" | "payment.captured" | "payment.refunded" | "payment.failed" | "company.created" | "company.verified" | "company.updated" | "subscription.created" | "subscription.renewed" | "subscription.cancelled" | "subscription.payment_failed" | "credit.score_updated" | "credit.limit_changed" | "webhook.disabled" | "webhook.test"
/** The envelope, byte for byte as a delivery carries it. */
readonly body: string
}>
}
}
}

/** What a webhook is sent, by the event's type. */
export interface WebhookEvents {
/** An order was placed. Its stock is reserved, and on credit terms the buyer's limit. */
readonly "order.created": {
/** Receivers know duplicates by it. */
readonly id: string
readonly object: "event"
readonly type: "order.created"
readonly created_at: string
readonly data: {
readonly object: WebhookDataPurchaseOrder
}
}
/** A part of an order was paid, or to its buyer: one of several sellers has delivered. */
readonly "order.updated": {
/** Receivers know duplicates by it. */
readonly id: string
readonly object: "event"
readonly type: "order.updated"
readonly created_at: string
readonly data: {
readonly object: WebhookDataPurchaseOrder
}
}
/** Nothing of an order is owed any more. */
readonly "order.paid": {
/** Receivers know duplicates by it. */
readonly id: string
readonly object: "event"
readonly type: "order.paid"
readonly created_at: string
readonly data: {
readonly object: WebhookDataPurchaseOrder
}
}
/** Every seller has delivered; to a seller: it has. */
readonly "order.fulfilled": {
/** Receivers know duplicates by it. */
readonly id: string
readonly object: "event"
readonly type: "order.fulfilled"
readonly created_at: string
readonly data: {
readonly object: WebhookDataPurchaseOrder
}
}
/** An order was cancelled: stock and limit are free again, and what was paid goes back. */
readonly "order.cancelled": {
/** Receivers know duplicates by it. */
readonly id: string
readonly object: "event"
readonly type: "order.cancelled"
readonly created_at: string
readonly data: {
readonly object: WebhookDataPurchaseOrder
}
}
/** An instalment of an order on credit is not paid yet and due within three days. */
readonly "order.payment_due": {
/** Receivers know duplicates by it. */
readonly id: string
readonly object: "event"
readonly type: "order.payment_due"
readonly created_at: string
readonly data: {
readonly object: WebhookDataPurchaseOrder
}
}
/** An instalment's due date has passed and it is not paid. The buyer's company orders nothing on credit until it is. */
readonly "order.overdue": {
/** Receivers know duplicates by it. */
readonly id: string
readonly object: "event"
readonly type: "order.overdue"
readonly created_at: string
readonly data: {
readonly object: WebhookDataPurchaseOrder
}
}
/** The provider keeps the money. With automatic capture it is taken next. */
readonly "payment.authorized": {
/** Receivers know duplicates by it. */
readonly id: string
readonly object: "event"
readonly type: "payment.authorized"
readonly created_at: string
readonly data: {
readonly object: WebhookDataPayment
}
}
/** The money was taken; to a seller: the order has it, and the seller its part. */
readonly "payment.captured": {
/** Receivers know duplicates by it. */
readonly id: string
readonly object: "event"
readonly type: "payment.captured"
readonly created_at: string
readonly data: {
readonly object: WebhookDataPayment
}
}
/** Money is back at what paid it; the status says whether all of it. */
readonly "payment.refunded": {
/** Receivers know duplicates by it. */
readonly id: string
readonly object: "event"
readonly type: "payment.refunded"
readonly created_at: string
readonly data: {
readonly object: WebhookDataPayment
}
}
/** The provider refused. Nothing was taken. */
readonly "payment.failed": {
/** Receivers know duplicates by it. */
readonly id: string
readonly object: "event"
readonly type: "payment.failed"
readonly created_at: string
readonly data: {
readonly object: WebhookDataPayment
}
}
/** A company was made. One that registers has no endpoint yet, so that only managers hear of theirs. */
readonly "company.created": {
/** Receivers know duplicates by it. */
readonly id: string
readonly object: "event"
readonly type: "company.created"
readonly created_at: string
readonly data: {
readonly object: WebhookDataCompany
}
}
/** An administrator verified a company, or the first of its users. */
readonly "company.verified": {
/** Receivers know duplicates by it. */
readonly id: string
readonly object: "event"
readonly type: "company.verified"
readonly created_at: string
readonly data: {
readonly object: WebhookDataCompany
}
}
/** A company's profile, plan or status is another one. */
readonly "company.updated": {
/** Receivers know duplicates by it. */
readonly id: string
readonly object: "event"
readonly type: "company.updated"
readonly created_at: string
readonly data: {
readonly object: WebhookDataCompany
}
}
/** A company subscribed. A first period that is due at once was charged with it. */
readonly "subscription.created": {
/** Receivers know duplicates by it. */
readonly id: string
readonly object: "event"
readonly type: "subscription.created"
readonly created_at: string
readonly data: {
readonly object: WebhookDataSubscription
}
}
/** A period was charged. After the last the status is `completed`. */
readonly "subscription.renewed": {
/** Receivers know duplicates by it. */
readonly id: string
readonly object: "event"
readonly type: "subscription.renewed"
readonly created_at: string
readonly data: {
readonly object: WebhookDataSubscription
}
}
/** A subscription ended before its last period; `end_reason` says why. */
readonly "subscription.cancelled": {
/** Receivers know duplicates by it. */
readonly id: string
readonly object: "event"
readonly type: "subscription.cancelled"
readonly created_at: string
readonly data: {
readonly object: WebhookDataSubscription
}
}
/** A period could not be charged; `next_at` says when it is tried again. */
readonly "subscription.payment_failed": {
/** Receivers know duplicates by it. */
readonly id: string
readonly object: "event"
readonly type: "subscription.payment_failed"
readonly created_at: string
readonly data: {
readonly object: WebhookDataSubscription
}
}
/** A user was scored. */
readonly "credit.score_updated": {
/** Receivers know duplicates by it. */
readonly id: string
readonly object: "event"
readonly type: "credit.score_updated"
readonly created_at: string
readonly data: {
readonly object: WebhookDataCreditProfile
}
}
/** What a user may owe is another amount than before. */
readonly "credit.limit_changed": {
/** Receivers know duplicates by it. */
readonly id: string
readonly object: "event"
readonly type: "credit.limit_changed"
readonly created_at: string
readonly data: {
readonly object: WebhookDataCreditProfile
}
}
/** An endpoint was disabled. The company's other endpoints hear of it; it hears nothing itself. */
readonly "webhook.disabled": {
/** Receivers know duplicates by it. */
readonly id: string
readonly object: "event"
readonly type: "webhook.disabled"
readonly created_at: string
readonly data: {
readonly object: WebhookDataWebhook
}
}
/** Somebody tries out an endpoint. It stands for nothing. */
readonly "webhook.test": {
/** Receivers know duplicates by it. */
readonly id: string
readonly object: "event"
readonly type: "webhook.test"
readonly created_at: string
readonly data: {
readonly object: WebhookDataWebhook
}
}
}
