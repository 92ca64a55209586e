/** The whole program in a process, with usage counted and written or with neither. */
import { Context, Effect, Layer, References, Scope } from "effect"
import { UsageRecorder } from "../../src/analytics/UsageRecorder.ts"
import * as App from "../../src/App.ts"
import { Settings } from "../../src/Config.ts"
import { BunServer } from "../../src/http/BunServer.ts"
import { RequestUsage } from "../../src/http/RequestUsage.ts"
import { serve } from "./Worker.ts"

/** Starts the program on a database. */
export interface UsagePlan {
  readonly variables: Readonly<Record<string, string>>
  readonly isCounting: boolean
}

const nobodyCounts = Layer.succeed(RequestUsage, () => {})

const counted = App.server.pipe(Layer.provideMerge(UsageRecorder.running))

const uncounted = App.server.pipe(Layer.provide(nobodyCounts))

const application = ({ isCounting, variables }: UsagePlan) =>
  (isCounting ? counted : uncounted).pipe(
    Layer.provideMerge(App.services),
    Layer.provideMerge(App.oracles),
    Layer.provideMerge(App.database),
    Layer.provideMerge(Settings.layerOf(variables)),
    Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "Error"))
  )

const start = Effect.fnUntraced(function* (plan: UsagePlan) {
  const context = yield* Layer.buildWithScope(application(plan), yield* Scope.make())
  return Number(new URL(Context.get(context, BunServer).url).port)
})

serve((plan: UsagePlan) => Effect.runPromise(Effect.orDie(start(plan))))
