import { Context, Effect, Layer } from "effect"
import type { Scope } from "effect"

/** Hears that deliveries of a webhook became due. Must not wait. */
export type BellListener = (webhookId: string) => void

/** Tells the dispatcher that a retry by hand is due, so that it need not poll for it. */
export class WakeSignal extends Context.Service<
  WakeSignal,
  {
    readonly ring: (webhookId: string) => Effect.Effect<void>
    /** Hears it ring, for as long as the scope lasts. */
    readonly listen: (listener: BellListener) => Effect.Effect<void, never, Scope.Scope>
  }
>()("emporion/webhooks/WakeSignal") {
  static readonly layer = Layer.sync(this, () => {
    const listeners = new Set<BellListener>()
    return WakeSignal.of({
      ring: (webhookId) =>
        Effect.sync(() => {
          for (const listener of listeners) listener(webhookId)
        }),
      listen: (listener) =>
        Effect.acquireRelease(
          Effect.sync(() => void listeners.add(listener)),
          () => Effect.sync(() => listeners.delete(listener))
        )
    })
  })
}
