import { describe, expect } from "bun:test"
import { Effect, Exit } from "effect"
import fc from "fast-check"
import { GENESIS } from "../../../engine/actor/EventChain.ts"
import type { Recorded } from "../../../engine/actor/Journal.ts"
import { NAMED, requestName } from "../../../engine/cluster/RequestName.ts"
import { appendedRows, endOf, type JournalRow } from "../../../engine/journal/JournalRow.ts"
import {
  answeredNames,
  type ExecutedPorts,
  MAX_LOOKED_ROWS,
  namedAnswer,
  type RowPages
} from "../../../engine/journal/ExecutedRequests.ts"
import type { EventAnswers } from "../../../engine/journal/StoredResponse.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { link } from "../../../src/database/ChainLink.ts"
import { itEffect } from "../../lib/Effects.ts"
import { runs } from "../../lib/Property.ts"

const entry = { stream: "a", data: "{}", claims: [], commands: [] }

/** Rows of some entries each, of which some have a key, and some of these a kept answer. */
const journalOf = (
  groups: ReadonlyArray<ReadonlyArray<string>>,
  isKept: (seq: number) => boolean = () => true
): ReadonlyArray<JournalRow> => {
  const rows: Array<JournalRow> = []
  for (const keys of groups) {
    const last = rows.at(-1)
    const end = last === undefined ? { seq: 0, hash: GENESIS, recordedAt: 0 } : endOf(last)
    const answers = keys.flatMap((key, index) => {
      const seq = end.seq + 1 + index
      return key === "" || !isKept(seq) ? [] : [{ seq, key, fingerprint: "", status: 200, body: key }]
    })
    rows.push(
      ...appendedRows(end, { entries: keys.map((key) => ({ ...entry, key })), answers, term: 1n, now: 0 }, link)
    )
  }
  return rows
}

const pagesOf =
  (rows: ReadonlyArray<JournalRow>, size: number): RowPages<never> =>
  (after) =>
    Effect.succeed(rows.filter(({ firstSeq }) => firstSeq > after).slice(0, size))

const recorded = (seq: number): Recorded<PlatformEvent> => ({
  seq,
  stream: "a",
  version: 1,
  event: { _tag: "MoneyWithdrawn" } as PlatformEvent,
  hash: ""
})

const ANSWERS: EventAnswers = { of: ({ seq }) => ({ status: 201, body: `of ${seq}` }), follows: () => true }

/** The answers of rows, and of events of which some are gone. */
const portsOf = (rows: RowPages<never>, isGone: (seq: number) => boolean = () => false): ExecutedPorts<never> => ({
  rows,
  recorded: (seq) => Effect.succeed(isGone(seq) ? undefined : recorded(seq)),
  answers: ANSWERS
})

const group = fc.array(fc.constantFrom("", "other", "name"), { minLength: 1, maxLength: 3 })

const world = fc.record({
  groups: fc.array(group, { maxLength: 6 }),
  from: fc.nat({ max: 6 }),
  size: fc.nat({ max: 3 }),
  keptEach: fc.integer({ min: 1, max: 3 })
})

describe("What nodes name", () => {
  itEffect("is found behind what its node knew, wherever in the rows it stands, and nowhere else", () =>
    Effect.forEach(fc.sample(world, runs()), ({ from, groups, keptEach, size }) =>
      Effect.gen(function* () {
        const behind = groups.slice(0, from).flat().length
        const name = requestName({ connection: "c.1", number: 1, behind })
        const named = groups.map((keys) => keys.map((key) => (key === "name" ? name : key)))
        const isKept = (seq: number) => seq % keptEach === 0
        const rows = journalOf(named, isKept)
        const at = named.flat().indexOf(name, behind)
        const pages = pagesOf(rows, size + 1)
        const seq = at + 1
        const kept = { seq, key: name, fingerprint: "", status: 200, body: name }
        const made = { fingerprint: NAMED, status: 201, body: `of ${seq}` }
        expect(yield* namedAnswer(portsOf(pages), name)).toEqual(at === -1 ? undefined : isKept(seq) ? kept : made)
        const gone = yield* Effect.exit(
          namedAnswer(
            portsOf(pages, (event) => event === seq),
            name
          )
        )
        expect(Exit.isFailure(gone)).toBe(at !== -1 && !isKept(seq))
        expect(yield* answeredNames(pages, [name])).toEqual(at === -1 ? [] : [name])
      })
    )
  )

  itEffect("is looked for in rows that are read once for all of them, whatever became of others", () =>
    Effect.gen(function* () {
      const nameOf = (number: number, behind: number) => requestName({ connection: "c.1", number, behind })
      const groups = Array.from({ length: 120 }, (_, index) => [index === 50 ? nameOf(1, 20) : ""])
      const rows = journalOf(groups).slice(10)
      let read = 0
      const pages: RowPages<never> = (after) => {
        read += 1
        return pagesOf(rows, 50)(after)
      }
      const names = [nameOf(1, 20), nameOf(2, 60), nameOf(3, 5), nameOf(4, 120), "no name"]
      expect(yield* answeredNames(pages, names)).toEqual([nameOf(1, 20), nameOf(3, 5), "no name"])
      expect(read).toBe(4)
      expect(yield* answeredNames(pages, [nameOf(1, 51)])).toEqual([])
    })
  )

  itEffect("is forgotten where rows are gone or too many came since, and then nothing is executed", () =>
    Effect.gen(function* () {
      const rows = journalOf([["a"], ["b"], ["c"]])
      const name = requestName({ connection: "c.1", number: 1, behind: 0 })
      const many = pagesOf(journalOf(Array.from({ length: MAX_LOOKED_ROWS }, () => [""])), 100)
      const kept = {
        ...portsOf(
          pagesOf(
            journalOf([[name]], () => false),
            9
          )
        ),
        answers: { ...ANSWERS, follows: () => false }
      }
      expect((yield* Effect.flip(namedAnswer(kept, name)))._tag).toBe("Forgotten")
      const torn = pagesOf(
        journalOf([[name]]).map((row) => ({ ...row, count: 2 })),
        9
      )
      for (const [pages, text] of [
        [torn, name],
        [pagesOf(rows.slice(1), 9), name],
        [many, name],
        [pagesOf(rows, 9), "no name"]
      ] as const) {
        expect((yield* Effect.flip(namedAnswer(portsOf(pages), text)))._tag).toBe("Forgotten")
        expect(yield* answeredNames(pages, [text])).toEqual([text])
      }
    })
  )
})
