import { describe, expect, it } from "bun:test"
import { Replay } from "../../../engine/replay/Replay.ts"
import type { StateRow } from "../../../engine/replay/StateTable.ts"
import type { Finding, StoredEvent } from "../../../engine/replay/StoredEvent.ts"
import { accrued } from "../../lib/ArenaWorld.ts"
import { byKey, forged, hashing, sampleLog } from "../../lib/ReplayLog.ts"

const events = sampleLog()

const replay = (log: ReadonlyArray<StoredEvent>, accrual: typeof accrued | undefined = accrued, history = false) => {
  const rows: Array<StateRow> = []
  const machine = new Replay(hashing, { history, put: (row) => rows.push(row) }, accrual)
  let finding: Finding | undefined
  for (const event of log) finding ??= machine.step(event)
  machine.finish()
  return { finding, rows: byKey(rows), put: rows.length, machine }
}

/** Every place in a JSON text where a number or a quoted word may be exchanged for another. */
const alterations = events.flatMap(({ seq, data }) =>
  [...data.matchAll(/"(\d+)"|:(\d+)|"(outbid|human|machine|below_reference)"|(true|false)/g)].map((match) => ({
    seq,
    from: match.index,
    text: match[0]
  }))
)

const otherThan = (text: string): string => {
  const swap: Readonly<Record<string, string>> = {
    '"outbid"': '"below_reference"',
    '"below_reference"': '"outbid"',
    '"human"': '"machine"',
    '"machine"': '"human"',
    true: "false",
    false: "true"
  }
  return swap[text] ?? text.replace(/\d(?=\D?$)/, (digit) => String((Number(digit) + 1) % 10))
}

/** Prices and times came from outside: the engine has nothing to hold them against. */
const isGiven = (data: string, from: number): boolean =>
  /"(at|reference|referenceAt|price)":$/.test(data.slice(0, from + 1).replace(/"$|(?<=:)\d?$/, ""))

const isStep = ({ type }: StoredEvent): boolean => /^(WinnerChosen|OrderSettled|OrderVoided)$/.test(type)

describe("Replay", () => {
  it("decides a log again as it is recorded, and knows each of its orders", () => {
    const { finding, rows, machine } = replay(events)
    expect(finding).toBeUndefined()
    expect(machine.winners.recomputed).toBe(3)
    expect(machine.winners.unpublished).toBe(3)
    const endings = [..."123456789"].map((digit) => rows.get(`arena_orders/ord_${digit.repeat(24)}`)?.values)
    expect(endings[4]?.slice(16, 18)).toEqual([null, null])
    expect(endings.map((values) => [values?.[9], values?.[22]])).toEqual([
      ["settled", null],
      ["settled", null],
      ["settled", null],
      ["settled", "breaker_open_at_expiry"],
      ["settled", "no_settlement_price"],
      ["settling", null],
      ["competing", null],
      ["settling", null],
      ["settling", null]
    ])
  })

  it("derives the same rows whether it keeps their history or not, and whether yields are given or recorded", () => {
    const { rows } = replay(events)
    expect(replay(events, undefined).rows).toEqual(rows)
    const kept = replay(events, accrued, true)
    expect(kept.rows).toEqual(rows)
    expect(kept.put).toBeGreaterThan(rows.size)
    expect(replay(events).put).toBe(rows.size)
  })

  it("balances what it derives", () => {
    const sums = new Map<string, bigint>()
    for (const { table, values } of replay(events).rows.values()) {
      if (table !== "ledger_accounts") continue
      const asset = values[0]!.split("/").at(-2)!
      sums.set(asset, (sums.get(asset) ?? 0n) + BigInt(values[1]!))
    }
    expect([...sums.values()]).toEqual([...sums.keys()].map(() => 0n))
  })

  it("names a forged decision that every chain hides", () => {
    const decided = alterations.filter(({ seq, from }) => {
      const event = events[seq - 1]!
      return isStep(event) && !isGiven(event.data, from)
    })
    expect(decided.length).toBeGreaterThan(50)
    for (const { seq, from, text } of decided) {
      const log = forged(events, seq, (data) => data.slice(0, from) + otherThan(text) + data.slice(from + text.length))
      const { finding } = replay(log)
      expect([finding?.seq ?? 0, finding?.stream]).toEqual([expect.any(Number), events[seq - 1]!.stream])
      expect(finding?.seq).toBeGreaterThanOrEqual(seq)
    }
  })

  it("names an event that the ledger refuses", () => {
    const seq = events.find(({ type }) => type === "OrderOpened")!.seq
    const poor = forged(events, 1, (data) => data.replace('"1000000000"', '"1000000"'))
    expect(replay(poor).finding).toMatchObject({ seq, problem: expect.stringContaining("refused by the ledger") })
  })

  it("names yields that the vault's rates do not give", () => {
    const { finding } = replay(events, (collateral, from, to) => accrued(accrued(collateral, from, to), from, to))
    expect(finding?.type).toBe("WinnerChosen")
    expect(finding?.problem).toContain("decided otherwise")
  })
})
