import fc from "fast-check"
import { describe, expect, it } from "bun:test"
import { MAX_COMMITMENTS_PER_ORDER } from "../../../engine/arena/Submission.ts"
import { encodePlatformEvent } from "../../../engine/replay/EventCodec.ts"
import { encodeEvent, GENESIS } from "../../../engine/actor/EventChain.ts"
import { MAX_LINES, MAX_PIECES } from "../../../engine/commerce/PurchaseOrderDecision.ts"
import type { PurchaseOrderPlaced } from "../../../engine/commerce/PurchaseOrderEvent.ts"
import { walletOf } from "../../../engine/ledger/Funding.ts"
import { fromUnits, MAX } from "../../../engine/money/Amount.ts"
import {
  appendedRows,
  endOf,
  entriesOf,
  type JournalEntry,
  type KeyedAnswer,
  MAX_ENTRY_BYTES,
  MAX_ROW_BYTES
} from "../../../engine/journal/JournalRow.ts"
import { link } from "../../../src/database/ChainLink.ts"
import { commitment, human, machine, median, terms, usd } from "../../lib/ArenaArbitraries.ts"
import { anyCommand } from "../../lib/LedgerCommands.ts"
import { competing, settling, step } from "../../lib/OrderStages.ts"
import { property, runs } from "../../lib/Property.ts"

const START = { seq: 0, hash: GENESIS, recordedAt: 0 }

const entry: fc.Arbitrary<JournalEntry> = fc.record({
  stream: fc.stringMatching(/^[a-z]{1,8}\/[a-z0-9]{1,8}$/),
  data: fc.anything().map((value) => JSON.stringify({ value: JSON.stringify(value) ?? "" })),
  key: fc.stringMatching(/^[\x21-\x7e]{0,12}$/),
  claims: fc.array(fc.string(), { maxLength: 2 }),
  commands: fc.option(fc.array(anyCommand, { maxLength: 3 }), { nil: undefined })
})

const answersOf = (entries: ReadonlyArray<JournalEntry>, from: number): ReadonlyArray<KeyedAnswer> =>
  entries.flatMap(({ data, key }, index) =>
    key === "" ? [] : [{ seq: from + index, key, fingerprint: "f", status: 200, body: data }]
  )

describe("appendedRows", () => {
  it("gives the entries back, in rows that follow on each other", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.array(entry, { maxLength: 5 }), fc.nat(5))), (commits) => {
        let end = START
        for (const [entries, now] of commits) {
          const rows = appendedRows(end, { entries, answers: answersOf(entries, end.seq + 1), term: 1n, now }, link)
          expect(rows.flatMap((row) => entriesOf(row) ?? [])).toEqual([...entries])
          for (const row of rows) {
            expect(row.firstSeq).toBe(end.seq + 1)
            expect(row.recordedAt).toBe(Math.max(end.recordedAt, now))
            end = endOf(row)
          }
        }
      }),
      { numRuns: runs() }
    )
  })

  it("makes as many rows as the longest body needs, each with its own answers", () => {
    const line = (size: number): JournalEntry => ({
      stream: "s/1",
      key: "k",
      claims: [],
      commands: [],
      data: "x".repeat(size)
    })
    const text = fc.array(fc.integer({ min: 1, max: 1.5 * MAX_ROW_BYTES }).map(line), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(text, (entries) => {
        const rows = appendedRows(START, { entries, answers: answersOf(entries, 1), term: 1n, now: 1 }, link)
        expect(rows.flatMap((row) => entriesOf(row) ?? [])).toEqual(entries)
        for (const { answers, body, count, firstSeq } of rows) {
          expect(count).toBeGreaterThan(0)
          if (count > 1) expect(Buffer.byteLength(body)).toBeLessThanOrEqual(MAX_ROW_BYTES)
          const seqs = (JSON.parse(answers ?? "[]") as ReadonlyArray<ReadonlyArray<unknown>>).map(([seq]) => seq)
          expect(seqs).toEqual(Array.from({ length: count }, (_, index) => firstSeq + index))
        }
      }),
      property(20)
    )
  })

  it("takes the longest event there is: an order of as many lines as may be, each of another seller", () => {
    const id = (prefix: string, index: number) => `${prefix}_${String(index).padStart(24, "0")}`
    const every = Array.from({ length: MAX_LINES }, (_, index) => index)
    const most = fromUnits(9_007_199_254_740_991n)
    const walletOfSeller = (index: number) => walletOf(id("usr", index), "USD")
    const placed: PurchaseOrderPlaced = {
      _tag: "PurchaseOrderPlaced",
      at: 4_000_000_000_000,
      userId: id("usr", 0),
      companyId: id("cmp", 0),
      terms: {
        orderId: id("pur", 0),
        buyer: { companyId: id("cmp", 0), creditLimit: walletOfSeller(0) },
        lines: every.map((index) => ({
          productId: id("prd", index),
          sellerId: id("cmp", index),
          wallet: walletOfSeller(index),
          quantity: MAX_PIECES,
          unitPrice: most
        })),
        sellers: every.map((index) => ({ sellerId: id("cmp", index), wallet: walletOfSeller(index), subtotal: most })),
        total: most,
        paymentTerms: { type: "prepaid" },
        schedule: [],
        placedAt: 4_000_000_000_000
      }
    }
    const entries = [
      { stream: id("purchase", 0), key: "k".repeat(128), claims: [], commands: [], data: encodeEvent(placed) }
    ]
    expect(appendedRows(START, { entries, answers: [], term: 1n, now: 1 }, link)).toHaveLength(1)
  })

  it("takes the end of an order with as many commitments as there may be, with a winner or void", () => {
    const id = (prefix: string, index: number) => `${prefix}_${String(index).padStart(24, "0")}`
    const some = Array.from({ length: 100 }, (_, index) =>
      commitment(index, {
        commitmentId: `com_${id("", index).slice(1)}_${99_999_999 - index}`,
        trader:
          index === 0 ? human(id("cmp", 0)) : machine(id("cmp", index), { account: walletOf(id("usr", index), "USD") }),
        collateral: usd(index === 0 ? "1000000000" : "1000000"),
        proposedPrice: usd("1000000"),
        quantity: usd("10")
      })
    )
    const medians = [median(terms().expiryAt, "100")]
    const ends = [
      step(settling(...some), { accrued: () => MAX, medians }),
      step(competing(...some), { accrued: () => MAX, haltedAtExpiry: true })
    ]
    expect(ends.map(({ event }) => event._tag)).toEqual(["WinnerChosen", "OrderVoided"])
    for (const { commands, event } of ends) {
      const entries = [{ stream: id("order", 0), key: "", claims: [], commands, data: encodePlatformEvent(event) }]
      const [row] = appendedRows(START, { entries, answers: [], term: 1n, now: 1 }, link)
      const perCommitment = Buffer.byteLength(row?.body ?? "") / some.length
      expect(perCommitment).toBeGreaterThan(700)
      expect(perCommitment * MAX_COMMITMENTS_PER_ORDER).toBeLessThan(MAX_ENTRY_BYTES)
    }
  })

  it("takes no entry that is longer than may be", () => {
    const entries = [{ stream: "s/1", key: "", claims: [], commands: [], data: "é".repeat(MAX_ENTRY_BYTES / 2) }]
    expect(() => appendedRows(START, { entries, answers: [], term: 1n, now: 1 }, link)).toThrow(
      `longer than ${MAX_ENTRY_BYTES}`
    )
  })

  it("takes no stream and no key that would end a line or a field", () => {
    for (const wrong of [{ stream: "s\t1" }, { stream: "s\n1" }, { key: "k\t" }, { key: "k\n" }]) {
      const entries = [{ stream: "s/1", key: "", claims: [], commands: [], data: "{}", ...wrong }]
      expect(() => appendedRows(START, { entries, answers: [], term: 1n, now: 1 }, link)).toThrow("line break or a tab")
    }
  })

  it("has no row for nothing", () => {
    expect(appendedRows(START, { entries: [], answers: [], term: 1n, now: 1 }, link)).toEqual([])
  })
})
