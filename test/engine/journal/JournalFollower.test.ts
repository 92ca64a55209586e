import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import { GENESIS } from "../../../engine/actor/EventChain.ts"
import { JournalFollower, type Reading } from "../../../engine/journal/JournalFollower.ts"
import { appendedRows, endOf, type JournalEnd, type JournalRow } from "../../../engine/journal/JournalRow.ts"
import { link } from "../../../src/database/ChainLink.ts"
import { property } from "../../lib/Property.ts"

const OLDER = 3

/** The rows of groups of these sizes, of terms that rise now and then. */
const journalOf = (
  sizes: ReadonlyArray<number>,
  end: JournalEnd = { seq: OLDER, hash: GENESIS, recordedAt: 0 }
): ReadonlyArray<JournalRow> => {
  const rows: Array<JournalRow> = []
  let behind = end
  for (const [index, size] of sizes.entries()) {
    const entries = Array.from({ length: size }, (_, entry) => ({
      stream: "s/1",
      data: `{"n":${behind.seq + entry + 1}}`,
      key: "",
      claims: [],
      commands: []
    }))
    const term = BigInt(1 + Math.floor(index / 4))
    for (const row of appendedRows(behind, { entries, answers: [], term, now: index }, link)) {
      rows.push(row)
      behind = endOf(row)
    }
  }
  return rows
}

const PAGE = 3

/** A page of the journal as the database gives it. */
const pageOf = (journal: ReadonlyArray<JournalRow>, { after }: Reading): ReadonlyArray<JournalRow> =>
  journal.filter(({ firstSeq }) => firstSeq > after).slice(0, PAGE)

type Step =
  | { readonly kind: "append" }
  | { readonly kind: "push"; readonly which: number }
  | { readonly kind: "push next" }
  | { readonly kind: "forge"; readonly which: number; readonly how: number }
  | { readonly kind: "hear"; readonly seq: number }
  | { readonly kind: "ask" }
  | { readonly kind: "answer" }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: "append" } as const) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("push" as const), which: fc.nat(40) }) },
  { weight: 4, arbitrary: fc.constant({ kind: "push next" } as const) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("forge" as const), which: fc.nat(40), how: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("hear" as const), seq: fc.nat(200) }) },
  { weight: 3, arbitrary: fc.constant({ kind: "ask" } as const) },
  { weight: 4, arbitrary: fc.constant({ kind: "answer" } as const) }
)

/** A row that no journal has. */
const forged = (row: JournalRow, how: number): JournalRow => {
  if (how === 0) return { ...row, body: row.body.replace("n", "m") }
  if (how === 1) return { ...row, hash: new Uint8Array(32).fill(7) }
  if (how === 2) return { ...row, term: row.term + 1n }
  return { ...row, firstSeq: row.firstSeq + 1 }
}

/** A journal that grows, one that follows it, and what it told. */
class World {
  readonly #all: ReadonlyArray<JournalRow>
  readonly #follower: JournalFollower
  readonly told: Array<number> = []
  #length: number
  #asked: { readonly reading: Reading; readonly page: ReadonlyArray<JournalRow> } | undefined

  constructor(all: ReadonlyArray<JournalRow>, from: number) {
    this.#all = all
    this.#length = Math.min(from, all.length)
    this.#follower = new JournalFollower(link, this.journal.at(-1), OLDER)
  }

  get journal(): ReadonlyArray<JournalRow> {
    return this.#all.slice(0, this.#length)
  }

  make(step: Step): void {
    const { journal } = this
    const row =
      step.kind === "push next"
        ? journal.find(({ firstSeq }) => firstSeq === this.#follower.seq + 1)
        : "which" in step
          ? journal[step.which % Math.max(1, journal.length)]
          : undefined
    if (step.kind === "append") this.#length = Math.min(this.#length + 1, this.#all.length)
    else if (step.kind === "hear") this.#follower.hear(step.seq)
    else if (step.kind === "ask") this.#ask()
    else if (step.kind === "answer") this.#answer()
    else if (row !== undefined && step.kind === "forge") {
      expect(this.#follower.take(forged(row, step.how))).toBe(false)
    } else if (row !== undefined && this.#follower.take(row)) this.told.push(row.firstSeq)
  }

  /** Reads until nothing is missing. */
  catchUp(): void {
    this.#follower.hear(this.journal.reduce((last, row) => Math.max(last, endOf(row).seq), 0))
    for (let reads = 0; this.#follower.isBehind; reads++) {
      expect(reads).toBeLessThan(100)
      this.#ask()
      this.#answer()
    }
  }

  #ask(): void {
    const { reading } = this.#follower
    this.#asked = { reading, page: pageOf(this.journal, reading) }
  }

  #answer(): void {
    if (this.#asked === undefined) return
    const { page, reading } = this.#asked
    this.#asked = undefined
    for (const { firstSeq } of Result.getOrThrow(this.#follower.read(reading, page))) this.told.push(firstSeq)
  }
}

const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 5, maxLength: 30, size: "max" })

describe("A follower", () => {
  it("tells the journal's rows in order and once, whatever is pushed, and all of them once it reads", () => {
    fc.assert(
      fc.property(sizes, fc.nat(10), fc.array(step, { maxLength: 120, size: "max" }), (all, from, steps) => {
        const world = new World(journalOf(all), from)
        const begun = world.journal.length
        const expected = () => world.journal.slice(begun).map(({ firstSeq }) => firstSeq)
        for (const one of steps) {
          world.make(one)
          expect(world.told).toEqual(expected().slice(0, world.told.length))
        }
        world.catchUp()
        expect(world.told).toEqual(expected())
      }),
      property()
    )
  })

  it("reads where a row was not pushed, or does not fit", () => {
    const rows = journalOf([1, 2, 3])
    for (const row of [rows[1], rows[0] === undefined ? undefined : forged(rows[0], 0)]) {
      const follower = new JournalFollower(link, undefined, OLDER)
      if (row !== undefined) expect([follower.take(row), follower.isBehind]).toEqual([false, true])
    }
  })

  it("needs no reading of a journal of which each row is pushed in its turn", () => {
    const rows = journalOf([1, 2, 3])
    const follower = new JournalFollower(link, undefined, OLDER)
    for (const row of rows) expect([follower.take(row), follower.isBehind]).toEqual([true, false])
    expect(follower.seq).toBe(OLDER + 6)
  })

  it("stops at a journal that is not the one it told", () => {
    const rows = journalOf([1, 2, 3])
    const [first] = rows
    const others = [...rows.slice(0, 1), ...journalOf([1, 1, 1], first === undefined ? undefined : endOf(first))]
    const following = (from: JournalRow | undefined) => new JournalFollower(link, from, OLDER)
    const isOver = (follower: JournalFollower, page: ReadonlyArray<JournalRow>) =>
      Result.isFailure(follower.read(follower.reading, page))
    expect(isOver(following(rows[1]), others.slice(1))).toBe(true)
    expect(isOver(following(rows[1]), [])).toBe(true)
    expect(isOver(following(rows[1]), rows.slice(2))).toBe(true)
    expect(isOver(following(rows[0]), [...rows.slice(0, 1), ...rows.slice(2)])).toBe(true)
    expect(isOver(following(undefined), rows.slice(1))).toBe(true)
    expect(isOver(following(rows[0]), rows)).toBe(false)
  })

  it("forgets what it heard of where the journal ends before it", () => {
    const rows = journalOf([1, 2])
    const follower = new JournalFollower(link, rows[1], OLDER)
    follower.hear(1_000)
    const { reading } = follower
    follower.read(reading, rows.slice(1))
    expect(follower.isBehind).toBe(false)
    const later = follower.reading
    follower.hear(1_001)
    follower.read(later, rows.slice(1))
    expect(follower.isBehind).toBe(true)
  })
})
