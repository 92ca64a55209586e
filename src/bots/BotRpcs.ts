import { Effect } from "effect"
import { wireOf } from "../../engine/wire/JsonEncoder.ts"
import { EvaluationAnswer } from "../api/BotDecisions.ts"
import { BotGuard } from "../api/Bots.ts"
import { isoUtc } from "../api/Timestamp.ts"
import { cancelAfter, evaluate, pauseAll } from "../api/rpc/FastLane.ts"
import { answering } from "../rpc/RpcHandler.ts"
import { evaluationAnswer } from "./BotDecisionHandlers.ts"
import { BotDecisions } from "./BotDecisions.ts"
import { makeStopping } from "./BotKillSwitch.ts"

const encode = wireOf(EvaluationAnswer)

const encodeGuard = wireOf(BotGuard)

/** What bots answer on the fast lane. Specification 4.4. */
export const botRpcs = Effect.map(Effect.all([BotDecisions, makeStopping]), ([decisions, stopping]) => [
  answering(evaluate, ({ bot_id: botId, order_id: orderId }, { principal }) =>
    Effect.uninterruptible(
      Effect.map(decisions.evaluate(principal, botId, orderId), (evaluated) => {
        const { success: _, ...answer } = encode(evaluationAnswer(evaluated))
        return answer
      })
    )
  ),
  answering(pauseAll, ({ scope }, { principal }) =>
    Effect.uninterruptible(
      Effect.map(stopping.now(principal, scope), ({ haltedAt, paused }) => ({
        paused,
        ...(haltedAt === undefined ? {} : { halted_at: isoUtc(haltedAt) })
      }))
    )
  ),
  answering(cancelAfter, ({ scope, timeout_seconds: seconds }, { principal }) =>
    Effect.uninterruptible(
      Effect.map(stopping.after(principal, seconds, scope), ({ at, haltedAt }) => {
        const { success: _, ...guard } = encodeGuard({
          success: true,
          timeout_seconds: seconds,
          pauses_at: at,
          ...(haltedAt !== undefined && { halted_at: haltedAt })
        })
        return guard
      })
    )
  )
])
