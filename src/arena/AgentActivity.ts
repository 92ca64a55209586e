import { Context, Effect, Layer, Metric } from "effect"

const skippedOrders = Metric.counter("emporion_arena_skipped_orders", {
  description: "Orders not made in their slot, for want of a safe price or of maker capital",
  incremental: true
})

/** What the order agent has been doing since the start. */
export class AgentActivity extends Context.Service<
  AgentActivity,
  {
    readonly isRunning: () => boolean
    readonly setRunning: (running: boolean) => void
    readonly skipped: () => number
    readonly skip: (assetType: string, reason: string) => Effect.Effect<void>
  }
>()("emporion/arena/AgentActivity") {
  static readonly layer = Layer.sync(this, () => {
    const state = { running: false, skipped: 0 }
    return AgentActivity.of({
      isRunning: () => state.running,
      setRunning: (running) => {
        state.running = running
      },
      skipped: () => state.skipped,
      skip: (assetType, reason) =>
        Effect.suspend(() => {
          state.skipped += 1
          return Effect.andThen(
            Metric.update(skippedOrders, 1),
            Effect.logWarning(`No ${assetType} order in this slot: ${reason}`)
          )
        })
    })
  })
}
