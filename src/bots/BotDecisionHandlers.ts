import { Effect, Schema } from "effect"
import { fromUnits, ONE, ZERO } from "../../engine/money/Amount.ts"
import { Api } from "../api/Api.ts"
import { CurrentPrincipal } from "../api/Authorization.ts"
import { pageOf } from "../api/Paging.ts"
import * as HandlerGroup from "../http/HandlerGroup.ts"
import * as ListResponse from "../http/ListResponse.ts"
import type { DecisionView } from "./DecisionRepository.ts"
import { BotDecisions, type Evaluated } from "./BotDecisions.ts"

const success = true as const

const parse = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

/** An evaluation as it is answered. Specification 4.4. */
export const evaluationAnswer = ({ event, warnings }: Evaluated) => {
  const { charge, decision, decisionId } = event
  return {
    success,
    evaluation: {
      should_commit: decision.code === "commit",
      decision_reason: `${decision.code}: ${decision.reason}`,
      expected_profit: decision.expectedProfit,
      roi_percent: decision.roiPercent,
      status: "decision_made" as const,
      decision_id: decisionId,
      decision_code: decision.code,
      fair_price: decision.fairPrice,
      proposed_entry_price: decision.bid,
      slippage_tolerance: decision.tolerance ?? ZERO,
      expected_exit_price: decision.exitPrice,
      quantity: decision.quantity,
      collateral: decision.collateral,
      warnings
    },
    credits_charged: charge === null ? 0 : Number(fromUnits(charge.free + charge.paid) / ONE)
  }
}

const listed = (view: DecisionView) => {
  const decision = parse(view.decision)
  return {
    decision_id: view.decisionId,
    order_id: view.orderId,
    at: view.at,
    dry_run: view.dryRun,
    should_commit: view.code === "commit",
    decision_code: view.code,
    decision_reason: `${view.code}: ${String(decision["reason"])}`,
    credits_charged: Number(view.credits / ONE),
    input: parse(view.input),
    decision
  }
}

/** What bots decide, over HTTP. Specification 4.4. */
export const layer = HandlerGroup.group(
  Api,
  "botDecisions",
  Effect.fnUntraced(function* (handlers) {
    const decisions = yield* BotDecisions

    return handlers.handleAll({
      evaluateOrder: Effect.fnUntraced(function* ({ params, payload }) {
        const asker = yield* CurrentPrincipal
        return evaluationAnswer(yield* decisions.evaluate(asker, params.bot_id, payload.order_id))
      }, Effect.uninterruptible),
      listBotDecisions: Effect.fnUntraced(function* ({ params, query }) {
        const asker = yield* CurrentPrincipal
        const page = pageOf(query)
        const found = yield* decisions.list(asker, params.bot_id, page)
        return { success, decisions: found.decisions.map(listed), ...(yield* ListResponse.inArena(page, found)) }
      })
    })
  })
)
