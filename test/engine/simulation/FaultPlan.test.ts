import { describe, expect, it } from "bun:test"
import { REACHABLE_EVENTS } from "../../../engine/simulation/ReachableEvents.ts"
import { AIMS } from "../../../engine/simulation/FaultAim.ts"
import {
  describeFault,
  FAULT_KINDS,
  faultCount,
  type FaultPlan,
  planFaults
} from "../../../engine/simulation/FaultPlan.ts"

const HOUR = 3_600_000
const EVENTS = ["OrderOpened", "OrderClosed"]
const LATER = ["OrderClosed", "ProductListed"]

describe("FaultPlan", () => {
  it("draws every kind of fault, each within the simulation", () => {
    const faults = planFaults(1, 100 * HOUR, EVENTS)
    expect(new Set(faults.map(({ kind }) => kind)).size).toBe(11)
    for (const { at } of faults) expect(at >= 0 && at < 100 * HOUR).toBe(true)
  })

  it("lets the oracle fail seldom in a long simulation, so that it trades", () => {
    const ofOracle = (seed: number, from: number, to: number) =>
      planFaults(seed, 100 * HOUR, EVENTS)
        .slice(from, to)
        .filter(({ kind }) => kind === "stall_oracle" || kind === "spike_oracle").length
    const seeds = Array.from({ length: 20 }, (_, index) => index + 1)
    const sum = (from: number, to: number) => seeds.reduce((total, seed) => total + ofOracle(seed, from, to), 0)
    expect(sum(0, 24)).toBeGreaterThan(20)
    expect(sum(24, 2_424)).toBeGreaterThan(50)
    expect(sum(24, 2_424)).toBeLessThan(400)
    for (const seed of seeds) expect(ofOracle(seed, 25, 48)).toBe(0)
  })

  it("draws the same faults for the same seed, others for another", () => {
    expect(planFaults(1, HOUR, EVENTS)).toEqual(planFaults(1, HOUR, EVENTS))
    expect(planFaults(1, HOUR, EVENTS)).not.toEqual(planFaults(2, HOUR, EVENTS))
  })

  it("aims the last few, at one pair of a fault and an event after the other", () => {
    const aims = Array.from({ length: FAULT_KINDS.length * EVENTS.length }, (_, seed) =>
      planFaults(seed, HOUR, EVENTS).slice(-AIMS)
    ).flat()
    const pairs = new Set(aims.map(({ before, kind }) => `${kind} before ${before}`))
    expect(pairs.size).toBe(FAULT_KINDS.length * EVENTS.length)
    expect(planFaults(1, HOUR, EVENTS).length).toBe(faultCount(HOUR))
    expect(planFaults(1, HOUR, EVENTS).filter(({ before }) => before !== undefined).length).toBe(AIMS)
  })

  it("leaves a short simulation its first orders", () => {
    const faults = Array.from({ length: 300 }, (_, seed) => planFaults(seed, 300_000, EVENTS).slice(0, -AIMS)).flat()
    const ofOracle = faults.filter(({ kind }) => kind === "stall_oracle" || kind === "spike_oracle")
    expect(ofOracle.length).toBeGreaterThan(100)
    expect(Math.min(...ofOracle.map(({ at }) => at))).toBeGreaterThan(20_000)
  })

  it("aims the oracle at what comes after the first orders, where it can, and hardly off", () => {
    const late = Array.from({ length: 200 }, (_, seed) => planFaults(seed, 300_000, LATER).slice(-AIMS)).flat()
    const opening = Array.from({ length: 200 }, (_, seed) =>
      planFaults(seed, 300_000, ["BotCreated"]).slice(-AIMS)
    ).flat()
    const timesOf = (faults: ReadonlyArray<FaultPlan>, kind: FaultPlan["kind"]) =>
      faults.filter((fault) => fault.kind === kind).map(({ at }) => at)
    expect(Math.min(...timesOf(late, "stall_oracle"))).toBeGreaterThan(20_000)
    for (const [faults, kind] of [
      [opening, "stall_oracle"],
      [late, "spike_oracle"],
      [late, "restart"]
    ] as const) {
      expect(timesOf(faults, kind)).toContain(0)
    }
    const factors = late.flatMap((fault) => (fault.kind === "spike_oracle" ? [fault.factor] : []))
    for (const factor of factors) {
      expect(factor).not.toBe(1_000_000)
      expect(Math.abs(factor - 1_000_000)).toBeLessThanOrEqual(10_000)
    }
  })

  it("lets what comes of trading come before an aimed stall that ends it", () => {
    const stalls = Array.from({ length: 5_000 }, (_, seed) =>
      planFaults(seed, 300_000, REACHABLE_EVENTS)
        .slice(-AIMS)
        .filter(({ kind }) => kind === "stall_oracle")
    ).filter((some) => some.some(({ before }) => before === "WinnerChosen"))
    const others = stalls.flat().filter(({ before }) => /^(Product|Purchase|Payment|Webhook)/.test(before ?? ""))
    expect(others.length).toBeGreaterThan(5)
    expect(Math.min(...others.map(({ at }) => at))).toBeGreaterThan(190_000)
    expect(stalls.flat().some(({ at }) => at < 100_000)).toBe(true)
  })

  it("tells a fault in a line", () => {
    expect(describeFault({ index: 3, at: 5, kind: "fail_journal", half: true, times: 2 })).toBe(
      "fail journal, half true, times 2"
    )
    expect(describeFault({ index: 3, at: 5, before: "OrderOpened", kind: "restart" })).toBe(
      "restart, before OrderOpened"
    )
  })
})
