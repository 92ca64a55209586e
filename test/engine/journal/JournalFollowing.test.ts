import { describe, expect } from "bun:test"
import { Effect, Fiber, Queue } from "effect"
import { TestClock } from "effect/testing"
import { GENESIS } from "../../../engine/actor/EventChain.ts"
import { JournalUnavailable } from "../../../engine/actor/Journal.ts"
import { JournalFollower } from "../../../engine/journal/JournalFollower.ts"
import { followJournal, type PushedRow } from "../../../engine/journal/JournalFollowing.ts"
import { appendedRows, endOf, type JournalRow } from "../../../engine/journal/JournalRow.ts"
import { link } from "../../../src/database/ChainLink.ts"
import { itEffect } from "../../lib/Effects.ts"

const rowsOf = (count: number, data = "{}"): ReadonlyArray<JournalRow> => {
  const rows: Array<JournalRow> = []
  for (let index = 0; index < count; index++) {
    const last = rows.at(-1)
    const end = last === undefined ? { seq: 0, hash: GENESIS, recordedAt: 0 } : endOf(last)
    const entries = [{ stream: "s/1", data, key: "", claims: [], commands: [] }]
    rows.push(...appendedRows(end, { entries, answers: [], term: 1n, now: index }, link))
  }
  return rows
}

const ROWS = rowsOf(4)

/** One that follows a journal of rows, of which the first reading fails. */
const following = Effect.gen(function* () {
  const journal: Array<JournalRow> = []
  const told: Array<number> = []
  const inbox = yield* Queue.unbounded<ReadonlyArray<PushedRow | { readonly seq: number }> | undefined>()
  let readings = 0
  const fiber = yield* Effect.forkChild(
    followJournal<{ readonly seq: number }>(new JournalFollower(link, undefined), {
      pushed: Queue.take(inbox),
      news: ({ seq }) => seq,
      after: (seq) =>
        Effect.suspend(() =>
          readings++ === 0
            ? Effect.fail(new JournalUnavailable({ reason: "away" }))
            : Effect.succeed(journal.filter(({ firstSeq }) => firstSeq > seq).slice(0, 2))
        ),
      tell: ({ firstSeq }) => Effect.sync(() => void told.push(firstSeq)),
      isWanted: () => journal.length > 0,
      moved: () => {}
    }),
    { startImmediately: true }
  )
  const push = (...pushed: ReadonlyArray<JournalRow | number>) =>
    Effect.andThen(
      Queue.offer(
        inbox,
        pushed.map((one) => (typeof one === "number" ? { seq: one } : { _tag: "Row", row: one }))
      ),
      TestClock.adjust(1_000)
    )
  const silence = Effect.andThen(Queue.offer(inbox, undefined), TestClock.adjust(1_000))
  return { fiber, journal, push, readings: () => readings, silence, told }
})

const [first, second, third] = ROWS as unknown as readonly [JournalRow, JournalRow, JournalRow]

describe("Following the journal", () => {
  itEffect("tells what is pushed in its turn without a reading", () =>
    Effect.gen(function* () {
      const { push, readings, told } = yield* following
      yield* push(first, second)
      yield* push(second, third)
      expect([told, readings()]).toEqual([[1, 2, 3], 0])
    })
  )

  itEffect("reads what it heard of, again where the database failed", () =>
    Effect.gen(function* () {
      const { journal, push, silence, told } = yield* following
      journal.push(...ROWS)
      yield* push(third)
      expect(told).toEqual([])
      yield* push(4)
      yield* silence
      expect(told).toEqual([1, 2, 3, 4])
    })
  )

  itEffect("looks by itself in silence, where it is wanted", () =>
    Effect.gen(function* () {
      const { journal, readings, silence, told } = yield* following
      yield* silence
      expect(readings()).toBe(0)
      journal.push(first)
      yield* silence
      yield* silence
      expect(told).toEqual([1])
    })
  )

  itEffect("ends with a journal that is another one", () =>
    Effect.gen(function* () {
      const { fiber, journal, push, silence } = yield* following
      yield* push(first)
      journal.push(...rowsOf(1, `{"other":1}`))
      yield* silence
      yield* silence
      expect((yield* Effect.flip(Fiber.join(fiber)))._tag).toBe("Diverged")
    })
  )
})
