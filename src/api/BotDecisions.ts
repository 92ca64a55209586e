import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { DECISION_CODES } from "../../engine/bots/Evaluation.ts"
import { arenaWire } from "./ApiError.ts"
import { Authorization, authenticated, movesMoney, Policy } from "./Authorization.ts"
import { AmountFromNumber as Money, SignedAmount } from "./Money.ts"
import { pageFields, pageQuery } from "./Paging.ts"
import { text } from "./Text.ts"
import { UtcTimestamp } from "./Timestamp.ts"

const Yes = Schema.Literal(true)

const BotId = { bot_id: text(1, 64) }

const Code = Schema.Literals(DECISION_CODES)

/** What a bot would do about an order. Specification 4.4. */
export const Evaluation = Schema.Struct({
  should_commit: Schema.Boolean,
  decision_reason: Schema.String.annotate({ description: "A code and a sentence, such as `commit: …`." }),
  expected_profit: SignedAmount,
  roi_percent: SignedAmount,
  status: Schema.Literal("decision_made"),
  decision_id: Schema.String.annotate({ description: "Extension." }),
  decision_code: Code.annotate({ description: "Extension: the code alone." }),
  fair_price: Schema.NullOr(Money).annotate({ description: "Extension: what the bot holds it for worth." }),
  proposed_entry_price: Money.annotate({ description: "Extension: what it would bid." }),
  slippage_tolerance: Money.annotate({ description: "Extension: how far its bid floats above that." }),
  expected_exit_price: Money.annotate({ description: "Extension: where it would take its profit." }),
  quantity: Money.annotate({ description: "Extension." }),
  collateral: Money.annotate({ description: "Extension." }),
  warnings: Schema.Array(Schema.String).annotate({
    description: "Extension: such as ARENA_007 while too few machine traders take part for one to win."
  })
}).annotate({ identifier: "Evaluation" })

export const EvaluationAnswer = Schema.Struct({
  success: Yes,
  evaluation: Evaluation,
  credits_charged: Schema.Int
})

const evaluate = HttpApiEndpoint.post("evaluateOrder", "/machine-traders/:bot_id/evaluate", {
  params: BotId,
  payload: Schema.Struct({ order_id: text(1, 200) }).annotate({ identifier: "EvaluationRequest" }),
  success: EvaluationAnswer,
  error: [
    arenaWire("access_denied"),
    arenaWire("ARENA_001"),
    arenaWire("ARENA_003"),
    arenaWire("ARENA_004"),
    arenaWire("conflict"),
    arenaWire("unprocessable")
  ]
})
  .annotateMerge(
    OpenApi.annotations({
      summary: "What a bot would do about an open order (costs a credit)",
      description: "Nothing is committed. Nothing is charged for what is refused."
    })
  )
  .annotate(Policy, movesMoney)

/** A decision with everything that it was decided on, from which it can be decided again. */
export const BotDecision = Schema.Struct({
  decision_id: Schema.String,
  order_id: Schema.String,
  at: UtcTimestamp,
  dry_run: Schema.Boolean,
  should_commit: Schema.Boolean,
  decision_code: Code,
  decision_reason: Schema.String,
  credits_charged: Schema.Int,
  input: Schema.Record(Schema.String, Schema.Unknown).annotate({
    description: "What it was decided on, as it was recorded: amounts are decimal strings of 10⁻⁶."
  }),
  decision: Schema.Record(Schema.String, Schema.Unknown).annotate({
    description: "What was decided, as it was recorded."
  })
}).annotate({ identifier: "BotDecision" })

const decisions = HttpApiEndpoint.get("listBotDecisions", "/machine-traders/:bot_id/decisions", {
  params: BotId,
  query: { ...pageQuery },
  success: Schema.Struct({ success: Yes, decisions: Schema.Array(BotDecision), ...pageFields }),
  error: arenaWire("access_denied")
}).annotateMerge(OpenApi.annotations({ summary: "What a bot decided and why, newest first" }))

/** What bots decide. Specification 4.4. */
export class BotDecisionsApi extends HttpApiGroup.make("botDecisions")
  .add(evaluate, decisions)
  .middleware(Authorization)
  .prefix("/api/arena")
  .annotate(Policy, authenticated)
  .annotateMerge(OpenApi.annotations({ title: "Bot decisions", description: "Evaluations and their reasons." })) {}
