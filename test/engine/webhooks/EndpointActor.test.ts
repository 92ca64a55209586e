import { describe, expect, it } from "bun:test"
import { Effect, Exit, Scope, Semaphore } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { ATTEMPT_DELAYS, MAX_ATTEMPTS } from "../../../engine/webhooks/DeliverySchedule.ts"
import { MAX_SENDING, MAX_TAKEN } from "../../../engine/webhooks/EndpointActor.ts"
import { DISABLED_AFTER } from "../../../engine/webhooks/EndpointHealth.ts"
import { DeliveryScenario, type Meeting, type PlayedDelivery } from "../../lib/DeliveryScenario.ts"
import { itEffect } from "../../lib/Effects.ts"
import { property } from "../../lib/Property.ts"

const START = 1_000_000

/** Longer than all attempts of a delivery with the waits between. */
const LONG = 1_000_000

const meetings: fc.Arbitrary<ReadonlyArray<Meeting>> = fc.array(
  fc.record({ status: fc.constantFrom(200, 204, 301, 404, 500, null), after: fc.integer({ min: 1, max: 5_000 }) }),
  { minLength: 0, maxLength: MAX_ATTEMPTS, size: "max" }
)

const webhooks = fc.constantFrom("whk_a", "whk_b", "whk_c")

const deliveriesOf = (most: number): fc.Arbitrary<ReadonlyArray<PlayedDelivery>> =>
  fc.array(fc.record({ webhookId: webhooks, meetings }), { minLength: 1, maxLength: most, size: "max" })

const isSuccess = ({ status }: Meeting): boolean => status === 200 || status === 204

/** The attempts of a delivery that nothing keeps waiting, as the specification's table has them. */
const scheduleOf = (deliveryId: string, given: ReadonlyArray<Meeting>) => {
  const begun = []
  let ended = START
  for (const [index, delay] of ATTEMPT_DELAYS.entries()) {
    const meeting = given[index] ?? { status: 200, after: 0 }
    begun.push({ deliveryId, n: index + 1, at: ended + delay })
    ended += delay + meeting.after
    if (isSuccess(meeting)) return { begun, isDelivered: true }
  }
  return { begun, isDelivered: false }
}

const inTestTime = <A>(body: Effect.Effect<A, never, Scope.Scope>): Promise<A> =>
  Effect.runPromise(
    Effect.scoped(Effect.andThen(TestClock.setTime(START), body)).pipe(Effect.provide(TestClock.layer()))
  )

const byDelivery = (begun: ReadonlyArray<{ readonly deliveryId: string; readonly n: number }>) =>
  begun.toSorted((one, other) => one.deliveryId.localeCompare(other.deliveryId) || one.n - other.n)

describe("an endpoint's actor", () => {
  it("attempts each delivery exactly when it is due, however the others fare", () =>
    fc.assert(
      fc.asyncProperty(deliveriesOf(12), (list) =>
        inTestTime(
          Effect.gen(function* () {
            const play = new DeliveryScenario(list, START)
            yield* play.start
            yield* TestClock.adjust(LONG)
            const expected = list.map((one, index) => scheduleOf(`whd_${index}`, one.meetings))
            expect(byDelivery(play.begun)).toEqual(byDelivery(expected.flatMap(({ begun }) => begun)))
            expect([...play.states.values()].map(({ status }) => status)).toEqual(
              expected.map(({ isDelivered }) => (isDelivered ? "delivered" : "failed"))
            )
          })
        )
      ),
      property(5)
    ))

  it("makes no more attempts at a time than its limit, and leaves none out", () =>
    fc.assert(
      fc.asyncProperty(deliveriesOf(90), (list) =>
        inTestTime(
          Effect.gen(function* () {
            const play = new DeliveryScenario(list, START)
            yield* play.start
            yield* TestClock.adjust(3 * LONG)
            expect(play.records.length).toBe(play.begun.length)
            expect(Math.max(...play.most.values())).toBeLessThanOrEqual(MAX_SENDING)
            for (const [index, one] of list.entries()) {
              const { begun, isDelivered } = scheduleOf(`whd_${index}`, one.meetings)
              const state = play.states.get(`whd_${index}`)
              expect(state).toEqual({
                status: isDelivered ? "delivered" : "failed",
                attempts: begun.length,
                dueAt: null
              })
            }
          })
        )
      ),
      property(20)
    ))

  it("loses nothing by a crash at any moment: what was under way is attempted again", () =>
    fc.assert(
      fc.asyncProperty(
        deliveriesOf(20),
        fc.array(fc.integer({ min: 0, max: 120_000 }), { minLength: 1, maxLength: 5 }),
        (list, moments) =>
          inTestTime(
            Effect.gen(function* () {
              const play = new DeliveryScenario(list, START)
              for (const moment of moments) {
                const scope = yield* Scope.make()
                yield* Scope.provide(play.start, scope)
                yield* TestClock.adjust(moment)
                yield* Scope.close(scope, Exit.void)
              }
              yield* play.start
              yield* TestClock.adjust(2 * LONG)
              for (const [index, one] of list.entries()) {
                const { begun, isDelivered } = scheduleOf(`whd_${index}`, one.meetings)
                const state = play.states.get(`whd_${index}`)
                expect([state?.status, state?.attempts]).toEqual([isDelivered ? "delivered" : "failed", begun.length])
              }
            })
          )
      ),
      property(10)
    ))

  it("sends once, in the order of the events, whatever is told while it reads", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            told: fc.integer({ min: 0, max: 40 }),
            lag: fc.integer({ min: 0, max: 3 }),
            pause: fc.integer({ min: 0, max: 4 })
          })
        ),
        fc.array(fc.boolean()),
        fc.integer({ min: 0, max: 3 }),
        (steps, looks, readFor) =>
          inTestTime(
            Effect.gen(function* () {
              const play = new DeliveryScenario([], START)
              const inTurn = yield* Semaphore.make(1)
              play.readFor = readFor
              yield* play.start
              for (const [index, { lag, pause, told }] of steps.entries()) {
                if (looks[index] === true) yield* Effect.forkChild(play.look("whk_a"))
                if (told > 0) yield* Effect.forkChild(inTurn.withPermits(1)(play.tell("whk_a", told, pause, lag)))
                yield* TestClock.adjust(pause)
              }
              yield* TestClock.adjust(LONG)
              const all = [...play.states.keys()]
              expect(play.begun.map(({ deliveryId }) => deliveryId)).toEqual(all)
              expect(play.records.length).toBe(all.length)
            })
          )
      ),
      property(5)
    ))

  itEffect("reads nothing while it is told all, and what was more than it keeps", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(START)
      const play = new DeliveryScenario([], START)
      yield* play.start
      yield* play.tell("whk_a", 1, 0)
      yield* TestClock.adjust(10)
      // It began with that: an actor that starts reads what was due before.
      expect([play.reads, play.begun.length]).toEqual([1, 1])
      for (let times = 0; times < 3; times += 1) {
        yield* play.tell("whk_a", 100, 1)
        yield* TestClock.adjust(100)
      }
      expect([play.reads, play.records.length]).toEqual([1, 301])
      yield* play.tell("whk_a", MAX_TAKEN, 1)
      yield* play.tell("whk_a", MAX_TAKEN, 1)
      yield* TestClock.adjust(10_000)
      expect(play.reads).toBeGreaterThan(1)
      expect([play.begun.length, play.records.length]).toEqual([301 + 2 * MAX_TAKEN, 301 + 2 * MAX_TAKEN])
    })
  )

  itEffect("goes on when what it reads was away", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(START)
      const play = new DeliveryScenario([{ webhookId: "whk_a", meetings: [{ status: 500, after: 1 }] }], START)
      yield* play.start
      yield* TestClock.adjust(1_000)
      play.isAway = true
      yield* TestClock.adjust(30_000)
      expect(play.begun.length).toBe(1)
      play.isAway = false
      yield* TestClock.adjust(2_000)
      expect([...play.states.values()]).toEqual([{ status: "delivered", attempts: 2, dueAt: null }])
    })
  )

  itEffect("is disabled by the first failure five days after the first one, and sends no more", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(START)
      const failing = Array.from({ length: MAX_ATTEMPTS }, () => ({ status: 503, after: 10 }))
      const play = new DeliveryScenario([{ webhookId: "whk_a", meetings: failing }], START)
      play.failingSince.set("whk_a", START - DISABLED_AFTER + 60_000)
      yield* play.start
      yield* TestClock.adjust(LONG)
      // At 0, 5, 30 s; the fourth ends after the five days.
      expect(play.begun.map(({ n }) => n)).toEqual([1, 2, 3, 4])
      expect(play.disabled).toEqual([{ webhookId: "whk_a", failingSince: START - DISABLED_AFTER + 60_000 }])
      expect([...play.states.values()][0]?.status).toBe("pending")
    })
  )

  itEffect("tries no more than its limit at a time of those that hang", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(START)
      const hanging = {
        webhookId: "whk_a",
        meetings: Array.from({ length: 5 }, () => ({ status: null, after: 5_000 }))
      }
      const play = new DeliveryScenario(
        Array.from({ length: 100 }, () => hanging),
        START
      )
      yield* play.start
      yield* TestClock.adjust(4_999)
      expect(play.begun.length).toBe(MAX_SENDING)
      yield* TestClock.adjust(1)
      expect(play.begun.length).toBe(100)
    })
  )
})
