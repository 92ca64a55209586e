import { expect, it } from "bun:test"
import { Result } from "effect"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import { decideVaultDeposits, VAULT_DEPOSITS_STREAM } from "../../../engine/arena/VaultDeposits.ts"
import { VaultDepositsReplay } from "../../../engine/replay/VaultDepositsReplay.ts"

it("closes and opens the vault in its own stream alone", () => {
  const replay = new VaultDepositsReplay()
  const { commands, event } = decideVaultDeposits(true, 7)
  const stored = { seq: 1, stream: VAULT_DEPOSITS_STREAM, version: 1, type: event._tag, hash: "" }
  const data = encodeEvent(event)
  expect(replay.decide(event, { ...stored, data })).toEqual(Result.succeed(commands))
  expect(Result.isFailure(replay.decide(event, { ...stored, data, stream: "vault" }))).toBe(true)
})
