import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import type { Batch } from "../../../engine/actor/Journal.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { RESEND_LIMIT } from "../../../engine/journal/GroupWriter.ts"
import { MAX_UNPROJECTED_ENTRIES } from "../../../engine/journal/Projector.ts"
import { TablePosition } from "../../../engine/journal/TablePosition.ts"
import { makeWritePath } from "../../../engine/journal/WritePath.ts"
import { WriterMemory } from "../../../engine/journal/WriterMemory.ts"
import type { WritePorts } from "../../../engine/journal/WritePorts.ts"
import { type Fate, KEPT } from "../../../engine/simulation/CallFate.ts"
import { type Answer, type WriteServed, WriteWorld } from "../../lib/journal/WriteWorld.ts"

const minted = (fundId: string): Batch<PlatformEvent> => ({
  stream: `funds/${fundId}`,
  version: null,
  entries: [
    {
      commands: [],
      event: {
        _tag: "FundsMinted",
        at: 1,
        fundId,
        owner: "ann",
        asset: "USD",
        amount: 1n,
        externalReference: null
      } as unknown as PlatformEvent
    }
  ]
})

/** The server of this number, once it serves. */
const served = (world: WriteWorld, number: number): Effect.Effect<WriteServed> =>
  Effect.suspend(() =>
    world.served?.server.number === number
      ? Effect.succeed(world.served)
      : Effect.andThen(Effect.sleep(5), served(world, number))
  )

describe("a write path", () => {
  it("begins with what the journal has and the tables lack", () => {
    const world = new WriteWorld(1, ({ call, server }) =>
      call === "project" && server === 1 ? { ...KEPT, becomes: "lost" } : KEPT
    )
    const positions: Array<number> = []
    world.run(
      Effect.gen(function* () {
        const first = yield* served(world, 1)
        for (const id of ["a", "b", "c"]) yield* world.append(first, minted(id))
        positions.push(first.position.projected)
        first.server.kill()
        positions.push((yield* served(world, 2)).position.projected)
      })
    )
    expect([world.problem, positions]).toEqual([undefined, [0, 3]])
  })

  it("tells no more of the journal than it has read, where somebody else writes meanwhile", () =>
    Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const position = new TablePosition((message: string) => message)
          const end = { seq: 5, hash: new Uint8Array(32), recordedAt: 1, firstSeq: 1 }
          yield* makeWritePath({
            journal: { end: Effect.succeed(end), after: () => Effect.succeed([]) },
            tables: { projected: Effect.succeed(3), projectedTo: () => undefined },
            term: { deposed: Effect.never },
            keys: { settle: () => undefined },
            position,
            memory: new WriterMemory()
          } as unknown as WritePorts)
          expect(position.told).toBe(3)
          yield* position.reached
        })
      )
    ))

  it("tells all who listen, and who asked, though one who listens throws", () => {
    const world = new WriteWorld(5, () => KEPT)
    const told: Array<string> = []
    const answers: Array<Answer["_tag"]> = []
    world.run(
      Effect.gen(function* () {
        const first = yield* served(world, 1)
        first.journal.onCommit((events) => {
          told.push(`first ${events.length}`)
          throw new Error("broken")
        })
        first.journal.onCommit((events) => void told.push(`second ${events.length}`))
        for (const id of ["a", "b"]) answers.push((yield* world.append(first, minted(id)))._tag)
      })
    )
    expect([world.problem, answers]).toEqual([undefined, ["Accepted", "Accepted"]])
    expect(told.slice(0, 4)).toEqual(["first 1", "second 1", "first 1", "second 1"])
  })

  it("takes nothing any more where another one took its place", () => {
    const world = new WriteWorld(2, () => KEPT)
    const answers: Array<Answer["_tag"]> = []
    world.run(
      Effect.gen(function* () {
        const first = yield* served(world, 1)
        world.start()
        const second = yield* served(world, 2)
        answers.push((yield* world.append(first, minted("a")))._tag, (yield* world.append(second, minted("b")))._tag)
      })
    )
    expect([world.problem, answers]).toEqual([undefined, ["Unknown", "Accepted"]])
  })

  /** @param step - milliseconds by which the clock is set forward at each append */
  const answered = (becomes: (elapsed: number) => Fate["becomes"], step = 0) => {
    const world: WriteWorld = new WriteWorld(3, ({ call }) => {
      if (call !== "append") return KEPT
      world.clock.jump(step)
      return { ...KEPT, becomes: becomes(world.elapsed) }
    })
    const answers: Array<Answer["_tag"]> = []
    world.run(
      Effect.gen(function* () {
        const first = yield* served(world, 1)
        const both = [world.append(first, minted("a")), world.append(first, minted("b"))]
        for (const { _tag } of yield* Effect.all(both, { concurrency: "unbounded" })) answers.push(_tag)
      })
    )
    return { problem: world.problem, answers, length: world.database.end.seq }
  }

  it("answers what was written though the answer was lost, and writes again what was lost", () => {
    const both = { problem: undefined, answers: ["Accepted", "Accepted"], length: 3 } as const
    expect(answered((elapsed) => (elapsed < 1_000 ? "unanswered" : "done"))).toEqual({
      ...both,
      answers: [...both.answers]
    })
    expect(answered((elapsed) => (elapsed < 1_000 ? "lost" : "done"))).toEqual({ ...both, answers: [...both.answers] })
  })

  it("writes what is urgent where the tables lack all they may, and refuses the rest as not written", () => {
    const world = new WriteWorld(4, ({ call }) => (call === "project" ? { ...KEPT, becomes: "lost" } : KEPT))
    const answers: Array<string> = []
    world.run(
      Effect.gen(function* () {
        const first = yield* served(world, 1)
        for (let filled = 0; filled < MAX_UNPROJECTED_ENTRIES; filled += 10_000) {
          const { entries, ...rest } = minted(`fill${filled}`)
          const many = Array.from({ length: 10_000 }, (_, index) =>
            entries.map(({ commands, event }) => ({ commands, event: { ...event, fundId: `${filled + index}` } }))
          )
          answers.push((yield* world.append(first, { ...rest, entries: many.flat() }))._tag)
        }
        const asked = [
          world.append(first, minted("usual")),
          world.append(first, { ...minted("urgent"), isUrgent: true }),
          world.append(first, { ...minted("urgent too"), isUrgent: true })
        ]
        for (const { _tag } of yield* Effect.all(asked, { concurrency: "unbounded" })) answers.push(_tag)
      })
    )
    expect(answers.slice(-3)).toEqual(["Unwritten", "Accepted", "Accepted"])
    expect(new Set(answers.slice(0, -3))).toEqual(new Set(["Accepted"]))
  })

  it("gives up no group because the clock is set forward meanwhile", () => {
    const { answers, problem } = answered((elapsed) => (elapsed < 1_000 ? "lost" : "done"), 3_600_000)
    expect([problem, answers]).toEqual([undefined, ["Accepted", "Accepted"]])
  })

  it("says that the outcome is unknown once it was looked for long enough", () => {
    const { answers, problem } = answered((elapsed) => (elapsed < RESEND_LIMIT + 1_000 ? "lost" : "done"))
    expect([problem, answers]).toEqual([undefined, ["Unknown", "Unknown"]])
  })
})
