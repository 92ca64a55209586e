import { expect, it } from "bun:test"
import { fashionsOf } from "../../../engine/simulation/FrequentActs.ts"
import { simulated } from "../../lib/Simulations.ts"

it("A world tells what switches were asked among what traders were, and ends as long after its start as it took", () => {
  const seed =
    Array.from({ length: 100 }, (_, index) => index).find((one) => fashionsOf({ seed: one }).has("halts")) ?? 0
  const { answers, endedAt, reached, startedAt, violation } = simulated({ seed, orders: 4, traders: 12, faults: true })
  expect(violation).toBeNull()
  expect(reached.events["CommitmentHaltSet"]).toBeGreaterThan(0)
  expect(answers["Halted"] ?? answers["HaltAfterSet"] ?? answers["HaltArmed"]).toBeGreaterThan(0)
  expect(Object.keys(answers)).toEqual(Object.keys(answers).toSorted())
  expect(endedAt - startedAt).toBeGreaterThanOrEqual(320_000)
})
