import { expect, it } from "bun:test"
import { makeScenario } from "../../../engine/simulation/Scenario.ts"
import { auditorOf } from "../../../engine/simulation/ScenarioAuditor.ts"
import { SeededRandom } from "../../../engine/simulation/SeededRandom.ts"
import { simulatedKeys } from "../../../engine/simulation/SimulationHashing.ts"
import { VirtualClock } from "../../../engine/simulation/VirtualClock.ts"
import { environment } from "../../lib/Simulations.ts"

it("The auditor of a scenario keeps the first report, with the time that the platform's clock shows", () => {
  const scenario = makeScenario({ seed: 1, orders: 4, traders: 4, faults: false })
  const { link } = environment.hashing
  const clock = new VirtualClock(scenario.startedAt, new SeededRandom(1, "clock"))
  const auditor = auditorOf(scenario, { link, keys: simulatedKeys(link, 1), clock })
  expect(auditor.violation).toBeNull()
  clock.schedule(5_000, () => {})
  clock.advance()
  clock.jump(70)
  auditor.report("defect", "first")
  auditor.report("defect", "second")
  expect(auditor.violation).toMatchObject({ invariant: "defect", detail: "first", at: scenario.startedAt + 5_070 })
})
