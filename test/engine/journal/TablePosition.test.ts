import { describe, expect } from "bun:test"
import { Effect, Exit, Fiber } from "effect"
import fc from "fast-check"
import { TestClock } from "effect/testing"
import { TablePosition, TABLES_WAIT } from "../../../engine/journal/TablePosition.ts"
import { itEffect } from "../../lib/Effects.ts"
import { runs } from "../../lib/Property.ts"

type Step = "tell" | "reach" | "read" | "ahead"

describe("the position of the tables", () => {
  itEffect("lets a read begin once they have what was told before it, or what it asks for, and no later", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.constantFrom<Step>("tell", "reach", "read", "ahead"), { maxLength: 40 }),
          (steps) =>
            Effect.runPromise(
              Effect.scoped(
                Effect.gen(function* () {
                  const position = new TablePosition((message) => new Error(message))
                  const reads: Array<{ readonly from: number; readonly fiber: Fiber.Fiber<void, unknown> }> = []
                  let [told, reached] = [0, 0]
                  for (const step of steps) {
                    if (step === "tell") position.tell((told += 1))
                    else if (step === "reach" && reached < told) position.reach((reached += 1))
                    else if (step === "read" || step === "ahead") {
                      const from = step === "read" ? told : told + 2
                      const wait = step === "read" ? position.reached : position.reachedTo(from)
                      reads.push({ from, fiber: yield* Effect.forkScoped(wait, { startImmediately: true }) })
                    }
                    yield* Effect.yieldNow
                    for (const { fiber, from } of reads) expect(fiber.pollUnsafe() !== undefined).toBe(from <= reached)
                    expect(position.isAwaited).toBe(reads.some(({ from }) => from > reached))
                  }
                })
              )
            )
        ),
        { numRuns: runs() }
      )
    )
  )

  itEffect("fails a read that waits for too long, and every one once they do not follow any more", () =>
    Effect.gen(function* () {
      const position = new TablePosition((message) => new Error(message))
      position.tell(1)
      const late = yield* Effect.forkChild(Effect.flip(position.reached), { startImmediately: true })
      yield* TestClock.adjust(TABLES_WAIT)
      expect((yield* Fiber.join(late)).message).toContain("do not follow the journal in time")
      const waiting = yield* Effect.forkChild(Effect.exit(position.reached), { startImmediately: true })
      position.break("The tables do not take event 1")
      expect(Exit.isFailure(yield* Fiber.join(waiting))).toBe(true)
      expect((yield* Effect.flip(position.reached)).message).toContain("do not take event 1")
    })
  )
})
