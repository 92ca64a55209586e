import fc from "fast-check"
import { describe, expect, it } from "bun:test"
import { GENESIS } from "../../../engine/actor/EventChain.ts"
import { appendedRows, endOf, type JournalRow } from "../../../engine/journal/JournalRow.ts"
import { JournalWalk } from "../../../engine/journal/JournalWalk.ts"
import type { Finding, StoredEvent } from "../../../engine/replay/StoredEvent.ts"
import { link } from "../../../src/database/ChainLink.ts"
import { property } from "../../lib/Property.ts"

const OLDER = 2

const event = (seq: number): StoredEvent => ({
  seq,
  stream: `s/${seq % 3}`,
  version: 1,
  type: "T",
  data: `{"n":${seq}}`,
  hash: ""
})

const EVENTS = Array.from({ length: 12 }, (_, index) => event(index + 1))

/** Rows for all events but the oldest, which are older than the journal: of one, two, three and four of them. */
const ROWS = ((): ReadonlyArray<JournalRow> => {
  const rows: Array<JournalRow> = []
  let end = { seq: OLDER, hash: GENESIS, recordedAt: 0 }
  for (const count of [1, 2, 3, 4]) {
    const entries = EVENTS.slice(end.seq, end.seq + count).map(({ data, stream }) => ({
      stream,
      data,
      key: "",
      claims: [],
      commands: []
    }))
    const answers = [{ seq: end.seq + 1, key: "k", fingerprint: "f", status: 200, body: "{}" }]
    for (const row of appendedRows(end, { entries, answers, term: BigInt(count), now: count }, link)) {
      rows.push(row)
      end = endOf(row)
    }
  }
  return rows
})()

/** What is found first, where rows come before the events that they begin with. */
const walked = (
  rows: ReadonlyArray<JournalRow>,
  events: ReadonlyArray<StoredEvent>,
  walk = new JournalWalk(link)
): Finding | undefined => {
  const rest = [...rows]
  for (const one of [...events, undefined]) {
    const due = one === undefined ? rest.length : rest.filter(({ firstSeq }) => firstSeq <= one.seq).length
    for (const row of rest.splice(0, due)) {
      const finding = walk.take(row)
      if (finding !== undefined) return finding
    }
    const finding = one === undefined ? walk.finding : walk.step(one)
    if (finding !== undefined) return finding
  }
  return undefined
}

const flipped = (bytes: Uint8Array): Uint8Array => bytes.map((byte, index) => (index === 7 ? byte ^ 1 : byte))

const altered: ReadonlyArray<(row: JournalRow) => JournalRow> = [
  (row) => ({ ...row, firstSeq: row.firstSeq + 1 }),
  (row) => ({ ...row, count: row.count + 1 }),
  (row) => ({ ...row, term: row.term + 1n }),
  (row) => ({ ...row, recordedAt: row.recordedAt + 1 }),
  (row) => ({ ...row, hash: flipped(row.hash) }),
  (row) => ({ ...row, answersDigest: flipped(row.answersDigest) }),
  (row) => ({ ...row, answers: `${row.answers} ` }),
  (row) => ({ ...row, body: row.body.replace('"n":', '"m":') })
]

describe("JournalWalk", () => {
  it("finds nothing where the journal has the events, in any pages, also where answers are not kept any more", () => {
    expect(walked(ROWS, EVENTS)).toBeUndefined()
    expect(walked([], EVENTS)).toBeUndefined()
    expect(
      walked(
        ROWS.map((row) => ({ ...row, answers: null })),
        EVENTS
      )
    ).toBeUndefined()
  })

  it("finds a row that was altered or is gone, and an event that is another, too many or gone", () => {
    const index = fc.nat(ROWS.length - 1)
    const change = fc.constantFrom(...altered)
    fc.assert(
      fc.property(index, change, (at, make) => {
        expect(
          walked(
            ROWS.map((row, place) => (place === at ? make(row) : row)),
            EVENTS
          )
        ).toBeDefined()
        expect(
          walked(
            ROWS.filter((_, place) => place !== at),
            EVENTS
          )
        ).toBeDefined()
      }),
      property()
    )
    for (const seq of EVENTS.slice(OLDER).map((one) => one.seq)) {
      const other = EVENTS.map((one) => (one.seq === seq ? { ...one, data: "{}" } : one))
      expect(walked(ROWS, other)).toMatchObject({ seq })
    }
    for (const seq of EVENTS.slice(OLDER, -1).map((one) => one.seq)) {
      expect(
        walked(
          ROWS,
          EVENTS.filter((one) => one.seq !== seq)
        )
      ).toBeDefined()
    }
    expect(walked(ROWS, [...EVENTS, event(13)])).toMatchObject({ seq: 13, problem: "is not in the journal" })
  })

  it("has the entries behind the last event as its tail, wherever it begins", () => {
    fc.assert(
      fc.property(fc.integer({ min: OLDER, max: EVENTS.length }), (last) => {
        const tail = EVENTS.slice(last).map(({ data, seq, stream }) => ({
          stream,
          data,
          key: "",
          claims: [],
          commands: [],
          seq
        }))
        const whole = new JournalWalk(link)
        expect(walked(ROWS, EVENTS.slice(0, last), whole)).toBeUndefined()
        expect(whole.tail).toEqual(tail)
        const row = ROWS.findLast(({ firstSeq }) => firstSeq <= last)
        const begun = new JournalWalk(link, { last, row })
        const behind = ROWS.filter(({ firstSeq }) => firstSeq > last)
        expect(walked(behind, [], begun)).toBeUndefined()
        expect(begun.tail).toEqual(tail)
      }),
      property()
    )
  })

  it("finds a tail that is altered, or does not begin behind the last event", () => {
    fc.assert(
      fc.property(fc.integer({ min: OLDER, max: EVENTS.length - 1 }), fc.constantFrom(...altered), (last, make) => {
        const row = ROWS.findLast(({ firstSeq }) => firstSeq <= last)
        const behind = ROWS.filter(({ firstSeq }) => firstSeq > last)
        const before = { last, row }
        for (const place of behind.keys()) {
          const other = behind.map((one, index) => (index === place ? make(one) : one))
          expect(walked(other, [], new JournalWalk(link, before))).toBeDefined()
        }
        if (behind.length > 1) expect(walked(behind.slice(1), [], new JournalWalk(link, before))).toBeDefined()
      }),
      property()
    )
    expect(walked(ROWS, EVENTS.slice(0, OLDER - 1))).toMatchObject({ seq: OLDER + 1, stream: EVENTS[OLDER]!.stream })
    expect(walked(ROWS, [], new JournalWalk(link, { last: OLDER - 1, row: undefined }))).toBeDefined()
  })

  it("finds terms and times that fall", () => {
    const [first, second] = ROWS
    const entries = [{ stream: "s/1", data: "{}", key: "", claims: [], commands: [] }]
    const behind = { ...endOf(first!), recordedAt: 0 }
    const back = appendedRows(behind, { entries, answers: [], term: first!.term, now: 0 }, link)
    expect(walked([first!, ...back], EVENTS.slice(0, OLDER + 1))?.problem).toContain("older than the one before it")
    const low = appendedRows(endOf(second!), { entries, answers: [], term: 1n, now: 9 }, link)
    expect(walked([first!, second!, ...low], EVENTS.slice(0, OLDER + 3))?.problem).toContain("behind one of term 2")
  })
})
