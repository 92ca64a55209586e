import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import fc from "fast-check"
import { ASSET_TYPES, type AssetType } from "../../../engine/arena/AssetType.ts"
import { CHANNELS } from "../../../src/api/ArenaStreamProtocol.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { PAGE_EVENTS } from "../../../src/stream/StreamReplay.ts"
import { lengthOf } from "../../../src/stream/StreamEvent.ts"
import { commitment, OPENING } from "../../lib/ArenaArbitraries.ts"
import { anyLog, minted } from "../../lib/AnyLog.ts"
import { itLive } from "../../lib/Effects.ts"
import { property } from "../../lib/Property.ts"
import { quiet } from "../../lib/Quiet.ts"
import { MemoryLog, replayer, streamFixture } from "../../lib/StreamFixture.ts"
import { StreamReader } from "../../lib/StreamReader.ts"

interface Wish {
  readonly channels: ReadonlyArray<string>
  readonly asset_type: ReadonlyArray<AssetType>
  readonly order_id: ReadonlyArray<string>
  readonly user: string
}

const anyWish: fc.Arbitrary<Wish> = fc.record({
  channels: fc.subarray([...CHANNELS], { minLength: 1 }),
  asset_type: fc.oneof(fc.constant([]), fc.subarray([...ASSET_TYPES])),
  order_id: fc.oneof(fc.constant([]), fc.subarray(["00", "01", "02"].map((digits) => `ord_${digits.repeat(12)}`))),
  user: fc.constantFrom("usr_alice", "usr_robot")
})

/** What happens between two commits: who is cut off, who comes back. */
interface Step {
  readonly commits: number
  readonly cut: ReadonlyArray<number>
  readonly back: ReadonlyArray<number>
}

const READERS = 5

const anyStep: fc.Arbitrary<Step> = fc.record({
  commits: fc.integer({ min: 1, max: 12 }),
  cut: fc.uniqueArray(fc.nat(READERS - 1), { maxLength: 2 }),
  back: fc.uniqueArray(fc.nat(READERS - 1), { maxLength: 4 })
})

const CHANNEL_OF: Readonly<Record<string, string>> = {
  order_created: "orders",
  order_updated: "orders",
  commitment_submitted: "commitments",
  commitment_updated: "commitments",
  order_settled: "settlements"
}

/** Looks at each of all frames alone. */
const naive = (all: StreamReader["events"], wish: Wish, types: ReadonlyMap<string, string>) =>
  all.filter(
    ({ data, type }) =>
      wish.channels.includes(CHANNEL_OF[type] ?? "my") &&
      (wish.asset_type.length === 0 || wish.asset_type.includes(types.get(data.order_id) as AssetType)) &&
      (wish.order_id.length === 0 || wish.order_id.includes(data.order_id))
  )

const essence = (frames: StreamReader["events"]) => frames.map(({ data, seq, type }) => ({ data, seq, type }))

const trial = (log: ReadonlyArray<PlatformEvent>, wishes: ReadonlyArray<Wish>, steps: ReadonlyArray<Step>) =>
  Effect.gen(function* () {
    const fixture = yield* streamFixture()
    const types = new Map(
      log.flatMap((event) => (event._tag === "OrderOpened" ? [[event.terms.orderId, event.terms.assetType]] : []))
    )
    const readers = wishes.map(
      ({ user, ...wish }) => new StreamReader({ ...wish, sequence: true }, { authorization: `Bearer ${user}` })
    )
    const wholes = new Map(
      ["usr_alice", "usr_robot"].map((user) => [
        user,
        new StreamReader({ channels: CHANNELS, sequence: true }, { authorization: `Bearer ${user}` })
      ])
    )
    for (const one of [...wholes.values(), ...readers]) yield* one.connect(fixture.url)
    const left = [...log]
    for (let turn = 0; left.length > 0; turn++) {
      const step = steps[turn % steps.length]!
      for (const index of step.cut) readers[index]!.disconnect()
      fixture.commit(...left.splice(0, step.commits))
      for (const index of step.back) if (!readers[index]!.isOpen) yield* readers[index]!.connect(fixture.url)
    }
    for (const one of readers) if (!one.isOpen) yield* one.connect(fixture.url)
    const end = fixture.log.events.findLast(({ stream }) => stream !== "funds")?.seq ?? 0
    for (const whole of wholes.values()) {
      yield* whole.reached(end)
      expect(whole.problems).toEqual([])
    }
    for (const [index, wish] of wishes.entries()) {
      const expected = naive(wholes.get(wish.user)!.events, wish, types)
      const one = readers[index]!
      yield* one.reached(expected.at(-1)?.seq ?? 0)
      expect(one.problems).toEqual([])
      expect(essence(one.events)).toEqual(essence(expected))
    }
  })

const run = <A>(body: Effect.Effect<A>): Promise<A> => Effect.runPromise(Effect.provide(body, quiet))

describe("a replay", () => {
  it(
    "gives every consumer what its filter lets through of all events, however often it was cut off",
    () =>
      fc.assert(
        fc.asyncProperty(
          anyLog,
          fc.array(anyWish, { minLength: READERS, maxLength: READERS }),
          fc.array(anyStep, { minLength: 1, maxLength: 20 }),
          (log, wishes, steps) => run(Effect.scoped(trial(log, wishes, steps)))
        ),
        property(20)
      ),
    120_000
  )

  it("tells the same of an event, whatever it is read with", () =>
    fc.assert(
      fc.asyncProperty(anyLog, fc.array(fc.nat(30), { minLength: 1, maxLength: 8 }), (events, sizes) =>
        run(
          Effect.gen(function* () {
            const log = new MemoryLog()
            log.commit(...events)
            const replay = yield* replayer(log)
            const whole = yield* Effect.orDie(replay.after(0, log.events.length))
            const parts = []
            for (let from = 0, turn = 0; from < log.events.length; turn++) {
              const next = log.events.slice(from, from + 1 + sizes[turn % sizes.length]!)
              parts.push(...(yield* Effect.orDie(replay.render(next))))
              from += next.length
            }
            expect(parts).toEqual([...whole])
          })
        )
      ),
      property(4)
    ))

  itLive("reads a full page once for all who ask, and the last one as far as it is known", () =>
    Effect.gen(function* () {
      const log = new MemoryLog()
      log.commit(...Array.from({ length: 3 * PAGE_EVENTS - 6 }, () => minted))
      const replay = yield* replayer(log)
      const head = log.events.length
      const ask = (from: number) =>
        Effect.map(Effect.orDie(replay.after(from, head)), (found) => found.map(({ seq }) => seq))
      const before = log.reads
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, () => ask(10)),
        { concurrency: 20 }
      )
      for (const found of answers) expect([found[0], found.at(-1)]).toEqual([11, PAGE_EVENTS])
      expect(log.reads).toBe(before + 1)
      expect(yield* ask(PAGE_EVENTS)).toHaveLength(PAGE_EVENTS)
      expect((yield* ask(3 * PAGE_EVENTS - 8)).length).toBe(2)
      expect(yield* ask(head)).toEqual([])
      log.isAway = true
      expect((yield* Effect.flip(replay.after(2 * PAGE_EVENTS, head)))._tag).toBe("Unavailable")
      log.isAway = false
      expect(yield* ask(2 * PAGE_EVENTS)).toHaveLength(PAGE_EVENTS - 6)
    })
  )

  itLive("keeps the pages that were read last, as far as there is room", () =>
    Effect.gen(function* () {
      const log = new MemoryLog()
      const bid: PlatformEvent = { _tag: "CommitmentSubmitted", at: OPENING, commitment: commitment(1) }
      log.commit(...Array.from({ length: 4 * PAGE_EVENTS }, () => bid))
      const length = (yield* Effect.orDie((yield* replayer(log)).after(0, PAGE_EVENTS))).reduce(
        (sum, event) => sum + lengthOf(event),
        0
      )
      const replay = yield* replayer(log, 2 * length)
      const readsOf = Effect.fnUntraced(function* (page: number) {
        const before = log.reads
        expect(yield* Effect.orDie(replay.after(page * PAGE_EVENTS, log.events.length))).toHaveLength(PAGE_EVENTS)
        return log.reads - before
      })
      const reads = []
      for (const page of [0, 1, 0, 2, 1, 2, 0, 2, 1]) reads.push(yield* readsOf(page))
      expect(reads).toEqual([1, 1, 0, 1, 0, 0, 1, 0, 1])
      const small = yield* replayer(log, 1)
      expect(yield* Effect.orDie(small.after(0, log.events.length))).toHaveLength(PAGE_EVENTS)
    })
  )
})
