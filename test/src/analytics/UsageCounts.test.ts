import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { type CountedUsage, MAX_CELLS, OVERFLOW, UsageCounts } from "../../../src/analytics/UsageCounts.ts"
import { runs } from "../../lib/Property.ts"

const DAY = 86_400_000

const textOf = ({ cell, companyId, day, endpoint }: CountedUsage): string =>
  [companyId, day, endpoint, cell.requests, cell.clientErrors, cell.serverErrors].join(" ")

const requestsIn = (usage: ReadonlyArray<CountedUsage>): number =>
  usage.reduce((sum, { cell }) => sum + cell.latency.reduce((one, other) => one + other, 0), 0)

type Step =
  | { readonly do: "count"; readonly company: string; readonly endpoint: string; readonly status: number }
  | { readonly do: "pass"; readonly millis: number }
  | { readonly do: "take"; readonly written: boolean }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("count" as const),
      company: fc.constantFrom("", "cmp_1", "cmp_2"),
      endpoint: fc.constantFrom("GET /a", "POST /b"),
      status: fc.constantFrom(200, 302, 400, 404, 499, 500, 503)
    })
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("pass" as const), millis: fc.nat(2 * DAY) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("take" as const), written: fc.boolean() }) }
)

/** What was written, told again in the plainest way. */
const model = (steps: ReadonlyArray<Step>): ReadonlyArray<string> => {
  const rows = new Map<string, [number, number, number]>()
  let now = 0
  for (const each of steps) {
    if (each.do === "pass") now += each.millis
    if (each.do !== "count") continue
    const key = [each.company, Math.floor(now / DAY), each.endpoint].join(" ")
    const [requests, client, server] = rows.get(key) ?? [0, 0, 0]
    const isServer = each.status >= 500
    const isClient = each.status >= 400 && !isServer
    rows.set(key, [requests + 1, client + Number(isClient), server + Number(isServer)])
  }
  return [...rows].map(([key, counts]) => [key, ...counts].join(" ")).toSorted()
}

describe("UsageCounts", () => {
  it("loses and doubles nothing, over days and failed writes", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        let now = 0
        const counts = new UsageCounts(() => now)
        const written: Array<CountedUsage> = []
        for (const each of steps) {
          if (each.do === "count") counts.count(each.company, each.endpoint, each.status, 0.001)
          if (each.do === "pass") now += each.millis
          if (each.do !== "take") continue
          const taken = counts.take()
          expect(new Set(taken.map(({ companyId, day, endpoint }) => `${companyId} ${day} ${endpoint}`)).size).toBe(
            taken.length
          )
          if (each.written) written.push(...taken)
          else counts.restore(taken)
        }
        const last = new UsageCounts(() => 0)
        last.restore([...written, ...counts.take()])
        expect(last.take().map(textOf).toSorted()).toEqual([...model(steps)])
      }),
      { numRuns: runs() }
    )
  })

  it("counts as overflow what there is no room for, whatever is asked", () => {
    const counts = new UsageCounts(() => 0)
    const asked = MAX_CELLS + 100
    for (let index = 0; index < asked; index++) counts.count(`cmp_${index}`, "GET /a", 200, 0.001)
    counts.count("cmp_1", "GET /a", 200, 0.001)
    const taken = counts.take()
    expect(taken.length).toBe(MAX_CELLS + 1)
    expect(taken.filter(({ endpoint }) => endpoint === OVERFLOW).map(textOf)).toEqual([` 0 ${OVERFLOW} 100 0 0`])
    expect(requestsIn(taken)).toBe(asked + 1)
  })

  it("keeps no more than it has room for while nothing can be written", () => {
    let now = 0
    const counts = new UsageCounts(() => now)
    for (let day = 0; day < 3; day++) {
      for (let index = 0; index < MAX_CELLS; index++) counts.count(`cmp_${index}`, "GET /a", 200, 0.001)
      counts.restore(counts.take())
      now += DAY
    }
    const taken = counts.take()
    expect(taken.length).toBeLessThanOrEqual(MAX_CELLS + 3)
    expect(requestsIn(taken)).toBe(3 * MAX_CELLS)
  })

  it("puts a request in the day of its answer, also where the clock goes back", () => {
    let now = DAY - 1
    const counts = new UsageCounts(() => now)
    for (const at of [DAY - 1, DAY, DAY - 1]) {
      now = at
      counts.count("cmp_1", "GET /a", 200, 0.001)
    }
    expect(counts.take().map(textOf).toSorted()).toEqual(["cmp_1 0 GET /a 2 0 0", "cmp_1 1 GET /a 1 0 0"])
  })
})
