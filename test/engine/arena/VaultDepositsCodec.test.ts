import { expect, it } from "bun:test"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import { decideVaultDeposits } from "../../../engine/arena/VaultDeposits.ts"
import { decodeVaultDeposits } from "../../../engine/arena/VaultDepositsCodec.ts"

it("reads what it wrote, and nothing else", () => {
  for (const closed of [true, false]) {
    const { event } = decideVaultDeposits(closed, 7)
    expect(decodeVaultDeposits(encodeEvent(event))).toEqual(event)
  }
  expect(() => decodeVaultDeposits('{"_tag":"VaultDepositsSet","at":7}')).toThrow()
})
