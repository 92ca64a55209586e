import { describe, expect, it } from "bun:test"
import { Cause, Duration, Effect, Exit, Fiber, Scope } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { ActorUnavailable } from "../../../engine/actor/ActorHost.ts"
import { itEffect } from "../../lib/Effects.ts"
import { property } from "../../lib/Property.ts"
import {
  answers,
  brief,
  Broken,
  OPTIONS,
  Recorders,
  rest,
  type ResultOf,
  send,
  tell,
  told,
  Unknown,
  type Word
} from "../../lib/Recorders.ts"

describe("an actor", () => {
  itEffect("answers each message with its own answer, in order", () =>
    Effect.gen(function* () {
      const world = new Recorders()
      const host = yield* world.host({ mailboxCapacity: 100 })
      const words = Array.from({ length: 50 }, (_, index) => `w${index}`)
      const replies = yield* send(host, "a", ...words).pipe(Effect.flatMap(answers))
      expect(brief(replies)).toEqual(words)
      expect(replies.map((reply) => (reply._tag === "Success" ? reply.success.kept : []))).toEqual(
        words.map((_, index) => words.slice(0, index + 1))
      )
      expect(world.starts).toEqual(["a"])
      expect(yield* told(host, "a", "refuse", "after")).toEqual(["Refused", "after"])
    })
  )

  itEffect("keeps its words apart from those of others", () =>
    Effect.gen(function* () {
      const host = yield* new Recorders().host()
      yield* told(host, "a", "1", "2")
      const reply = yield* host.ask("b", "3")
      expect(reply.kept).toEqual(["3"])
      expect(host.size()).toBe(2)
    })
  )

  itEffect("takes batches of at most the limit", () =>
    Effect.gen(function* () {
      const world = new Recorders()
      const host = yield* world.host({ mailboxCapacity: 8 })
      world.gate.closeUnsafe()
      const first = yield* send(host, "a", "0")
      yield* rest
      const others = yield* send(host, "a", "1", "2", "3", "4", "5", "6", "7", "8")
      world.gate.openUnsafe()
      yield* answers([...first, ...others])
      expect(world.batches).toEqual([["0"], ["1", "2", "3"], ["4", "5", "6"], ["7", "8"]])
    })
  )

  itEffect("refuses one message more than its mailbox holds, at once, and keeps the others", () =>
    Effect.gen(function* () {
      const world = new Recorders()
      const host = yield* world.host()
      world.gate.closeUnsafe()
      const first = yield* send(host, "a", "0")
      yield* rest
      const waiting = yield* send(host, "a", "1", "2", "3", "4")
      const error = yield* Effect.flip(host.ask("a", "5"))
      expect(error).toEqual(new ActorUnavailable({ reason: "mailbox_full" }))
      const other = yield* send(host, "b", "beside")
      expect(host.size()).toBe(2)
      world.gate.openUnsafe()
      expect(brief(yield* answers([...first, ...waiting, ...other]))).toEqual(["0", "1", "2", "3", "4", "beside"])
      expect(yield* told(host, "a", "6")).toEqual(["6"])
    })
  )

  itEffect("stamps messages on arrival, and no later one earlier", () =>
    Effect.gen(function* () {
      const world = new Recorders()
      const host = yield* world.host()
      yield* TestClock.setTime(1_000)
      world.gate.closeUnsafe()
      const early = yield* send(host, "a", "0")
      yield* TestClock.setTime(5_000)
      const late = yield* send(host, "a", "1")
      yield* TestClock.setTime(9_000)
      world.gate.openUnsafe()
      yield* answers([...early, ...late])
      expect(world.stamps).toEqual([1_000, 5_000])
      yield* TestClock.setTime(4_000)
      yield* told(host, "b", "2")
      yield* TestClock.setTime(10_000)
      yield* told(host, "a", "3")
      expect(world.stamps).toEqual([1_000, 5_000, 5_000, 10_000])
    })
  )

  itEffect("stamps nothing before what a host before it recorded", () =>
    Effect.gen(function* () {
      const world = new Recorders()
      const host = yield* world.host({ notBefore: 7_000 })
      yield* TestClock.setTime(1_000)
      yield* told(host, "a", "0")
      yield* TestClock.setTime(8_000)
      yield* told(host, "a", "1")
      expect(world.stamps).toEqual([7_000, 8_000])
    })
  )

  itEffect("finishes what it took when the sender goes away", () =>
    Effect.gen(function* () {
      const world = new Recorders()
      const host = yield* world.host()
      world.gate.closeUnsafe()
      const [gone] = yield* send(host, "a", "kept")
      yield* rest
      yield* Fiber.interrupt(gone!)
      world.gate.openUnsafe()
      expect((yield* host.ask("a", "next")).kept).toEqual(["kept", "next"])
    })
  )
})

describe("an actor that does not exist", () => {
  itEffect("refuses everybody who waits, and is asked for again", () =>
    Effect.gen(function* () {
      const world = new Recorders()
      const host = yield* world.host()
      world.door.closeUnsafe()
      const waiting = yield* send(host, "unknown", "1", "2")
      world.door.openUnsafe()
      const results = yield* answers(waiting)
      expect(brief(results)).toEqual(["Unknown", "Unknown"])
      expect(host.size()).toBe(0)
      expect(yield* Effect.flip(host.ask("unknown", "3"))).toEqual(new Unknown({ id: "unknown" }))
      expect(world.starts).toEqual(["unknown", "unknown"])
      expect(world.failures).toEqual([])
    })
  )
})

describe("a failure", () => {
  itEffect("tells the batch that its outcome is unknown, and rebuilds the state", () =>
    Effect.gen(function* () {
      const world = new Recorders()
      const host = yield* world.host()
      yield* told(host, "a", "before")
      world.gate.closeUnsafe()
      const batch = yield* send(host, "a", "first", "fail", "unseen")
      yield* rest
      const waiting = yield* send(host, "a", "waiting")
      world.gate.openUnsafe()
      expect(brief(yield* answers([...batch, ...waiting]))).toEqual(["first", "unfinished", "unfinished", "unfinished"])
      expect(yield* told(host, "a", "too early")).toEqual(["restarting"])
      yield* TestClock.adjust(99)
      expect(yield* told(host, "a", "too early")).toEqual(["restarting"])
      expect(world.starts).toEqual(["a"])
      yield* TestClock.adjust(1)
      expect((yield* host.ask("a", "after")).kept).toEqual(["before", "first", "after"])
      expect(world.starts).toEqual(["a", "a"])
      expect(world.failures).toEqual([["a", Cause.fail(new Broken({ where: "receive" }))]])
    })
  )

  itEffect("of one actor leaves the others alone", () =>
    Effect.gen(function* () {
      const host = yield* new Recorders().host()
      expect(yield* told(host, "a", "fail")).toEqual(["unfinished"])
      expect(yield* told(host, "b", "fine")).toEqual(["fine"])
    })
  )

  for (const [word, message] of [
    ["die", "defect"],
    ["throw", "thrown"]
  ] as const) {
    itEffect(`by a defect (${word}) is supervised like every failure`, () =>
      Effect.gen(function* () {
        const world = new Recorders()
        const host = yield* world.host()
        expect(yield* told(host, "a", word)).toEqual(["unfinished"])
        yield* TestClock.adjust(100)
        expect(yield* told(host, "a", "after")).toEqual(["after"])
        expect(world.failures.map(([id, cause]) => [id, Cause.squash(cause)])).toEqual([["a", new TypeError(message)]])
      })
    )
  }

  itEffect("of the report itself does not stop the restart", () =>
    Effect.gen(function* () {
      const host = yield* new Recorders().host({ onFailure: () => Effect.die("the log is full") })
      expect(yield* told(host, "a", "fail")).toEqual(["unfinished"])
      yield* TestClock.adjust(100)
      expect(yield* told(host, "a", "after")).toEqual(["after"])
    })
  )

  itEffect("to answer is told as an unknown outcome, and the actor goes on", () =>
    Effect.gen(function* () {
      const world = new Recorders()
      const host = yield* world.host()
      expect(yield* told(host, "a", "silent", "said")).toEqual(["unfinished", "said"])
      expect(world.starts).toEqual(["a"])
      expect(world.failures).toEqual([])
    })
  )
})

describe("the wait before a restart", () => {
  itEffect("doubles with each failure in a row, up to the longest, and starts anew after a success", () =>
    Effect.gen(function* () {
      const world = new Recorders()
      const host = yield* world.host()
      world.failingStarts = 6
      const waits: Array<number> = []
      expect(yield* told(host, "a", "first")).toEqual(["restarting"])
      for (let waited = 0; world.starts.length < 7; waited += 10) {
        const before = world.starts.length
        yield* TestClock.adjust(10)
        if (world.starts.length > before) waits.push(waited + 10)
      }
      expect(waits).toEqual([100, 300, 700, 1_500, 2_500, 3_500])
      expect(world.failures).toHaveLength(6)
      expect(yield* told(host, "a", "fail")).toEqual(["unfinished"])
      yield* TestClock.adjust(999)
      expect(world.starts).toHaveLength(7)
      yield* TestClock.adjust(1)
      expect(yield* told(host, "a", "fine")).toEqual(["fine"])
      expect(yield* told(host, "a", "fail")).toEqual(["unfinished"])
      yield* TestClock.adjust(99)
      expect(world.starts).toHaveLength(8)
      yield* TestClock.adjust(1)
      expect(world.starts).toHaveLength(9)
    })
  )

  itEffect("stays at the longest however many failures follow", () =>
    Effect.gen(function* () {
      const world = new Recorders()
      const host = yield* world.host({ minBackoff: Duration.millis(1), maxBackoff: Duration.hours(1) })
      world.failingStarts = 2_000
      expect(yield* told(host, "a", "first")).toEqual(["restarting"])
      yield* TestClock.adjust(65_535)
      expect(world.starts).toHaveLength(17)
      yield* TestClock.adjust(65_536)
      expect(world.starts).toHaveLength(18)
      yield* TestClock.adjust(65_536)
      expect(world.starts).toHaveLength(19)
    })
  )
})

describe("an idle actor", () => {
  itEffect("is dropped from memory after a period, and rebuilt when it is asked", () =>
    Effect.gen(function* () {
      const world = new Recorders()
      const host = yield* world.host()
      yield* TestClock.adjust(1_000)
      yield* told(host, "a", "1")
      yield* TestClock.adjust(59_000)
      expect(host.size()).toBe(1)
      yield* TestClock.adjust(59_999)
      expect(host.size()).toBe(1)
      yield* TestClock.adjust(1)
      expect(host.size()).toBe(0)
      expect(world.starts).toEqual(["a"])
      expect((yield* host.ask("a", "2")).kept).toEqual(["1", "2"])
      expect(world.starts).toEqual(["a", "a"])
      expect(host.size()).toBe(1)
      expect(world.failures).toEqual([])
    })
  )

  itEffect("is dropped when it was idle for exactly the period", () =>
    Effect.gen(function* () {
      const host = yield* new Recorders().host()
      yield* told(host, "a", "1")
      yield* TestClock.adjust(60_000)
      expect(host.size()).toBe(0)
    })
  )

  itEffect("is kept while messages come, while it works and while it starts", () =>
    Effect.gen(function* () {
      const world = new Recorders()
      const host = yield* world.host()
      for (let minute = 0; minute < 5; minute += 1) {
        yield* told(host, "busy", `${minute}`)
        yield* TestClock.adjust("59 seconds")
      }
      expect(world.starts).toEqual(["busy"])
      world.gate.closeUnsafe()
      const working = yield* send(host, "busy", "long")
      world.door.closeUnsafe()
      const starting = yield* send(host, "slow", "1")
      yield* TestClock.adjust("10 minutes")
      expect(host.size()).toBe(2)
      world.gate.openUnsafe()
      world.door.openUnsafe()
      expect(brief(yield* answers([...working, ...starting]))).toEqual(["long", "1"])
      expect(world.starts).toEqual(["busy", "slow"])
    })
  )
})

describe("a host that stops", () => {
  itEffect("tells everybody who waits, and takes no more", () =>
    Effect.gen(function* () {
      const world = new Recorders()
      const scope = yield* Scope.make()
      const host = yield* Scope.provide(world.host(), scope)
      const taken = yield* send(host, "a", "hang")
      yield* rest
      const waiting = yield* send(host, "a", "1", "2")
      world.door.closeUnsafe()
      const starting = yield* send(host, "b", "3")
      yield* rest
      yield* Scope.close(scope, Exit.void)
      expect(brief(yield* answers([...taken, ...waiting, ...starting]))).toEqual([
        "unfinished",
        "stopping",
        "stopping",
        "stopping"
      ])
      expect(yield* told(host, "a", "4")).toEqual(["stopping"])
      expect(yield* told(host, "c", "5")).toEqual(["stopping"])
      expect(host.size()).toBe(0)
      expect(world.failures).toEqual([])
    })
  )
})

describe("thousands of actors", () => {
  itEffect("answer all, each its own, and are all dropped when idle", () =>
    Effect.gen(function* () {
      const world = new Recorders()
      const host = yield* world.host()
      const ids = Array.from({ length: 5_000 }, (_, index) => `actor${index}`)
      const first = yield* Effect.forEach(ids, (id) => host.ask(id, id), { concurrency: "unbounded" })
      expect(first.map(({ kept }) => kept)).toEqual(ids.map((id) => [id]))
      expect(host.size()).toBe(5_000)
      yield* TestClock.adjust("2 minutes")
      expect(host.size()).toBe(0)
      const second = yield* Effect.forEach(ids, (id) => host.ask(id, "again"), { concurrency: "unbounded" })
      expect(second.every(({ kept }, index) => kept[0] === ids[index] && kept.length === 2)).toBe(true)
    })
  )
})

describe("any conversation", () => {
  const line = fc.record({
    id: fc.constantFrom("a", "b", "unknown"),
    word: fc.constantFrom("kept", "kept", "kept", "fail", "die", "throw", "silent", "refuse"),
    pause: fc.constantFrom(0, 0, 0, 1, 100, 5_000, 200_000),
    gate: fc.integer({ min: 0, max: 3 })
  })

  const converse = (lines: ReadonlyArray<{ id: string; word: Word; pause: number; gate: number }>) =>
    Effect.gen(function* () {
      const world = new Recorders()
      const host = yield* world.host()
      const sent: Array<{ readonly id: string; readonly word: Word; readonly fiber: Fiber.Fiber<ResultOf> }> = []
      for (const [index, { id, word, pause, gate }] of lines.entries()) {
        if (gate === 0) world.gate.closeUnsafe()
        if (gate === 1) world.gate.openUnsafe()
        const unique = word === "kept" ? `kept${index}` : word
        const [fiber] = yield* (sent.length % 2 === 0 ? send : tell)(host, id, unique)
        sent.push({ id, word: unique, fiber: fiber! })
        if (pause > 0) yield* TestClock.adjust(pause)
      }
      world.gate.openUnsafe()
      yield* rest
      const results = yield* answers(sent.map(({ fiber }) => fiber))
      const said = brief(results)
      for (const id of ["a", "b", "unknown"]) {
        const kept = sent.flatMap(({ id: to, word }, index) => (to === id && said[index] === word ? [word] : []))
        expect(world.store.get(id) ?? []).toEqual(kept)
      }
      for (const [index, { id, word }] of sent.entries()) {
        const may = word.startsWith("kept") ? [word] : word === "refuse" ? ["Refused"] : []
        expect([...(id === "unknown" ? ["Unknown"] : may), "unfinished", "restarting", "mailbox_full"]).toContain(
          said[index]!
        )
      }
      expect(world.batches.every((batch) => batch.length >= 1 && batch.length <= OPTIONS.batchLimit)).toBe(true)
    })

  it("answers every message once, and says that it kept exactly what it kept, in order", () =>
    fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 30, size: "max" }), (lines) =>
        Effect.runPromise(Effect.scoped(converse(lines)).pipe(Effect.provide(TestClock.layer())))
      ),
      property()
    ))
})
