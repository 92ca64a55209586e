import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { arenaWire } from "./ApiError.ts"
import { Authorization, authenticated, movesMoney, Policy } from "./Authorization.ts"
import { AmountFromNumber as Money, PositiveAmountFromNumber } from "./Money.ts"
import { pageFields, pageQuery } from "./Paging.ts"
import { text } from "./Text.ts"
import { UtcTimestamp } from "./Timestamp.ts"

const Yes = Schema.Literal(true)

/** USD that one top-up can be for. */
export const MAX_TOP_UP_USD = 1_000_000

const Period = Schema.String.annotate({ description: "A calendar month in UTC, such as 2026-11." })

const Count = Schema.Int.annotate({ description: "Credits." })

const PLANS = ["standard", "pro", "enterprise"] as const

/** Specification 2.19. */
const Balance = Schema.Struct({
  free_balance: Schema.Int.annotate({ description: "The plan's credits that are left of this month." }),
  paid_balance: Schema.Int.annotate({ description: "Bought ones, which do not lapse." }),
  period_end: UtcTimestamp.annotate({ description: "When the free ones lapse." }),
  currency: Schema.Literal("CREDITS")
}).annotate({ identifier: "CreditBalance" })

const balanceFields = {
  plan: Schema.Literals(PLANS),
  balance: Balance,
  monthly_grant: Schema.Int.annotate({ description: "What the plan gives a month." }),
  credit_unit_usd: Schema.Literal(0.01),
  credits_per_dollar: Schema.Literal(100)
}

const notOwner = arenaWire("access_denied")

const BotId = { bot_id: text(1, 64) }

const ONE = "/machine-traders/:bot_id" as const

const balance = HttpApiEndpoint.get("getCreditBalance", "/machine-traders/credits/balance", {
  success: Schema.Struct({ success: Yes, ...balanceFields })
}).annotateMerge(
  OpenApi.annotations({
    summary: "The company's credits",
    description: "All its bots use them. Free ones are used first, and lapse when the month ends."
  })
)

const rates = HttpApiEndpoint.get("getCreditRates", "/machine-traders/credits/rates", {
  success: Schema.Struct({
    success: Yes,
    credit_unit_usd: Schema.Literal(0.01),
    credits_per_dollar: Schema.Literal(100),
    evaluation_price: Schema.Int.annotate({ description: "Credits that one evaluation takes." }),
    auto_topup_credits: Schema.Int.annotate({ description: "Credits that an automatic top-up buys at most." }),
    min_topup_usd: Schema.Finite,
    max_topup_usd: Schema.Finite,
    monthly_grants: Schema.Struct({ standard: Schema.Int, pro: Schema.Int, enterprise: Schema.Int }),
    partner_pool_providers: Schema.Array(
      Schema.Struct({
        provider: Schema.String,
        credits_per_dollar: Schema.Int,
        available: Schema.Boolean
      })
    ).annotate({ description: "Who sells credits. The platform alone does." })
  })
}).annotateMerge(OpenApi.annotations({ summary: "What credits cost, and who sells them" }))

/** The answer of a top-up. */
export const CreditsToppedUp = Schema.Struct({
  success: Yes,
  message: Schema.String,
  top_up_id: Schema.String,
  bot_id: Schema.String,
  dollar_amount: Money,
  credits_purchased: Count,
  balance: Balance
}).annotate({ identifier: "CreditsToppedUp" })

const topUp = HttpApiEndpoint.post("topUpBot", `${ONE}/topup`, {
  params: BotId,
  payload: Schema.Struct({
    dollar_amount: PositiveAmountFromNumber.annotate({
      description: `USD in whole cents, more than 0, at most ${MAX_TOP_UP_USD}.`
    })
  }).annotate({ identifier: "CreditTopUp" }),
  success: CreditsToppedUp,
  error: [notOwner, arenaWire("conflict"), arenaWire("unprocessable")]
})
  .annotateMerge(
    OpenApi.annotations({
      summary: "Buy credits with USD",
      description:
        "For the user whose bot it is: 100 credits for each USD of that user's account. The credits are the company's, " +
        "written down under the bot."
    })
  )
  .annotate(Policy, movesMoney)

const Use = Schema.Struct({
  credits_used: Count,
  free_credits_used: Count,
  paid_credits_used: Count,
  evaluations: Schema.Int,
  credits_purchased: Count.annotate({ description: "Bought for the bot, by hand or automatically." }),
  usd_spent: Money
}).annotate({ identifier: "CreditUse" })

const stats = HttpApiEndpoint.get("getBotStats", `${ONE}/stats`, {
  params: BotId,
  success: Schema.Struct({
    success: Yes,
    stats: Schema.Struct({
      bot_id: Schema.String,
      period: Period,
      period_end: UtcTimestamp,
      credit_budget: Count.annotate({ description: "What it may use a month." }),
      budget_remaining: Count.annotate({ description: "What it may still use this month." }),
      auto_topup_enabled: Schema.Boolean,
      auto_topped_up: Count.annotate({ description: "What it bought automatically this month." }),
      this_period: Use,
      all_time: Use,
      last_evaluation_at: Schema.NullOr(UtcTimestamp)
    }).annotate({ identifier: "BotCreditStats" })
  }),
  error: notOwner
}).annotateMerge(OpenApi.annotations({ summary: "The credits that a bot used, this month and in all" }))

const Movement = Schema.Struct({
  seq: Schema.Int.annotate({ description: "Its place among all events." }),
  at: UtcTimestamp,
  period: Period,
  kind: Schema.Literals(["grant", "lapse", "topup", "charge"]),
  free: Schema.Int.annotate({ description: "By what the free credits changed." }),
  paid: Schema.Int.annotate({ description: "By what the paid ones changed." }),
  usd: Money.annotate({ description: "What was paid." }),
  automatic: Schema.Boolean.annotate({ description: "Whether a bot bought them by itself." }),
  bot_id: Schema.NullOr(Schema.String),
  charge_id: Schema.NullOr(Schema.String).annotate({ description: "The decision that was paid for." })
}).annotate({ identifier: "CreditMovement" })

const history = {
  success: Yes,
  entries: Schema.Array(Movement),
  ...pageFields
}

const usage = HttpApiEndpoint.get("getBotUsage", `${ONE}/usage`, {
  params: BotId,
  query: pageQuery,
  success: Schema.Struct({ ...history, bot_id: Schema.String, ...balanceFields }),
  error: notOwner
}).annotateMerge(
  OpenApi.annotations({
    summary: "A bot's credit ledger, newest first, and the company's balance",
    description: "What the bot's evaluations took and what was bought for it."
  })
)

const ledger = HttpApiEndpoint.get("listCreditMovements", "/machine-traders/credits/history", {
  query: pageQuery,
  success: Schema.Struct(history)
}).annotateMerge(
  OpenApi.annotations({
    summary: "Every movement of the company's credits, newest first",
    description: "Grants, lapses, top-ups and charges. Their sums are the balances, but for free ones yet to lapse."
  })
)

/** Credits that bots evaluate orders with. Specification 4.4, 2.19. */
export class BotCreditsApi extends HttpApiGroup.make("botCredits")
  .add(balance, rates, ledger, topUp, stats, usage)
  .middleware(Authorization)
  .prefix("/api/arena")
  .annotate(Policy, authenticated)
  .annotateMerge(
    OpenApi.annotations({ title: "Bot credits", description: "What evaluations cost, and what pays for them." })
  ) {}
