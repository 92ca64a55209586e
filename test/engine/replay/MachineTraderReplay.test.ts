import { expect, it } from "bun:test"
import { Result } from "effect"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import {
  type MachineTraderEvent,
  type MachineTraderRegistered,
  machineTraderStream,
  registrationCommands,
  retirementEntry
} from "../../../engine/arena/MachineTraderRegistration.ts"
import { MachineTraderReplay } from "../../../engine/replay/MachineTraderReplay.ts"
import { registeredRow, retiredRow } from "../../../engine/arena/MachineTraderRows.ts"
import type { StateRow } from "../../../engine/replay/StateTable.ts"
import { registeredTrader } from "../../lib/ArenaArbitraries.ts"

const storedOf = (event: MachineTraderEvent, version = 1) => ({
  seq: 1,
  stream: machineTraderStream(event.traderId),
  version,
  type: event._tag,
  data: encodeEvent(event),
  hash: ""
})

const begun = () => {
  const rows: Array<StateRow> = []
  return { rows, replay: new MachineTraderReplay({ history: false, put: (row) => void rows.push(row) }) }
}

it("registers each agent once, in a stream of its own, and none as a bot", () => {
  const { replay, rows } = begun()
  const event = registeredTrader()
  const refused = (change: Partial<MachineTraderRegistered>, version = 1) => {
    const altered = registeredTrader({ traderId: "mtr_2", agentId: "agent-2", ...change })
    return Result.getOrUndefined(Result.flip(replay.decide(altered, storedOf(altered, version))))
  }
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

it("retires each once, after its registration", () => {
  const { replay, rows } = begun()
  const registered = registeredTrader({ traderId: "mtr_3", agentId: "agent-3" })
  const { commands, event: retired } = retirementEntry({ at: 7, traderId: "mtr_3" })
  const decided = (version = 2) => replay.decide(retired, storedOf(retired, version))
  expect(Result.isFailure(decided())).toBe(true)
  replay.evolve(registered, storedOf(registered))
  expect(Result.isFailure(decided(3))).toBe(true)
  expect(decided()).toEqual(Result.succeed(commands))
  replay.evolve(retired, storedOf(retired, 2))
  expect(rows.at(-1)).toEqual(retiredRow(registeredRow(registered), retired))
  expect(rows.at(-1)?.values.slice(-3)).toEqual(["terminated", `${registered.activeFrom}`, "7"])
  expect(Result.isFailure(decided())).toBe(true)
})
