import { GENESIS, toHex } from "../../engine/actor/EventChain.ts"
import { encodePlatformEvent } from "../../engine/replay/EventCodec.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { ChainWalk } from "../../engine/replay/ChainWalk.ts"
import { encodeEnd, encodeLine, type StoredEvent } from "../../engine/replay/StoredEvent.ts"
import type { ExportedWorld } from "../../engine/simulation/ExportedWorld.ts"
import type { Scenario, ScenarioSpec } from "../../engine/simulation/Scenario.ts"
import { simulate } from "../../engine/simulation/Simulation.ts"
import type { SimulationResult } from "../../engine/simulation/SimulationResult.ts"
import { plannedScenario } from "../../engine/simulation/WorldScenario.ts"
import { WorldSurvey } from "../../engine/simulation/WorldSurvey.ts"
import { hashing } from "../../src/cli/ReplayHashes.ts"
import { environment } from "./Simulations.ts"

/** What a simulated run recorded, as an export of a server has it. */
export interface SimulatedExport {
  readonly events: ReadonlyArray<StoredEvent>
  readonly result: SimulationResult
}

/** Runs a scenario, in a world if one is given, changed if that is asked, and keeps what it recorded. */
export const simulatedExport = (
  spec: ScenarioSpec,
  world?: ExportedWorld,
  change = (scenario: Scenario): Scenario => scenario
): SimulatedExport => {
  const recorded: Array<RecordedEvent> = []
  const result = simulate(change(plannedScenario(spec, world)), {
    ...environment,
    world,
    onStep: (step) => {
      for (const { event, stream } of step) recorded.push(onServer({ event, stream }))
    }
  })
  return { events: chained(recorded), result }
}

interface RecordedEvent {
  readonly stream: string
  readonly event: PlatformEvent
}

/** The money that is there when a simulation starts, as a server records that it came. All else is the server's own. */
const onServer = ({ event, stream }: RecordedEvent): RecordedEvent => {
  switch (event._tag) {
    case "CapitalFunded":
      return { event, stream: `capital/${event.account}/opening` }
    case "AllowanceGranted":
      return { event, stream: `loss-allowance/${event.traderId}` }
    case "FundsMinted":
      return {
        event: { ...event, posting: { id: `opening/${event.owner}`, limited: false } },
        stream: `funds/${event.owner}`
      }
    default:
      return { event, stream }
  }
}

/** Numbers events in their sequence and hashes them, as the journal does. */
const chained = (recorded: ReadonlyArray<RecordedEvent>): ReadonlyArray<StoredEvent> => {
  const heads = new Map<string, { readonly version: number; readonly hash: Uint8Array }>()
  return recorded.map(({ event, stream }, index) => {
    const head = heads.get(stream) ?? { version: 0, hash: GENESIS }
    const data = encodePlatformEvent(event)
    const hash = hashing.link(head.hash, data)
    heads.set(stream, { version: head.version + 1, hash })
    return { seq: index + 1, stream, version: head.version + 1, type: event._tag, data, hash: toHex(hash) }
  })
}

/** Each two events that come one after the other, at one time and in two streams, in the other sequence. */
export const turned = (events: ReadonlyArray<StoredEvent>): ReadonlyArray<StoredEvent> => {
  const at = ({ data }: StoredEvent): unknown => JSON.parse(data).at
  const order = [...events]
  for (let index = 0; index + 1 < order.length; index += 1) {
    const [one, other] = [order[index], order[index + 1]]
    if (one === undefined || other === undefined || one.stream === other.stream || at(one) !== at(other)) continue
    order[index] = other
    order[index + 1] = one
    index += 1
  }
  return order.map((event, index) => ({ ...event, seq: index + 1 }))
}

/** The world of some events; throws the sentence that says why there is none. */
export const surveyed = (events: ReadonlyArray<StoredEvent>): ExportedWorld => {
  const survey = new WorldSurvey(hashing)
  for (const event of events) {
    const finding = survey.step(event)
    if (finding !== undefined) throw new Error(`${finding.seq} ${finding.type} ${finding.problem}`)
  }
  const world = survey.end()
  if (world._tag === "Failure") throw new Error(world.failure)
  return world.success
}

/** The file that `emporion export` writes of some events. */
export const exportText = (events: ReadonlyArray<StoredEvent>): string => {
  const chain = new ChainWalk(hashing.link)
  const lines = events.map((event) => {
    chain.step(event)
    return encodeLine(event, chain.sum)
  })
  return [...lines, encodeEnd(events.length), ""].join("\n")
}
