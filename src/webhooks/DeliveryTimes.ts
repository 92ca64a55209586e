import { Clock, Context, Effect, Latch, Layer } from "effect"
import { DueTimes } from "../../engine/webhook/DueTimes.ts"

/** An endpoint that is to be looked at; `reload` where it changed itself. */
export interface Look {
  readonly webhookId: string
  readonly reload: boolean
}

/** When which endpoint is looked at next: one wheel for all of them, so that an idle one costs nothing. */
export class DeliveryTimes extends Context.Service<
  DeliveryTimes,
  {
    /** Lets an endpoint be looked at, at a time in milliseconds since 1970, or earlier for another reason. */
    readonly enter: (webhookId: string, at: number) => void
    /** Lets an endpoint that changed be looked at now. */
    readonly changed: (webhookId: string) => void
    /** Those that are to be looked at now. */
    readonly take: Effect.Effect<ReadonlyArray<Look>>
    /** Ends once there is somebody to look at. */
    readonly due: Effect.Effect<void>
  }
>()("emporion/webhooks/DeliveryTimes") {
  static readonly layer = Layer.sync(this, () => {
    const times = new DueTimes()
    const changed = new Set<string>()
    const earlier = Latch.makeUnsafe(false)

    const due: Effect.Effect<void> = Effect.gen(function* () {
      for (;;) {
        earlier.closeUnsafe()
        const next = times.next()
        const wait = next === undefined ? Number.POSITIVE_INFINITY : next - (yield* Clock.currentTimeMillis)
        if (changed.size > 0 || wait <= 0) return
        yield* next === undefined ? earlier.await : Effect.raceFirst(earlier.await, Effect.sleep(wait))
      }
    })

    return DeliveryTimes.of({
      enter: (webhookId, at) => {
        if (times.enter(webhookId, at)) earlier.openUnsafe()
      },
      changed: (webhookId) => {
        changed.add(webhookId)
        earlier.openUnsafe()
      },
      take: Effect.map(Clock.currentTimeMillis, (now) => {
        const looks = times.take(now).filter((webhookId) => !changed.has(webhookId))
        const reloads = [...changed]
        changed.clear()
        return [
          ...reloads.map((webhookId) => ({ webhookId, reload: true })),
          ...looks.map((webhookId) => ({ webhookId, reload: false }))
        ]
      }),
      due
    })
  })
}
