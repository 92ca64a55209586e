import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import fc from "fast-check"
import { settleGroup } from "../../../engine/actor/CommitGroup.ts"
import type { Batch } from "../../../engine/actor/Journal.ts"
import { type AppendedGroup, appendedGroup } from "../../../engine/journal/AppendedGroup.ts"
import { groupLoading } from "../../../engine/journal/GroupLoading.ts"
import { WriterMemory } from "../../../engine/journal/WriterMemory.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { link } from "../../../src/database/ChainLink.ts"
import { MemoryDatabase } from "../../../engine/simulation/MemoryDatabase.ts"
import { storedRowsOf } from "../../../engine/simulation/MemoryWritePath.ts"
import { MemoryTables } from "../../../engine/simulation/MemoryTables.ts"
import { plannedBatch, type PlannedEntry, plannedEntry } from "../../lib/LedgerPlans.ts"
import { property } from "../../lib/Property.ts"

const funded: ReadonlyArray<PlannedEntry> = [0, 1, 2].map((owner) => ({ owner, stream: 0, act: "mint", of: 0 }))

/** Groups, some of them asked again, before each of which the tables follow so far. */
const plans = fc.array(
  fc.record({
    group: fc.array(plannedEntry, { minLength: 1, maxLength: 4 }),
    follows: fc.constantFrom(0, 0, 0, 1, 3),
    isRepeated: fc.boolean()
  }),
  { size: "max", maxLength: 12 }
)

/** A writer whose tables follow when told, and what it reads. */
class Writing {
  readonly #tables = new MemoryTables()
  readonly #memory: WriterMemory
  #end = new MemoryDatabase().end
  #behind: Array<AppendedGroup> = []

  constructor(most: number) {
    this.#memory = new WriterMemory(most)
  }

  /** Has the tables take so many groups. */
  follow(count: number): void {
    const groups = this.#behind.splice(0, count)
    const last = groups.at(-1)
    if (last === undefined) return
    this.#tables.write(groups)
    this.#memory.project(
      groups.map(({ settled }) => settled),
      last.end.seq
    )
  }

  /** What becomes of batches. */
  write(batches: ReadonlyArray<Batch<PlatformEvent>>) {
    const load = groupLoading(storedRowsOf((read) => Effect.sync(() => read(this.#tables))))
    const loaded = Effect.runSync(load(batches, this.#memory, 0, () => false))
    const settled = settleGroup(batches, loaded, this.#end.seq, link)
    const answers = { of: () => ({ status: 200, body: "" }), follows: () => false }
    const behind = { end: this.#end, memory: this.#memory, answers, term: 1n, now: 1 }
    const { group } = appendedGroup(settled, behind, link)
    this.#memory.remember(settled, group.end.seq)
    this.#end = group.end
    if (settled.recorded.length > 0) this.#behind.push(group)
    return settled.results.map((result) => JSON.stringify(result, plain))
  }
}

/** Nothing but the keys of a batch. */
const unclaimed = ({ entries, stream, version }: Batch<PlatformEvent>): Batch<PlatformEvent> => ({
  stream,
  version,
  entries: entries.map((entry) => ({ ...entry, commands: [] }))
})

/** Nothing but the names of a batch. */
const unkeyed = ({ entries, ...batch }: Batch<PlatformEvent>): Batch<PlatformEvent> => ({
  ...batch,
  entries: entries.map(({ event }) => ({ commands: [], event }))
})

/** Another batch, which counts on the names of a batch as not taken. */
const counting = ({ claims = [], entries, stream }: Batch<PlatformEvent>): Batch<PlatformEvent> => ({
  stream,
  version: null,
  unclaimed: claims,
  entries: entries.slice(0, 1).map(({ event }) => ({ commands: [], event }))
})

const plain = (_: string, value: unknown): unknown => (typeof value === "bigint" ? `${value}` : value)

describe("groupLoading", () => {
  it("has groups decided as if the tables had followed each of them, however little is remembered", () => {
    fc.assert(
      fc.property(plans, fc.constantFrom(0, 1, 100), (groups, most) => {
        const [lagging, direct] = [new Writing(most), new Writing(0)]
        const placed: Array<string> = []
        for (const { follows, group, isRepeated } of [{ follows: 0, group: funded, isRepeated: false }, ...groups]) {
          const batches = group.map((entry) => plannedBatch(entry, placed))
          for (const asked of isRepeated ? [batches, batches.map(unclaimed), batches.map(unkeyed)] : [batches]) {
            lagging.follow(follows)
            direct.follow(1)
            expect(lagging.write(asked)).toEqual(direct.write(asked))
          }
        }
      }),
      property()
    )
  })

  it("knows of a name that is counted on whether it is taken, wherever that stands by then", () => {
    let taken = 0
    fc.assert(
      fc.property(plans, fc.constantFrom(0, 1, 100), (groups, most) => {
        const writing = new Writing(most)
        const placed: Array<string> = []
        const named: Array<Batch<PlatformEvent>> = []
        for (const { follows, group } of [{ follows: 0, group: funded }, ...groups]) {
          const batches = group.map((entry) => plannedBatch(entry, placed))
          writing.follow(follows)
          const results = writing.write(batches)
          named.push(
            ...batches.filter(({ claims = [] }, at) => claims.length > 0 && results[at]?.includes("Accepted") === true)
          )
          taken += named.length
          for (const result of writing.write(named.map(counting))) expect(result).toContain("StaleVersion")
          const free = named.map((batch) => counting({ ...batch, claims: ["nobody's"] }))
          for (const result of writing.write(free)) expect(result).toContain("Accepted")
        }
      }),
      property()
    )
    expect(taken).toBeGreaterThan(0)
  })

  it("reads nothing where all is remembered", () => {
    const load = groupLoading(storedRowsOf(() => Effect.die("a read")))
    const memory = new WriterMemory()
    memory.recall([{ id: "s", version: 3, hash: new Uint8Array(32) }], [])
    const batch = { stream: "s", version: 3, entries: [] }
    expect(Effect.runSync(load([batch], memory, 0, () => true)).heads.get("s")?.version).toBe(3)
    expect(() => Effect.runSync(load([{ ...batch, stream: "t" }], memory, 0, () => true))).toThrow("a read")
  })
})
