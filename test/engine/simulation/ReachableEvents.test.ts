import { expect, it } from "bun:test"
import { EVENTS, type EventFamily } from "../../../engine/replay/PlatformEvent.ts"
import {
  ARENA_FAMILIES,
  BOT_FAMILIES,
  COMPANY_FAMILIES,
  eventsOf,
  eventsWith,
  REACHABLE_EVENTS,
  UNREACHABLE_FAMILIES
} from "../../../engine/simulation/ReachableEvents.ts"

it("Each family of events comes in a simulation, or a sentence says why it cannot", () => {
  const reached = [...ARENA_FAMILIES, ...BOT_FAMILIES, ...COMPANY_FAMILIES]
  const left = Object.keys(UNREACHABLE_FAMILIES) as ReadonlyArray<EventFamily>
  expect([...reached, ...left].toSorted()).toEqual((Object.keys(EVENTS) as Array<EventFamily>).toSorted())
  expect(REACHABLE_EVENTS).toContain("MachineTraderRetired")
  for (const tag of eventsOf(left)) expect(REACHABLE_EVENTS).not.toContain(tag)
})

it("What nobody is there for is not asked for", () => {
  expect(eventsWith({})).toEqual(eventsOf(ARENA_FAMILIES))
  expect(eventsWith({ bots: 1, companies: 1 }).toSorted()).toEqual([...REACHABLE_EVENTS])
})
