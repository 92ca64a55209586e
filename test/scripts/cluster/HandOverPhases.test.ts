import { describe, expect, it } from "bun:test"
import { phases, phaseTable } from "../../../scripts/cluster/HandOverPhases.ts"
import type { HandedOver } from "../../../scripts/cluster/HandOvers.ts"
import type { Operation } from "../../../scripts/cluster/History.ts"

const SIGNALLED = Date.UTC(2026, 10, 26, 12)

const line = (after: number, message: string): string =>
  JSON.stringify({ message, level: "DEBUG", timestamp: new Date(SIGNALLED + after).toISOString() })

const acknowledged = (at: number): Operation => ({
  client: "one",
  owner: "owner",
  key: `key ${at}`,
  mark: `mark ${at}`,
  isDirect: false,
  began: at - 1,
  replies: [{ at, outcome: "accepted", status: 200, receipt: undefined, isReplayed: false }]
})

const handedOver = (at: number, from: string, to: string): HandedOver => ({
  at,
  signalled: SIGNALLED + at,
  ended: at + 1_200,
  from,
  to,
  code: 0
})

const OLD = [
  line(900, "This node writes no more."),
  "no JSON",
  line(1_010, "This node leaves."),
  line(1_060, "What was begun is answered."),
  line(1_100, "This node writes no more.")
]
const NEXT = [
  line(500, "This node was elected to write."),
  line(1_130, "This node was elected to write."),
  line(1_150, "The term is 12."),
  line(1_250, "The journal goes on behind event 310."),
  line(1_500, "This node takes requests as the one that writes.")
]

const logs = new Map([
  ["node 1", OLD.join("\n")],
  ["node 2", NEXT.join("\n")]
])

describe("The steps of a hand-over", () => {
  it("are told by what both processes logged since the signal, and by the first acknowledgement", () => {
    const [found] = phases([handedOver(1_000, "node 1", "node 2")], [990, 1_050, 1_620].map(acknowledged), logs)
    expect(found).toEqual({
      told: 10,
      answered: 60,
      "given up": 100,
      elected: 130,
      term: 150,
      journal: 250,
      ready: 500,
      acknowledged: 620
    })
  })

  it("are unknown where nobody logged them, and belong to their own hand-over", () => {
    const both = [handedOver(1_000, "node 1", "node 2"), handedOver(1_120, "node 1", "node 2")]
    const [first, second] = phases(both, [], logs)
    expect([first?.["given up"], first?.elected, first?.acknowledged]).toEqual([100, undefined, undefined])
    expect([second?.told, second?.elected]).toEqual([undefined, 10])
  })

  it("are a row, each from the end of the one before", () => {
    const found = phases([handedOver(1_000, "node 1", "node 2")], [1_620].map(acknowledged), logs)
    expect(
      phaseTable(found, [{ overall: 570.4 }])
        .split("\n")
        .at(-1)
    ).toBe("| 1 | 10 | 50 | 40 | 30 | 20 | 100 | 250 | 120 | 570 |")
  })
})
