/** The whole program in a process, whose counting of usage can be turned off and on. */
import { Context, Effect, Layer, References, Scope } from "effect"
import { UsageRecorder } from "../../src/analytics/UsageRecorder.ts"
import * as App from "../../src/App.ts"
import { Settings } from "../../src/Config.ts"
import { HttpServer } from "../../src/http/HttpServer.ts"
import * as BunRuntime from "../../src/runtime/bun/BunRuntime.ts"
import { RequestUsage } from "../../src/http/RequestUsage.ts"
import { serve } from "./Worker.ts"

/** Starts the program on a database; answers its port. */
export interface StartUsage {
  readonly kind: "start"
  readonly variables: Readonly<Record<string, string>>
}

/** Counts from now on, or no longer. */
export interface TurnUsage {
  readonly kind: "turn"
  readonly isCounting: boolean
}

const state = { isCounting: true }

const switched = Layer.effect(
  RequestUsage,
  Effect.map(RequestUsage, (count) =>
    RequestUsage.of((...request) => {
      if (state.isCounting) count(...request)
    })
  )
)

const application = ({ variables }: StartUsage) =>
  App.server.pipe(
    Layer.provide(switched),
    Layer.provideMerge(UsageRecorder.running),
    Layer.provide(BunRuntime.layer),
    Layer.provideMerge(App.services),
    Layer.provideMerge(App.oracles),
    Layer.provideMerge(App.database),
    Layer.provideMerge(Settings.layerOf(variables)),
    Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "Error"))
  )

const start = Effect.fnUntraced(function* (plan: StartUsage) {
  const context = yield* Layer.buildWithScope(application(plan), yield* Scope.make())
  return Number(new URL(Context.get(context, HttpServer).url).port)
})

serve((request: StartUsage | TurnUsage): Promise<number> | number => {
  if (request.kind === "start") return Effect.runPromise(Effect.orDie(start(request)))
  state.isCounting = request.isCounting
  return 0
})
