import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { badEnds, type HandedOver, pauses, pauseText } from "../../../scripts/cluster/HandOvers.ts"
import type { Operation } from "../../../scripts/cluster/History.ts"
import { property } from "../../lib/Property.ts"

const acknowledged = (at: number, client = "one"): Operation => ({
  client,
  owner: "owner",
  key: `key ${at}`,
  mark: `mark ${at}`,
  isDirect: false,
  began: at - 1,
  replies: [{ at, outcome: "accepted", status: 200, receipt: undefined, isReplayed: false }]
})

const refused = (at: number): Operation => ({
  ...acknowledged(at),
  replies: [{ at, outcome: "refused", status: 422, receipt: undefined, isReplayed: false }]
})

const handedOver = (at: number, ended: number, code: number | null = 0): HandedOver => ({
  signalled: 1_700_000_000_000 + at,
  at,
  ended,
  from: "node 1",
  to: "node 2",
  code
})

describe("The pause of a hand-over", () => {
  it("is the longest gap between acknowledgements that it has a part in, of all clients and of each", () => {
    const operations = [
      ...[100, 990, 1_400, 1_500, 2_300].map((at) => acknowledged(at, "one")),
      ...[800, 1_200, 2_100, 9_000].map((at) => acknowledged(at, "two")),
      refused(1_300)
    ]
    const [found] = pauses([handedOver(1_000, 2_000)], operations, 9_000)
    expect(found).toEqual({ overall: 600, perClient: [800, 900] })
  })

  it("lasts until somebody looks where nobody was acknowledged anything since, or ever", () => {
    const operations = [100, 900].map((at) => acknowledged(at, "one"))
    const [found] = pauses([handedOver(1_000, 2_000)], [...operations, { ...refused(800), client: "two" }], 5_000)
    expect(found).toEqual({ overall: 4_100, perClient: [4_100, 4_201] })
  })

  it("is never shorter than the time in it without an acknowledgement", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(3_000), { minLength: 2 }),
        fc.nat(3_000),
        fc.nat(3_000),
        (times, at, length) => {
          const sorted = times.toSorted((one, other) => one - other)
          const [pause] = pauses(
            [handedOver(at, at + length)],
            times.map((time) => acknowledged(time)),
            at + length
          )
          const inside = sorted.filter((time) => time > at && time < at + length)
          const [first = 0] = sorted
          const edges = [at, ...inside, at + length].filter((time) => time >= first)
          const gaps = edges.slice(1).map((time, index) => time - (edges[index] ?? time))
          expect(pause?.overall).toBeGreaterThanOrEqual(Math.max(0, ...gaps))
        }
      ),
      property()
    )
  })

  it("is told by its median and its longest, in seconds", () => {
    const found = [400, 900, 700].map((overall) => ({ overall, perClient: [overall, 2 * overall] }))
    const done = [handedOver(0, 1_100), handedOver(5_000, 6_300), handedOver(9_000, 10_200)]
    expect(pauseText(found, done).split("\n")).toEqual([
      "nobody was acknowledged anything: half within 0.70 s, all within 0.90 s",
      "one client was not: half within 0.90 s, all within 1.80 s",
      "the old process ended: half within 1.20 s, all within 1.30 s"
    ])
  })
})

describe("The end of a hand-over", () => {
  it("is well with 0 alone", () => {
    expect(badEnds([handedOver(1_000, 2_000)])).toEqual([])
    expect(badEnds([handedOver(1_000, 2_000, 1), handedOver(3_000, 4_000, null)]).map(({ what }) => what)).toEqual([
      "node 1, told to stop at 1.000 s, ended with 1",
      "node 1, told to stop at 3.000 s, ended with a signal"
    ])
  })
})
