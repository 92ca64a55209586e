import { expect, it } from "bun:test"
import { ReachedRecord } from "../../../engine/simulation/ReachedRecord.ts"
import { makeScenario } from "../../../engine/simulation/Scenario.ts"
import { simulate } from "../../../engine/simulation/Simulation.ts"
import { environment } from "../../lib/Simulations.ts"

const tagged = (_tag: string) => ({ event: { _tag } })
const [one, two, three] = [tagged("OrderOpened"), tagged("CommitmentSubmitted"), tagged("WinnerChosen")] as const

it("A fault is counted before the events that are recorded next, once each", () => {
  const record = new ReachedRecord()
  const struck = [{ kind: "delay" }]
  record.committed([one], [])
  record.committed([two, two, three], struck)
  record.committed([one], struck)
  expect(record.end([...struck, { kind: "restart" }])).toEqual({
    events: { CommitmentSubmitted: 2, OrderOpened: 2, WinnerChosen: 1 },
    faults: { delay: 1, restart: 1 },
    struckBefore: { delay: { CommitmentSubmitted: 1, WinnerChosen: 1 }, restart: {} }
  })
})

it("A simulation tells every event and every fault", () => {
  const { events, faults, reached } = simulate(
    makeScenario({ seed: 3, orders: 4, traders: 4, faults: true }),
    environment
  )
  const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((all, times) => all + times, 0)
  expect([sum(reached.events), sum(reached.faults)]).toEqual([events, faults.length])
  expect(Object.keys(reached.events)).toEqual(Object.keys(reached.events).toSorted())
})
