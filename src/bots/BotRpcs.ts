import { Effect, Schema } from "effect"
import { ApiError } from "../api/ApiError.ts"
import { asApiError } from "../api/ArenaRefusal.ts"
import { EvaluationAnswer } from "../api/BotDecisions.ts"
import { evaluate } from "../api/rpc/FastLane.ts"
import { answering } from "../rpc/RpcHandler.ts"
import { evaluationAnswer, told } from "./BotDecisionHandlers.ts"
import { BotDecisions } from "./BotDecisions.ts"

const encode = Schema.encodeSync(EvaluationAnswer)

/** What bots answer on the fast lane. Specification 4.4. */
export const botRpcs = Effect.map(BotDecisions, (decisions) => [
  answering(evaluate, ({ bot_id: botId, order_id: orderId }, { principal }) =>
    Effect.uninterruptible(
      Effect.mapBoth(decisions.evaluate(principal, botId, orderId), {
        onSuccess: (evaluated) => {
          const { success: _, ...answer } = encode(evaluationAnswer(evaluated))
          return answer
        },
        onFailure: (error) => {
          const refusal = told(error)
          return refusal instanceof ApiError || refusal._tag === "Unavailable" ? refusal : asApiError(refusal)
        }
      })
    )
  )
])
