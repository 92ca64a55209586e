import { describe, expect, it } from "bun:test"
import type { ScenarioSpec } from "../../../engine/simulation/Scenario.ts"
import type { NodesSpec } from "../../../engine/simulation/NodesScenario.ts"
import { commandOf, MAX_TRIES, shrink } from "../../../engine/simulation/Shrink.ts"
import type { Violation } from "../../../engine/simulation/SimulationResult.ts"

const spec: ScenarioSpec = { seed: 42, orders: 30, traders: 20, faults: true }
const upTo = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => index)
const parts = { orders: upTo(30), traders: upTo(20), faults: upTo(10), bots: upTo(6) }
const violation: Violation = { invariant: "winner", detail: "", seq: 1, at: 0 }

/** Fails as long as these parts are there. */
const failsWith = (orders: ReadonlyArray<number>, traders: ReadonlyArray<number>, invariant = "winner") => {
  const has = (some: ReadonlyArray<number> | undefined, needed: ReadonlyArray<number>) =>
    needed.every((index) => some?.includes(index) ?? true)
  return ({ keep }: ScenarioSpec): Violation | null =>
    has(keep?.orders, orders) && has(keep?.traders, traders) ? { ...violation, invariant } : null
}

describe("Shrink", () => {
  it("keeps only what the failure needs", () => {
    const { spec: smaller, tried } = shrink(spec, parts, violation, failsWith([3, 17], [5]))
    expect(smaller.keep).toEqual({ orders: [3, 17], traders: [5], faults: [], bots: [] })
    expect(tried).toBeLessThan(MAX_TRIES)
  })

  it("does not take another failure for the same", () => {
    const { spec: smaller } = shrink(spec, parts, violation, failsWith([], [], "ledger"))
    expect(smaller.keep).toEqual(parts)
  })

  it("ends after a bounded number of tries", () => {
    const many = { ...parts, orders: upTo(1_000) }
    const { tried } = shrink({ ...spec, orders: 1_000 }, many, violation, failsWith(upTo(1_000), []))
    expect(tried).toBe(MAX_TRIES)
  })

  it("leaves out requests to nodes, and writes their command", () => {
    const nodes: NodesSpec = { seed: 42, nodes: 3, requests: 30 }
    const fails = ({ keep }: NodesSpec) => (keep?.requests?.includes(4) === true ? violation : null)
    const { spec: smaller } = shrink(nodes, { requests: upTo(30), faults: upTo(10) }, violation, fails)
    expect(smaller.keep).toEqual({ requests: [4], faults: [] })
    expect(commandOf(nodes)).toBe("npm run sim -- --nodes 3 --seed 42 --requests 30")
    expect(commandOf(smaller)).toBe(
      "npm run sim -- --nodes 3 --seed 42 --requests 30 --keep-requests 4 --keep-faults none"
    )
  })

  it("writes the command that replays a scenario", () => {
    expect(commandOf(spec)).toBe("npm run sim -- --seed 42 --orders 30 --traders 20 --faults")
    expect(commandOf({ ...spec, keep: { orders: [3, 17], traders: upTo(20), faults: [] } })).toBe(
      "npm run sim -- --seed 42 --orders 30 --traders 20 --faults --keep-orders 3,17 --keep-faults none"
    )
    expect(commandOf({ ...spec, rule: "quorum" })).toBe(
      "npm run sim -- --seed 42 --orders 30 --traders 20 --faults --rule quorum"
    )
    expect(commandOf({ ...spec, bots: 6, keep: { bots: [4] } })).toBe(
      "npm run sim -- --seed 42 --orders 30 --traders 20 --bots 6 --faults --keep-bots 4"
    )
    expect(commandOf({ ...spec, faults: false })).toBe("npm run sim -- --seed 42 --orders 30 --traders 20")
  })
})
