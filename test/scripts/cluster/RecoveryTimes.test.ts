import { describe, expect, it } from "bun:test"
import type { Operation, Outcome } from "../../../scripts/cluster/History.ts"
import { recoveries, recoveryTable } from "../../../scripts/cluster/RecoveryTimes.ts"

const sent = (began: number, at: number, outcome: Outcome = "accepted"): Operation => ({
  client: "client",
  owner: "owner",
  key: `key ${began}`,
  mark: `mark ${began}`,
  isDirect: false,
  began,
  replies: [{ at, outcome, status: 200, receipt: undefined, isReplayed: false }]
})

describe("RecoveryTimes", () => {
  it("counts only requests that began after the fault, by their acknowledgement", () => {
    const operations = [sent(900, 1_010), sent(1_001, 1_400), sent(1_100, 1_300), sent(1_050, 1_060, "refused")]
    expect(recoveries([{ kind: "a", at: 1_000 }], operations).get("a")?.times).toEqual([300])
  })

  it("counts what was lost to the fault before it", () => {
    const operations = [sent(900, 999, "unknown"), sent(900, 1_000, "unknown"), sent(900, 2_100, "unknown")]
    const faults = [
      { kind: "a", at: 1_000 },
      { kind: "b", at: 2_000 },
      { kind: "a", at: 3_000 }
    ]
    const direct = { ...sent(900, 2_200, "unknown"), isDirect: true }
    const found = recoveries(faults, [...operations, sent(900, 3_500, "unknown"), direct])
    expect([...found].map(([kind, { lost }]) => [kind, lost])).toEqual([
      ["a", 2],
      ["b", 1]
    ])
  })

  it("says never where nothing was acknowledged", () => {
    const found = recoveries([{ kind: "a", at: 2_000 }], [sent(900, 3_010)])
    expect(recoveryTable(found)).toContain("| a | 1 | never | never |  | 0 |")
  })

  it("gives a row for each kind, and the 99th percentile where there are enough", () => {
    const found = new Map([
      ["b", { times: [2_000, 1_000, 4_000], lost: 3 }],
      ["a", { times: Array.from({ length: 100 }, (_, index) => (index + 1) * 10), lost: 0 }]
    ])
    expect(recoveryTable(found).split("\n").slice(2)).toEqual([
      "| a | 100 | 0.51 | 1.00 | 1.00 | 0 |",
      "| b | 3 | 2.00 | 4.00 |  | 3 |"
    ])
  })
})
