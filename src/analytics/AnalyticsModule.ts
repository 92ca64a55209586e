import { Layer } from "effect"
import { EventLogRepository } from "../database/EventLogRepository.ts"
import { type Module, nothing } from "../Module.ts"
import { ActivityRecorder } from "./ActivityRecorder.ts"
import { ActivityRepository } from "./ActivityRepository.ts"
import { Analytics } from "./Analytics.ts"
import * as AnalyticsHandlers from "./AnalyticsHandlers.ts"
import { UsageRecorder } from "./UsageRecorder.ts"
import { UsageRepository } from "./UsageRepository.ts"

/** What companies ask for and do, counted. */
export const module = {
  ...nothing,
  services: Layer.mergeAll(Analytics.layer, UsageRecorder.counting).pipe(
    Layer.provideMerge(Layer.mergeAll(UsageRecorder.layer, ActivityRecorder.layer)),
    Layer.provideMerge(Layer.mergeAll(UsageRepository.layer, ActivityRepository.layer)),
    Layer.provide(EventLogRepository.layer)
  ),
  handlers: AnalyticsHandlers.layer,
  background: Layer.merge(UsageRecorder.running, ActivityRecorder.running)
} satisfies Module
