import { describe, expect } from "bun:test"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { HOLD_LIMIT, resend, type Sent, UNKNOWN, UNSENT, writerWithin } from "../../../engine/cluster/Resending.ts"
import { itEffect } from "../../lib/Effects.ts"

type Status = number | "no writer" | "ended"

const answered = (response: Status): Sent<Status> => ({ _tag: "Answered", response })

const writer = { replaced: Effect.never as Effect.Effect<void> }

/** The response to a request that meets these outcomes one after another, and how often it was sent. */
const responseTo = Effect.fnUntraced(function* (
  outcomes: ReadonlyArray<Sent<Status>>,
  { isKeyed = true, isRepeatable = true, serving = Effect.succeed(writer) as Effect.Effect<typeof writer> } = {}
) {
  let times = 0
  const asked = yield* Effect.forkChild(
    resend(
      { isKeyed, isRepeatable },
      {
        serving,
        send: () => Effect.sync(() => outcomes[times++] ?? answered(200)),
        isUnavailable: (status) => status === 503,
        isRunning: (status) => status === 409,
        refused: (why) => why
      }
    )
  )
  yield* TestClock.adjust(HOLD_LIMIT + 1_000)
  return [yield* Fiber.join(asked), times]
})

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

  itEffect("is sent to the next one where the one that refuses it leaves", () =>
    Effect.gen(function* () {
      const leaving = { replaced: Effect.delay(Effect.void, 200) }
      expect(yield* responseTo([answered(503)], { serving: Effect.succeed(leaving) })).toEqual([200, 2])
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
