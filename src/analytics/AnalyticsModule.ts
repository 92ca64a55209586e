import { Effect, Layer } from "effect"
import { Settings } from "../Config.ts"
import { EventLogRepository } from "../database/EventLogRepository.ts"
import { type Module, nothing } from "../Module.ts"
import * as Retention from "../Retention.ts"
import { ActivityRecorder } from "./ActivityRecorder.ts"
import { ActivityRepository } from "./ActivityRepository.ts"
import { Analytics } from "./Analytics.ts"
import * as AnalyticsHandlers from "./AnalyticsHandlers.ts"
import { UsageRecorder } from "./UsageRecorder.ts"
import { UsageRepository } from "./UsageRepository.ts"

const DAY = 86_400_000

/** The counts, at their age. */
const retention = Retention.running(
  Effect.gen(function* () {
    const { retention: kept } = yield* Settings
    const usage = yield* UsageRepository
    const activity = yield* ActivityRepository
    const step = Retention.stepOver(
      (horizon) => usage.prune(Math.floor(horizon / DAY), Retention.STEP_ROWS),
      (horizon) => activity.prune(Math.floor(horizon / DAY), Retention.STEP_ROWS)
    )
    return { kind: "usage", days: kept.usage, step }
  })
)

/** What companies ask for and do, counted. */
export const module = {
  ...nothing,
  services: Layer.mergeAll(Analytics.layer, UsageRecorder.counting).pipe(
    Layer.provideMerge(Layer.mergeAll(UsageRecorder.layer, ActivityRecorder.layer)),
    Layer.provideMerge(Layer.mergeAll(UsageRepository.layer, ActivityRepository.layer)),
    Layer.provide(EventLogRepository.layer)
  ),
  handlers: AnalyticsHandlers.layer,
  background: Layer.mergeAll(UsageRecorder.running, ActivityRecorder.running, retention)
} satisfies Module
