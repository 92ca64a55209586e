import { describe, expect } from "bun:test"
import { Effect, Exit, Fiber } from "effect"
import fc from "fast-check"
import type { Entry } from "../../../engine/actor/Journal.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { CommitQueue, MAX_GATHERING_TURNS } from "../../../engine/journal/CommitQueue.ts"
import { itEffect } from "../../lib/Effects.ts"
import { property } from "../../lib/Property.ts"

/** An entry that nobody decides. */
const ENTRY: Entry<PlatformEvent> = {
  event: { _tag: "OrderClosed", at: 1, orderId: "ord_1" },
  commands: []
}

const submit = (queue: CommitQueue, stream: string) =>
  Effect.forkChild(Effect.flip(queue.submit({ stream, version: null, entries: [ENTRY] })), { startImmediately: true })

/** What is told of a batch, and the faults of hearing it. */
const told = (queue: CommitQueue, stream: string, hear: () => void = () => {}) => {
  const heard: Array<unknown> = []
  const faults: Array<unknown> = []
  queue.tell(
    { stream, version: null, entries: [] },
    (appended) => {
      heard.push(Exit.isSuccess(appended) ? appended.value : Exit.findErrorOption(appended))
      hear()
    },
    (fault) => faults.push(fault)
  )
  return { heard, faults }
}

describe("the queue of what is to be written", () => {
  itEffect("tells who has no fiber what it answers the others, each once", () =>
    Effect.gen(function* () {
      const queue = new CommitQueue()
      const refused = { value: { _tag: "JournalUnavailable", isUnwritten: true, reason: "another server writes" } }
      const throwing = told(queue, "first", () => {
        throw new Error("a fault")
      })
      const waiting = yield* submit(queue, "second")
      const last = told(queue, "third")
      expect(last.heard).toEqual([])
      queue.close("another server writes")
      yield* Fiber.join(waiting)
      const later = told(queue, "later")
      for (const { heard } of [throwing, last, later]) expect(heard).toMatchObject([refused])
      expect([throwing, last, later].map(({ faults }) => faults.length)).toEqual([1, 0, 0])
    })
  )

  itEffect("counts what it tells as it counts the others", () =>
    Effect.gen(function* () {
      const queue = new CommitQueue(1)
      told(queue, "first")
      yield* submit(queue, "second")
      expect((yield* queue.takeGroup).map(({ batch }) => batch.stream)).toEqual(["first", "second"])
    })
  )

  itEffect("refuses what has waited for eight looks, as not written, and nothing that came later", () =>
    Effect.gen(function* () {
      const queue = new CommitQueue()
      const first = yield* submit(queue, "first")
      for (let looks = 0; looks < 4; looks++) queue.look()
      const second = yield* submit(queue, "second")
      for (let looks = 0; looks < 5; looks++) queue.look()
      expect(yield* Fiber.join(first)).toMatchObject({ _tag: "JournalUnavailable", isUnwritten: true })
      expect(second.pollUnsafe()).toBeUndefined()
      for (let looks = 0; looks < 4; looks++) queue.look()
      expect(yield* Fiber.join(second)).toMatchObject({ _tag: "JournalUnavailable", isUnwritten: true })
    })
  )

  itEffect("refuses all that waits, and all that comes, once it is closed", () =>
    Effect.gen(function* () {
      const queue = new CommitQueue()
      const waiting = yield* submit(queue, "waiting")
      queue.close("another server writes")
      const later = yield* submit(queue, "later")
      const refused = { _tag: "JournalUnavailable", isUnwritten: true, reason: "another server writes" }
      expect(yield* Fiber.join(waiting)).toMatchObject(refused)
      expect(yield* Fiber.join(later)).toMatchObject(refused)
    })
  )

  itEffect("waits for a group as long as turns bring more, until it has many, and for so many turns at most", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.boolean(),
          fc.array(fc.nat(2), { minLength: MAX_GATHERING_TURNS + 2, maxLength: MAX_GATHERING_TURNS + 2 }),
          fc.integer({ min: 2, max: 12 }),
          (isFirst, turns, many) =>
            Effect.runPromise(
              Effect.gen(function* () {
                const queue = new CommitQueue(many)
                let submitted = 0
                const more = Effect.suspend(() => submit(queue, String((submitted += 1))))
                if (isFirst) yield* more
                const taking = yield* Effect.forkChild(queue.takeGroup, { startImmediately: true })
                if (!isFirst) yield* more
                yield* Effect.forEach(turns, (count) =>
                  Effect.andThen(Effect.replicateEffect(more, count), Effect.yieldNow)
                )
                const taken = yield* Fiber.join(taking)
                queue.close("the end")
                let length = 1
                for (const count of turns.slice(0, MAX_GATHERING_TURNS)) {
                  length += count
                  if (count === 0 || length >= many) break
                }
                expect(taken.map(({ batch }) => batch.stream)).toEqual(
                  Array.from({ length }, (_, at) => String(at + 1))
                )
              })
            )
        ),
        property()
      )
    )
  )
})
