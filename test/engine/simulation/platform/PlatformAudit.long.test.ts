import { describe, expect, it } from "bun:test"
import { makeScenario } from "../../../../engine/simulation/Scenario.ts"
import { shrink, type SimulationSpec } from "../../../../engine/simulation/Shrink.ts"
import { PLANTED_PLATFORM_BUGS, withCompanies } from "../../../lib/PlantedPlatformBugs.ts"
import { simulated } from "../../../lib/Simulations.ts"

const numbers = (some: ReadonlyArray<{ readonly index: number }>) => some.map(({ index }) => index)

describe("The companies' auditors", () => {
  for (const { invariant, name, planted, seeds } of PLANTED_PLATFORM_BUGS) {
    it(`find a platform that ${name}, within ${seeds} seeds`, () => {
      for (let seed = 1; seed <= seeds; seed++) {
        const { violation } = simulated(withCompanies(seed), planted)
        if (violation === null) continue
        expect(violation.invariant).toBe(invariant)
        return
      }
      expect.unreachable(`no seed up to ${seeds} shows it`)
    })
  }

  it("find a failure that shrinks to a few companies", () => {
    const [bug] = PLANTED_PLATFORM_BUGS
    const spec = withCompanies(1)
    const { bots, companies, faults, given, orders, traders } = makeScenario(spec)
    const parts = {
      orders: numbers(orders),
      traders: numbers(traders),
      bots: numbers(bots),
      companies: numbers(companies),
      faults: numbers([...faults, ...given])
    }
    const violationOf = (one: SimulationSpec) => ("nodes" in one ? null : simulated(one, bug?.planted).violation)
    const { spec: smaller } = shrink(spec, parts, violationOf(spec)!, violationOf)
    expect(smaller.keep?.companies?.length).toBeLessThan(companies.length)
    expect(smaller.keep?.traders).toEqual([])
    expect(violationOf(smaller)?.invariant).toBe(bug!.invariant)
  })
})
