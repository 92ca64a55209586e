import { Effect, Layer } from "effect"
import { Settings } from "../Config.ts"
import { type Module, nothing } from "../Module.ts"
import * as Retention from "../Retention.ts"
import * as RequestHandlers from "./RequestHandlers.ts"
import { RequestLog } from "./RequestLog.ts"
import { RequestLogRepository } from "./RequestLogRepository.ts"
import { RequestRecorder } from "./RequestRecorder.ts"

/** The log, at its age. */
const retention = Retention.running(
  Effect.gen(function* () {
    const { retention: kept } = yield* Settings
    const { prune } = yield* RequestLogRepository
    return {
      kind: "requests",
      days: kept.requests,
      step: Retention.stepOver((horizon) => prune(horizon, Retention.STEP_ROWS))
    }
  })
)

/** The log of requests and their answers. */
export const module = {
  ...nothing,
  personal: [{ table: "request_log", subject: "user_id" }],
  services: Layer.mergeAll(RequestLog.layer, RequestRecorder.noting).pipe(
    Layer.provideMerge(RequestRecorder.layer),
    Layer.provideMerge(RequestLogRepository.layer)
  ),
  handlers: RequestHandlers.layer,
  background: Layer.merge(RequestRecorder.running, retention)
} satisfies Module
