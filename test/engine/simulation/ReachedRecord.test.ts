import { expect, it } from "bun:test"
import { ReachedRecord } from "../../../engine/simulation/ReachedRecord.ts"
import { makeScenario } from "../../../engine/simulation/Scenario.ts"
import { simulate } from "../../../engine/simulation/Simulation.ts"
import { environment } from "../../lib/Simulations.ts"

const tagged = (_tag: string) => ({ event: { _tag } })
const [one, two, three] = [tagged("OrderOpened"), tagged("CommitmentSubmitted"), tagged("WinnerChosen")] as const

it("A fault is counted before the events that are recorded next after it began, once each, if it had an effect", () => {
  const record = new ReachedRecord()
  const begun = [
    { kind: "delay", isFelt: false },
    { kind: "stall_oracle", isFelt: false }
  ]
  record.committed([one], [])
  record.committed([two, two, three], begun)
  record.committed([one], begun)
  const restart = { kind: "restart", isFelt: true }
  const counts = { CommitmentSubmitted: 1, WinnerChosen: 1 }
  const events = { CommitmentSubmitted: 2, OrderOpened: 2, WinnerChosen: 1 }
  expect(record.end([...begun, restart])).toEqual({
    events,
    causes: {},
    faults: { restart: 1 },
    struckBefore: { restart: {} }
  })
  // Felt only after the events that it began before.
  expect(record.end([{ kind: "delay", isFelt: true }, ...begun.slice(1), restart])).toMatchObject({
    faults: { delay: 1, restart: 1 },
    struckBefore: { delay: counts, restart: {} }
  })
})

it("An event is counted by what it came by, too", () => {
  const record = new ReachedRecord()
  const pulled = (cause: string | null) => ({ event: { _tag: "CommitmentHaltSet", cause } })
  record.committed([pulled("restarted"), pulled(null), pulled("asked")], [])
  record.committed([pulled("restarted")], [])
  const { causes, events } = record.end([])
  expect(events).toEqual({ CommitmentHaltSet: 4 })
  expect(causes).toEqual({ "CommitmentHaltSet by asked": 1, "CommitmentHaltSet by restarted": 2 })
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
