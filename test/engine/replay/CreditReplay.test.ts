import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import { decodeCreditEvent } from "../../../engine/credit/CreditEvent.ts"
import { Book } from "../../../engine/ledger/Book.ts"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { CreditReplay } from "../../../engine/replay/CreditReplay.ts"
import type { StateRow } from "../../../engine/replay/StateTable.ts"
import type { StoredEvent } from "../../../engine/replay/StoredEvent.ts"
import { REQUEST } from "../../lib/CreditArbitraries.ts"
import { COMPANY, CreditLine } from "../../lib/CreditLine.ts"

const played = (): CreditLine => {
  const line = new CreditLine()
  line.request("usr_1", REQUEST)
  line.order("usr_1", fromUnits(4_000n * ONE))
  line.request("usr_2", { ...REQUEST, loanAmt: 9_500 })
  line.request("usr_1", { ...REQUEST, loanAmt: 600 })
  line.repay("usr_1")
  line.trim("usr_1")
  return line
}

const replayed = (history = false) => {
  const rows: Array<StateRow> = []
  const replay = new CreditReplay({ history, put: (row) => rows.push(row) })
  const take = (stored: StoredEvent) => {
    const event = decodeCreditEvent(stored.data)
    const commands = replay.decide(event, stored)
    if (Result.isSuccess(commands)) replay.evolve(event, stored)
    return commands
  }
  return { rows, replay, take }
}

describe("CreditReplay", () => {
  it("decides every recorded event again, with the commands that the ledger took", () => {
    const line = played()
    const { replay, rows, take } = replayed()
    const book = new Book()
    for (const stored of line.stored) Result.getOrThrow(book.apply(Result.getOrThrow(take(stored))))
    for (const user of ["usr_1", "usr_2"]) {
      const id = `${user}/USD-CREDIT/credit_limit` as const
      expect(book.account(id).balance).toBe(line.book.account(id).balance)
    }
    replay.finish()
    expect(rows.filter(({ table }) => table === "credit_assessments").map(({ values }) => values[0])).toEqual([
      "1",
      "2",
      "3"
    ])
    expect(rows.filter(({ table }) => table === "credit_limits").map(({ values }) => values)).toEqual([
      ["usr_1", COMPANY, "100000000", "100000000", "3", "4"],
      ["usr_2", COMPANY, "500000000", "500000000", "2", "2"]
    ])
  })

  it("puts each state of a limit where the history is wanted", () => {
    const { rows, take } = replayed(true)
    for (const stored of played().stored) take(stored)
    expect(rows.filter(({ table }) => table === "credit_limits").map(({ values }) => values[3])).toEqual([
      "9000000000",
      "500000000",
      "4000000000",
      "100000000"
    ])
  })

  it("notices another score, limit, use or stream than the engine decides", () => {
    const [first, second, third, fourth] = played().stored as [StoredEvent, StoredEvent, StoredEvent, StoredEvent]
    const forged = (stored: StoredEvent, from: RegExp, to: string): StoredEvent => {
      const data = stored.data.replace(from, to)
      expect(data).not.toBe(stored.data)
      return { ...stored, data }
    }
    const isRefused = (before: ReadonlyArray<StoredEvent>, stored: StoredEvent): boolean => {
      const { take } = replayed()
      for (const one of before) Result.getOrThrow(take(one))
      return Result.isFailure(take(stored))
    }
    expect(isRefused([], forged(first, /"score":\d+/, `"score":700`))).toBe(true)
    expect(isRefused([], forged(first, /"granted":"\d+"/, `"granted":"9000000001"`))).toBe(true)
    expect(isRefused([], forged(first, /"posted":"\d+"/, `"posted":"9000000001"`))).toBe(true)
    expect(isRefused([], forged(first, /"used":"0"/, `"used":"1"`))).toBe(true)
    expect(isRefused([], forged(first, /"empLength":"5"/, `"empLength":"five"`))).toBe(true)
    expect(isRefused([], { ...first, stream: "credit/cmp_2" })).toBe(true)
    expect(isRefused([first], forged(second, /"granted":"\d+"/, `"granted":"9500000000"`))).toBe(true)
    expect(isRefused([first, second, third, fourth], fourth)).toBe(true)
  })

  it("takes the card of an older model as it was recorded", () => {
    const [first] = played().stored as [StoredEvent]
    const older = first.data.replace(/"modelVersion":"[^"]*"/, `"modelVersion":"2020-01-01-00000000"`)
    expect(Result.isSuccess(replayed().take({ ...first, data: older.replace(/"score":\d+/, `"score":700`) }))).toBe(
      true
    )
  })
})
