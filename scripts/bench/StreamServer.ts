/**
 * The whole program in a process that also tells its stream of commitments, at a given rate, as the journal tells of
 * them after their commit. Nothing is written, so that what is measured is the stream's own work.
 */
import { Context, Effect, Layer, Metric, References, Scope } from "effect"
import { orderStream } from "../../engine/arena/Order.ts"
import * as App from "../../src/App.ts"
import { Settings } from "../../src/Config.ts"
import type { CommitListener } from "../../engine/journal/GroupWriter.ts"
import { NO_ACCOUNTS } from "../../test/lib/NoAccounts.ts"
import * as TestRuntime from "../../test/lib/TestRuntime.ts"
import { UnitOfWork } from "../../src/database/UnitOfWork.ts"
import { HttpServer } from "../../src/http/HttpServer.ts"
import { module as stream } from "../../src/stream/StreamModule.ts"
import { commitmentAt } from "./StreamEvents.ts"
import { microsNow, paced, type PublishPlan, type Published } from "./StreamPublishing.ts"
import { serve } from "./Worker.ts"

/** Starts the program on a database with this order. */
export interface StartStream {
  readonly kind: "start"
  readonly variables: Readonly<Record<string, string>>
  readonly orderId: string
}

/** Asks how many bytes wait for clients. */
export interface AskHeld {
  readonly kind: "held"
}

const held = (): number => {
  const metric = Metric.snapshotUnsafe(Context.empty()).find(({ id }) => id === "emporion_stream_buffered_bytes")
  return metric?.type === "Gauge" ? Number(metric.state.value) : 0
}

const listeners: Array<CommitListener> = []

/** The journal, with the stream's listener known here. */
const tapped = Layer.effect(
  UnitOfWork,
  Effect.map(UnitOfWork, (journal) =>
    UnitOfWork.of({ ...journal, onCommit: (listener) => Effect.sync(() => void listeners.push(listener)) })
  )
)

const application = (variables: StartStream["variables"]) =>
  App.server.pipe(
    Layer.provide(Layer.fresh(stream.services).pipe(Layer.provide(tapped))),
    Layer.provide(TestRuntime.layer),
    Layer.provideMerge(App.services),
    Layer.provideMerge(App.oracles),
    Layer.provideMerge(App.database),
    Layer.provideMerge(Settings.layerOf(variables)),
    Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "Error"))
  )

const state = { orderId: "", seq: 0, version: 1 }

const start = Effect.fnUntraced(function* ({ variables, orderId }: StartStream) {
  const context = yield* Layer.buildWithScope(application(variables), yield* Scope.make())
  state.orderId = orderId
  state.seq = yield* Context.get(context, UnitOfWork).lastSeq
  return Number(new URL(Context.get(context, HttpServer).url).port)
})

/** Tells of many commitments of one order, as of one transaction. */
const tell = (count: number): void => {
  const micros = microsNow()
  const events = Array.from({ length: count }, () => {
    state.seq += 1
    state.version += 1
    return {
      seq: state.seq,
      stream: orderStream(state.orderId),
      version: state.version,
      event: commitmentAt(state.version, micros, state.orderId),
      hash: ""
    }
  })
  for (const listener of listeners) listener(events, NO_ACCOUNTS)
}

serve((request: StartStream | PublishPlan | AskHeld): Promise<number | Published> | number => {
  if (request.kind === "publish") return paced(request, tell)
  return request.kind === "held" ? held() : Effect.runPromise(Effect.orDie(start(request)))
})
