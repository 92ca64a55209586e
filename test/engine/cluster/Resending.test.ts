import { describe, expect } from "bun:test"
import { Clock, Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import {
  answeredAtOnce,
  HOLD_LIMIT,
  resend,
  type Sent,
  UNKNOWN,
  UNSENT,
  writerWithin
} from "../../../engine/cluster/Resending.ts"
import { itEffect } from "../../lib/Effects.ts"
import { runs } from "../../lib/Property.ts"

type Status = number | "no writer" | "ended"

const answered = (response: Status): Sent<Status> => ({ _tag: "Answered", response })

const writer = { replaced: Effect.never as Effect.Effect<void> }

const isUnavailable = (status: Status): boolean => status === 503

/**
 * The response to a request that meets these outcomes one after another, and how often it was sent: the first time `ahead`
 * of a fiber, if so.
 */
const responseTo = Effect.fnUntraced(function* (
  outcomes: ReadonlyArray<Sent<Status>>,
  {
    ahead = false,
    isKeyed = true,
    isRepeatable = true,
    serving = Effect.succeed(writer) as Effect.Effect<typeof writer>
  } = {}
): Effect.fn.Return<readonly [Status, number]> {
  let times = 0
  const next = (): Sent<Status> => outcomes[times++] ?? answered(200)
  const first = ahead ? { writer: yield* serving, sent: next(), since: yield* Clock.currentTimeMillis } : undefined
  const atOnce = first && answeredAtOnce({ isKeyed, isRepeatable }, { isUnavailable }, first.sent)
  if (atOnce !== undefined) return [atOnce, times]
  const asked = yield* Effect.forkChild(
    resend(
      { isKeyed, isRepeatable },
      {
        serving,
        send: () => Effect.sync(next),
        isUnavailable,
        isRunning: (status) => status === 409,
        refused: (why) => why
      },
      first
    )
  )
  yield* TestClock.adjust(HOLD_LIMIT + 1_000)
  return [yield* Fiber.join(asked), times]
})

const outcome = fc.oneof(
  fc.constantFrom<Sent<Status>>(UNSENT, UNKNOWN),
  fc.constantFrom(200, 409, 422, 503).map((status) => answered(status))
)

describe("A request that another node is to answer", () => {
  itEffect("is sent again where it did nothing, and where a key makes it count once", () =>
    Effect.gen(function* () {
      expect(yield* responseTo([UNSENT, UNKNOWN])).toEqual([200, 3])
      expect(yield* responseTo([UNKNOWN, answered(409), answered(200)])).toEqual([200, 3])
    })
  )

  itEffect("is not sent again where its outcome is unknown, and nothing makes it count once", () =>
    Effect.gen(function* () {
      expect(yield* responseTo([UNSENT, UNKNOWN], { isRepeatable: false })).toEqual(["ended", 2])
    })
  )

  itEffect("is answered as the node that writes answers", () =>
    Effect.gen(function* () {
      expect(yield* responseTo([answered(422)])).toEqual([422, 1])
      expect(yield* responseTo([answered(409)])).toEqual([409, 1])
      expect(yield* responseTo([UNKNOWN, answered(409)], { isKeyed: false })).toEqual([409, 2])
      expect(yield* responseTo([answered(503)])).toEqual([503, 1])
    })
  )

  itEffect("is not called undone after a sending without an answer, unless its caller has a key for it", () =>
    Effect.gen(function* () {
      expect(yield* responseTo([UNKNOWN, answered(503)])).toEqual(["ended", 2])
      expect(yield* responseTo([UNKNOWN, answered(503)], { isKeyed: false })).toEqual([503, 2])
      expect(yield* responseTo([UNSENT, answered(503)])).toEqual([503, 2])
    })
  )

  itEffect("is sent to the next one where the one that refuses it leaves", () =>
    Effect.gen(function* () {
      const leaving = { replaced: Effect.delay(Effect.void, 200) }
      expect(yield* responseTo([answered(503)], { serving: Effect.succeed(leaving) })).toEqual([200, 2])
    })
  )

  itEffect("is answered alike whether or not it was sent ahead for the first time", () =>
    Effect.gen(function* () {
      const samples = fc.sample(fc.tuple(fc.array(outcome, { maxLength: 4 }), fc.boolean(), fc.boolean()), runs())
      for (const [outcomes, isKeyed, isRepeatable] of samples) {
        const how = { isKeyed, isRepeatable }
        expect(yield* responseTo(outcomes, { ...how, ahead: true })).toEqual(yield* responseTo(outcomes, how))
      }
    })
  )

  const heldOf = Effect.fnUntraced(function* (sent: Sent<Status>) {
    const since = yield* Clock.currentTimeMillis
    yield* TestClock.adjust(HOLD_LIMIT - 100)
    const asked = yield* Effect.forkChild(
      resend(
        { isKeyed: true, isRepeatable: true },
        {
          serving: Effect.never,
          send: () => Effect.never,
          isUnavailable,
          isRunning: () => false,
          refused: (why): Status => why
        },
        { writer, sent, since }
      )
    )
    yield* TestClock.adjust(100)
    expect(asked.pollUnsafe()).toBeDefined()
    return yield* Fiber.join(asked)
  })

  itEffect("is held no longer where it was sent ahead, and is not called undone where it may have been done", () =>
    Effect.gen(function* () {
      expect(yield* heldOf(UNSENT)).toBe("no writer")
      expect(yield* heldOf(UNKNOWN)).toBe("ended")
    })
  )

  itEffect("is not called undone either where a later sending may have done it", () =>
    Effect.gen(function* () {
      let times = 0
      const replaced = Deferred.makeUnsafe<void>()
      const asked = yield* Effect.forkChild(
        resend(
          { isKeyed: true, isRepeatable: true },
          {
            serving: Effect.suspend(() =>
              (times += 1) === 1 ? Effect.succeed({ replaced: Deferred.await(replaced) }) : Effect.never
            ),
            send: () => Effect.never,
            isUnavailable,
            isRunning: () => false,
            refused: (why): Status => why
          }
        )
      )
      yield* Deferred.succeed(replaced, undefined)
      yield* TestClock.adjust(HOLD_LIMIT)
      expect(yield* Fiber.join(asked)).toBe("ended")
    })
  )

  itEffect("counts as unknown once its node is replaced", () =>
    Effect.gen(function* () {
      const replaced = Deferred.makeUnsafe<void>()
      const asked = yield* Effect.forkChild(
        resend(
          { isKeyed: false, isRepeatable: false },
          {
            serving: Effect.succeed({ replaced: Deferred.await(replaced) }),
            send: () => Effect.never,
            isUnavailable: () => false,
            isRunning: () => false,
            refused: (why): Status => why
          }
        )
      )
      yield* Deferred.succeed(replaced, undefined)
      expect(yield* Fiber.join(asked)).toBe("ended")
    })
  )

  itEffect("is refused where nobody writes for as long as it is held", () =>
    Effect.gen(function* () {
      expect(yield* responseTo([], { serving: Effect.never })).toEqual(["no writer", 0])
      const waiting = yield* Effect.forkChild(writerWithin(Effect.never, 10))
      yield* TestClock.adjust(10)
      expect(yield* Fiber.join(waiting)).toBeUndefined()
    })
  )
})
