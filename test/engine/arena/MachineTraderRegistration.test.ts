import { expect, it } from "bun:test"
import {
  isReservedAgentId,
  registrationEntry,
  decodeMachineTraderRegistered
} from "../../../engine/arena/MachineTraderRegistration.ts"
import { registeredTrader } from "../../lib/ArenaArbitraries.ts"
import { grantLossAllowance } from "../../../engine/ledger/LossLimit.ts"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"

it("grants an allowance with a registration, unless it was granted before", () => {
  const { collateralAllocated, traderId } = registeredTrader()
  expect(registrationEntry(registeredTrader()).commands).toEqual([grantLossAllowance(traderId, collateralAllocated)])
  expect(registrationEntry(registeredTrader({ granted: false })).commands).toEqual([])
})

it("reserves what bots' ids begin with", () => {
  expect(["bot_", "bot_1", "bot", "BOT_1", "a bot_", "robot_1"].map(isReservedAgentId)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false
  ])
})

it("reads what it wrote, and nothing else", () => {
  const event = registeredTrader()
  const data = encodeEvent(event)
  expect(decodeMachineTraderRegistered(data)).toEqual(event)
  expect(() => decodeMachineTraderRegistered(data.replace('"fx"', '"stocks"'))).toThrow()
})
