import { expect, it } from "bun:test"
import {
  isReservedAgentId,
  registrationEntry,
  retirementEntry,
  decodeMachineTraderRegistered
} from "../../../engine/arena/MachineTraderRegistration.ts"
import { accountId } from "../../../engine/ledger/Account.ts"
import type { Command } from "../../../engine/ledger/Command.ts"
import { hold, release } from "../../lib/LedgerCommands.ts"
import { registeredTrader } from "../../lib/ArenaArbitraries.ts"
import { Result } from "effect"
import { Book } from "../../../engine/ledger/Book.ts"
import { grantLossAllowance, lossAllowanceOf } from "../../../engine/ledger/LossLimit.ts"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"

it("grants an allowance with a registration, unless it was granted before", () => {
  const { collateralAllocated, traderId } = registeredTrader()
  expect(registrationEntry(registeredTrader()).commands).toEqual([grantLossAllowance(traderId, collateralAllocated)])
  expect(registrationEntry(registeredTrader({ granted: false })).commands).toEqual([])
})

it("has the ledger refuse what a retired one commits, and give back what it had committed", () => {
  const { collateralAllocated, traderId } = registeredTrader()
  const held = (id: string) => hold(id, lossAllowanceOf(traderId), accountId("arena", "USD-ALLOWANCE", "vault"), 1n)
  const book = new Book()
  const done = (command: Command) => Result.isSuccess(book.apply([command]))
  expect([grantLossAllowance(traderId, collateralAllocated), held("before")].map(done)).toEqual([true, true])
  expect(retirementEntry({ at: 1, traderId }).commands.map(done)).toEqual([true])
  expect(done(held("after"))).toBe(false)
  expect(done(release("before"))).toBe(true)
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
