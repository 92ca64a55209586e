import { describe, expect } from "bun:test"
import { Effect, Fiber } from "effect"
import { CommitQueue } from "../../../engine/journal/CommitQueue.ts"
import { itEffect } from "../../lib/Effects.ts"

const submit = (queue: CommitQueue, stream: string) =>
  Effect.forkChild(Effect.flip(queue.submit({ stream, version: null, entries: [] })), { startImmediately: true })

describe("the queue of what is to be written", () => {
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
})
