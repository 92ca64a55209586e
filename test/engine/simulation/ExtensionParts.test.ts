import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import { contextOf, extensionParts, isProgram, traderPlans } from "../../../engine/simulation/ExtensionParts.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"

const onEvent = (): void => {}
const fault = { name: "storm", strike: () => undefined }
const invariant = { name: "calm", check: () => undefined }

const problemOf = (made: unknown): string => {
  const parts = extensionParts(made)
  return Result.isFailure(parts) ? parts.failure : ""
}

describe("The parts of an extension", () => {
  it("are lists, of one or more, or none", () => {
    const one = Result.getOrThrow(extensionParts({ trader: { onEvent }, fault, invariant: [invariant, invariant] }))
    expect(one).toEqual({ traders: [{ onEvent }], faults: [fault], invariants: [invariant, invariant] })
    expect(Result.getOrThrow(extensionParts({}))).toEqual({ traders: [], faults: [], invariants: [] })
  })

  it("are a trader where a program alone is given, as a replay takes it", () => {
    expect(isProgram({ onEvent })).toBe(true)
    expect(Result.getOrThrow(extensionParts({ onEvent })).traders).toEqual([{ onEvent }])
  })

  it("are refused with a sentence that says what has to be there", () => {
    expect(problemOf(undefined)).toContain("its default export has to be {trader, fault, invariant}")
    expect(problemOf([])).toContain("its default export has to be")
    expect(problemOf({ traders: [] })).toEndWith("and has traders")
    expect(problemOf({ trader: {} })).toContain("onEvent(event, market)")
    expect(problemOf({ trader: { onEvent, channels: ["all"] } })).toContain("orders, commitments, prices, my")
    expect(problemOf({ trader: { onEvent, type: "robot" } })).toContain(`"human" or "machine"`)
    for (const balance of [0, -1, "1", Number.NaN]) {
      expect(problemOf({ trader: { onEvent, balance } })).toContain("USD above 0")
    }
    expect(problemOf({ fault: { name: "storm" } })).toBe("a fault has to be {name, strike(world) {…}}")
    expect(problemOf({ fault: { ...fault, name: "a storm" } })).toContain("a fault's name")
    expect(problemOf({ invariant: [invariant, 5] })).toBe("an invariant has to be {name, check(world) {…}}")
  })

  it("come after the scenario's traders, each a company of its own with what it says that it has", () => {
    const plans = traderPlans([{ onEvent }, { onEvent, type: "human", balance: 5 }], 7)
    expect(plans).toMatchObject([
      { index: 7, id: "usr_7", owner: "cmp_7", type: "machine", balance: usd("100000"), allowance: usd("100000") },
      { index: 8, id: "usr_8", owner: "cmp_8", type: "human", balance: usd("5"), allowance: null }
    ])
  })

  it("draw from the seed alone, each label by itself", () => {
    const draws = (seed: number, label: string) => {
      const chance = contextOf(seed).random(label)
      return Array.from({ length: 4 }, () => chance.next())
    }
    expect(draws(1, "a")).toEqual(draws(1, "a"))
    expect(draws(1, "a")).not.toEqual(draws(1, "b"))
    expect(draws(1, "a")).not.toEqual(draws(2, "a"))
  })
})
