import { expect, it } from "bun:test"
import { Result } from "effect"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import {
  type MachineTraderRegistered,
  machineTraderStream,
  registrationCommands
} from "../../../engine/arena/MachineTraderRegistration.ts"
import { MachineTraderReplay } from "../../../engine/replay/MachineTraderReplay.ts"
import { registeredRow } from "../../../engine/arena/MachineTraderRows.ts"
import type { StateRow } from "../../../engine/replay/StateTable.ts"
import { registeredTrader } from "../../lib/ArenaArbitraries.ts"

const storedOf = (event: MachineTraderRegistered, version = 1) => ({
  seq: 1,
  stream: machineTraderStream(event.traderId),
  version,
  type: event._tag,
  data: encodeEvent(event),
  hash: ""
})

const rows: Array<StateRow> = []
const replay = new MachineTraderReplay({ history: false, put: (row) => void rows.push(row) })
const event = registeredTrader()
const refused = (change: Partial<MachineTraderRegistered>, version = 1) => {
  const altered = registeredTrader({ traderId: "mtr_2", agentId: "agent-2", ...change })
  return Result.getOrUndefined(Result.flip(replay.decide(altered, storedOf(altered, version))))
}

it("registers each agent once, in a stream of its own, and none as a bot", () => {
  expect(replay.decide(event, storedOf(event))).toEqual(Result.succeed(registrationCommands(event)))
  replay.evolve(event, storedOf(event))
  expect(rows).toEqual([registeredRow(event)])
  expect(refused({})).toBeUndefined()
  expect(refused({}, 2)).toContain("registered before")
  expect(refused({ agentId: event.agentId })).toContain("registered before")
  expect(refused({ agentId: "bot_1" })).toContain("a bot's id")
  expect(refused({ agentId: "bot_1", granted: false })).toBeUndefined()
  expect(Result.isFailure(replay.decide(event, { ...storedOf(event), stream: "machine-trader/mtr_2" }))).toBe(true)
})
