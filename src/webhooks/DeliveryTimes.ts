import { Clock, Context, Effect, Latch, Layer } from "effect"
import { sleepUntil } from "../../engine/journal/TimeLead.ts"
import { DueTimes } from "../../engine/webhooks/DueTimes.ts"
import type { DueDelivery } from "../../engine/webhooks/EndpointActor.ts"

/** New deliveries of one endpoint that wait for its check. Beyond that they are read instead. */
export const MAX_TOLD = 2_048

/** An endpoint to check; `reload` if the endpoint itself changed. */
export interface Look {
  readonly webhookId: string
  readonly reload: boolean
  /** All its new deliveries, if there are no others; undefined if the due ones have to be read. */
  readonly told: ReadonlyArray<DueDelivery> | undefined
}

/** The time of each endpoint's next check. One wheel serves all of them, so an idle one costs nothing. */
export class DeliveryTimes extends Context.Service<
  DeliveryTimes,
  {
    /** Schedules an endpoint's check at a time in milliseconds since 1970, or earlier for another reason. */
    readonly enter: (webhookId: string, at: number) => void
    /** Schedules an endpoint's check now, with deliveries that were just written, in the order of their events. */
    readonly tell: (webhookId: string, deliveries: ReadonlyArray<DueDelivery>) => void
    /** Schedules a changed endpoint's check now. */
    readonly changed: (webhookId: string) => void
    /** Those to check now. */
    readonly take: Effect.Effect<ReadonlyArray<Look>>
    /** Ends once there is an endpoint to check. */
    readonly due: Effect.Effect<void>
  }
>()("emporion/webhooks/DeliveryTimes") {
  static readonly layer = Layer.sync(this, () => {
    const times = new DueTimes()
    const changed = new Set<string>()
    const told = new Map<string, Array<DueDelivery>>()
    /** Those with more new deliveries than may wait. */
    const overfull = new Set<string>()
    const earlier = Latch.makeUnsafe(false)

    const due: Effect.Effect<void> = Effect.gen(function* () {
      for (;;) {
        earlier.closeUnsafe()
        const next = times.next()
        const wait = next === undefined ? Number.POSITIVE_INFINITY : next - (yield* Clock.currentTimeMillis)
        if (changed.size > 0 || told.size > 0 || wait <= 0) return
        yield* next === undefined ? earlier.await : Effect.raceFirst(earlier.await, sleepUntil(next))
      }
    })

    return DeliveryTimes.of({
      enter: (webhookId, at) => {
        if (times.enter(webhookId, at)) earlier.openUnsafe()
      },
      tell: (webhookId, deliveries) => {
        const waiting = told.get(webhookId) ?? []
        if (waiting.length + deliveries.length > MAX_TOLD) overfull.add(webhookId)
        else waiting.push(...deliveries)
        told.set(webhookId, waiting)
        earlier.openUnsafe()
      },
      changed: (webhookId) => {
        changed.add(webhookId)
        earlier.openUnsafe()
      },
      take: Effect.map(Clock.currentTimeMillis, (now) => {
        const due = new Set([...changed, ...times.take(now), ...overfull])
        const looks = [...due].map((webhookId): Look => ({
          webhookId,
          reload: changed.has(webhookId),
          told: undefined
        }))
        for (const [webhookId, deliveries] of told) {
          if (!due.has(webhookId)) looks.push({ webhookId, reload: false, told: deliveries })
        }
        for (const taken of [changed, overfull, told]) taken.clear()
        return looks
      }),
      due
    })
  })
}
