import { expect, it } from "bun:test"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import { decodeMachineTraderRegistered } from "../../../engine/arena/MachineTraderRegistrationCodec.ts"
import { registeredTrader } from "../../lib/ArenaArbitraries.ts"

it("reads what it wrote, and nothing else", () => {
  const event = registeredTrader()
  const data = encodeEvent(event)
  expect(decodeMachineTraderRegistered(data)).toEqual(event)
  expect(() => decodeMachineTraderRegistered(data.replace('"fx"', '"stocks"'))).toThrow()
})
