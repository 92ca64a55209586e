import { describe, expect, it } from "bun:test"
import { makeScenario } from "../../../../../engine/simulation/Scenario.ts"
import { simulate } from "../../../../../engine/simulation/Simulation.ts"
import { platform } from "../../../../../src/dashboard/app/simulation/BrowserPlatform.ts"
import { Recording } from "../../../../../src/dashboard/app/simulation/Recording.ts"
import type { StepView } from "../../../../../src/dashboard/app/simulation/StepView.ts"
import { KEEPS_UNITS } from "../../../../lib/AlteredLedger.ts"
import { environment } from "../../../../lib/Simulations.ts"

const spec = { seed: 14, orders: 20, traders: 7, faults: true }

/** A recording that was played to its end, and what it showed when each step was the last one. */
const { live, recording } = (() => {
  const recording = new Recording(spec, platform)
  const live: Array<StepView> = []
  while (recording.result === undefined) {
    recording.advance(1)
    while (live.length <= recording.steps) live.push(recording.view(live.length))
  }
  return { recording, live }
})()

describe("A recording", () => {
  it("shows each step as it was when it was the last one, however far it has gone on", () => {
    expect(live.length).toBe(recording.steps + 1)
    expect(recording.steps).toBeGreaterThan(100)
    for (const [step, view] of live.entries()) expect(recording.view(step)).toEqual(view)
    expect(recording.view(-5)).toEqual(live[0]!)
    expect(recording.view(1_000_000)).toEqual(live.at(-1)!)
  })

  it("is the simulation of the command, with the hashes of a browser's platform", () => {
    const { eventsHash, events, stateHash, traders } = simulate(makeScenario(spec), environment)
    expect(recording.result).toMatchObject({ eventsHash, stateHash, events, violation: null })
    const last = recording.view(recording.steps)
    expect(last.recorded).toBe(events)
    expect(last.traders.map(({ balance }) => BigInt(Math.round(balance * 1_000_000)))).toEqual(
      traders.map(({ closingBalance }) => closingBalance as bigint)
    )
  })

  it("ends with the step that breaks a rule", () => {
    const failing = new Recording({ ...spec, orders: 4, faults: false }, { ...platform, planted: KEEPS_UNITS })
    failing.advance(Infinity)
    expect(failing.result?.violation).not.toBeNull()
    expect(failing.view(failing.steps).recorded).toBe(failing.result!.violation!.seq)
  })
})
