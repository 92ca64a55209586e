import { Clock, Context, Duration, Effect, Latch, Layer } from "effect"
import { sleepUntil } from "../../engine/journal/TimeLead.ts"
import { dayOf, nextDayAt, roomOf } from "../../engine/webhooks/DeliveryQuota.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { Companies } from "../identity/companies/Companies.ts"
import { untilDone } from "../UntilDone.ts"
import { DeliveryRepository } from "./DeliveryRepository.ts"
import { DeliveryTimes } from "./DeliveryTimes.ts"
import { OutboxRepository } from "./OutboxRepository.ts"

/** Deliveries that are let go on in one transaction. */
const MAX_RELEASED = 1_000

/** The pause before a failed release is tried again. */
const AGAIN = Duration.seconds(10)

/** How many deliveries of a company go on in one transaction, and to which webhooks. */
const releaseSome = Effect.fnUntraced(function* (companyId: string) {
  const { begun, release } = yield* DeliveryRepository
  const { transaction, turn } = yield* OutboxRepository
  const { standings } = yield* Companies
  const now = yield* Clock.currentTimeMillis
  const day = dayOf(now)
  const plan = (yield* standings([companyId])).get(companyId)?.plan ?? "standard"
  const released = yield* transaction(
    Effect.gen(function* () {
      yield* turn
      const room = roomOf(plan, (yield* begun([companyId], day)).get(companyId) ?? 0)
      return room === 0 ? [] : yield* release(companyId, day, Math.min(room, MAX_RELEASED), now)
    })
  )
  const times = yield* DeliveryTimes
  for (const { webhookId } of released) times.enter(webhookId, now)
  return released.reduce((sum, one) => sum + one.released, 0)
})

/** Releases deliveries that a day's quota held: when the day turns, and when the plan grows, the oldest first. */
export class HeldDeliveries extends Context.Service<
  HeldDeliveries,
  {
    /** Releases those that there is room for; returns how many. */
    readonly release: Effect.Effect<number, Unavailable>
    /** Ends once there may be room: the day turned, or a company has another plan. */
    readonly called: Effect.Effect<void>
  }
>()("emporion/webhooks/HeldDeliveries") {
  static readonly layer: Layer.Layer<
    HeldDeliveries,
    never,
    Companies | DeliveryRepository | DeliveryTimes | OutboxRepository | UnitOfWork
  > = Layer.effect(
    this,
    Effect.gen(function* () {
      const { holding } = yield* DeliveryRepository
      const planned = Latch.makeUnsafe(false)
      const inside = Effect.provideContext(
        yield* Effect.context<Companies | DeliveryRepository | DeliveryTimes | OutboxRepository>()
      )
      yield* (yield* UnitOfWork).onCommit((events) => {
        if (events.some(({ event }) => event._tag === "CompanyPlanSet")) planned.openUnsafe()
      })

      const releaseAll = Effect.fnUntraced(function* (companyId: string) {
        let sum = 0
        for (let some = MAX_RELEASED; some === MAX_RELEASED; sum += some) some = yield* inside(releaseSome(companyId))
        return sum
      })
      return HeldDeliveries.of({
        release: Effect.flatMap(holding, (companies) => Effect.forEach(companies, releaseAll)).pipe(
          Effect.map((released) => released.reduce((sum, one) => sum + one, 0)),
          Effect.withSpan("HeldDeliveries.release")
        ),
        called: Effect.gen(function* () {
          planned.closeUnsafe()
          const now = yield* Clock.currentTimeMillis
          yield* Effect.raceFirst(planned.await, sleepUntil(nextDayAt(now)))
        })
      })
    })
  )

  /** Looks at the start, and whenever there may be room, for ever. */
  static readonly running: Layer.Layer<never, never, HeldDeliveries> = Layer.effectDiscard(
    Effect.gen(function* () {
      const { called, release } = yield* HeldDeliveries
      const again = untilDone(release, "Held deliveries of webhooks wait", AGAIN)
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(again, called)))
    })
  )
}
