import { expect, it } from "bun:test"
import fc from "fast-check"
import { FAIRNESS_RULES } from "../../../../../engine/arena/Fairness.ts"
import { linkOf, readLink } from "../../../../../src/dashboard/app/simulation/SimulationLink.ts"

const some = fc.option(fc.array(fc.nat(99), { maxLength: 3 }), { nil: undefined })

const scenario = fc.record(
  {
    seed: fc.nat(),
    orders: fc.nat(100),
    traders: fc.nat(100),
    faults: fc.boolean(),
    bots: fc.integer({ min: 1, max: 9 }),
    rule: fc.constantFrom(...FAIRNESS_RULES),
    depth: fc.integer({ min: 1, max: 9 }),
    strikes: fc.constant([
      { after: 7, strike: { kind: "delay", for: 5_000, by: 20 } } as const,
      { after: 9, strike: { kind: "jump_clock", by: -3 } } as const
    ])
  },
  { requiredKeys: ["seed", "orders", "traders", "faults"] }
)

it("A link opens what it was made of", () => {
  fc.assert(
    fc.property(scenario, some, fc.option(fc.nat(9_999), { nil: undefined }), (given, faults, step) => {
      const keep = given.faults && faults !== undefined ? { faults } : {}
      const spec = { ...given, keep }
      expect(readLink(linkOf({ spec, step }))).toEqual({ spec, step })
    })
  )
})

it("A link is as the command has it", () => {
  const spec = {
    seed: 7,
    orders: 8,
    traders: 6,
    faults: true,
    strikes: [{ after: 3, strike: { kind: "restart" } as const }]
  }
  expect(linkOf({ spec, step: 5 })).toBe("seed=7&orders=8&traders=6&faults&strikes=3:restart&step=5")
})

it("A link that names what a page cannot play says so", () => {
  expect(readLink("seed=x")).toContain("--seed is an integer")
  expect(readLink("nodes=3")).toContain("this page plays one seed of the arena")
  expect(readLink("seeds=3")).toContain("this page plays one seed of the arena")
  expect(readLink("with=mine.ts")).toContain("a module of your own")
  expect(readLink("step=x")).toBe("step is a number")
  expect(readLink("nonsense=1")).toContain("unknown argument")
  expect(readLink("seed=%")).toBe("the link is damaged")
  expect(readLink("orders=501")).toContain("at most 500 orders")
  expect(readLink("traders=10000")).toContain("at most 500 orders")
})
