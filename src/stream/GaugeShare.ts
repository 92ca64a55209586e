import { Effect, type Metric, type Scope } from "effect"

/**
 * One of several parts of a process that a gauge shows the sum of, as long as the scope lives. Answers what tells the
 * part's own value.
 */
export const gaugeShare = Effect.fnUntraced(function* (
  gauge: Metric.Gauge<number>
): Effect.fn.Return<(value: number) => void, never, Scope.Scope> {
  const context = yield* Effect.context<never>()
  let told = 0
  const tell = (value: number): void => {
    gauge.modifyUnsafe(value - told, context)
    told = value
  }
  yield* Effect.addFinalizer(() => Effect.sync(() => tell(0)))
  return tell
})
