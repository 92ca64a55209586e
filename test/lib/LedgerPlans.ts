import fc from "fast-check"
import type { Batch } from "../../engine/actor/Journal.ts"
import { accountId, PLATFORM } from "../../engine/ledger/Account.ts"
import type { Command } from "../../engine/ledger/Command.ts"
import { fromUnits } from "../../engine/money/Amount.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"

const OWNERS = ["ann", "bob", "cat"] as const
const custody = accountId(PLATFORM, "USD", "custody")
const vault = accountId(PLATFORM, "USD", "vault")

export const plannedActs = [
  "mint",
  "mint",
  "hold",
  "hold",
  "capture",
  "release",
  "multiHold",
  "take",
  "close",
  "cover"
] as const

/** What an entry does: money comes in, is held, or a hold of an earlier entry ends. */
export interface PlannedEntry {
  readonly owner: number
  readonly stream: number
  readonly act: (typeof plannedActs)[number]
  /** Which of the earlier ones it ends. */
  readonly of: number
}

export const plannedEntry: fc.Arbitrary<PlannedEntry> = fc.record({
  owner: fc.nat(2),
  stream: fc.nat(3),
  act: fc.constantFrom(...plannedActs),
  of: fc.nat(9)
})

const commandsOf = (
  { act, of, owner }: PlannedEntry,
  id: string,
  placed: ReadonlyArray<string>
): ReadonlyArray<Command> => {
  const account = accountId(OWNERS[owner] ?? "ann", "USD", "wallet")
  const other = placed[of % Math.max(1, placed.length)] ?? "none"
  const amount = fromUnits(3n)
  switch (act) {
    case "mint":
      return [{ _tag: "Transfer", id, from: custody, to: account, amount: fromUnits(10n), purpose: "mint" }]
    case "hold":
      return [{ _tag: "Hold", id, account, into: vault, amount }]
    case "capture":
      return [{ _tag: "Capture", hold: other, to: vault, amount: fromUnits(2n), purpose: "settlement" }]
    case "release":
      return [{ _tag: "Release", hold: other }]
    case "multiHold":
      return [{ _tag: "PlaceMultiHold", id, parts: [{ account, amount }] }]
    case "take":
      return [{ _tag: "TakeMultiHold", multiHold: other, purpose: "withdrawal" }]
    case "close":
      return [{ _tag: of % 2 === 0 ? "Close" : "Open", account }]
    case "cover":
      return [{ _tag: "Cover", id, sources: [account], to: vault, amount, purpose: "credits" }]
  }
}

const event = (fundId: string): PlatformEvent => ({
  _tag: "FundsMinted",
  at: 1,
  fundId,
  owner: "someone",
  asset: "USD",
  amount: fromUnits(1n),
  externalReference: null
})

/** The batch of an entry, after those whose ids were placed before; its own id is placed with it. */
export const plannedBatch = (entry: PlannedEntry, placed: Array<string>, prefix = ""): Batch<PlatformEvent> => {
  const id = `${prefix}${entry.act}${placed.length}`
  const commands = commandsOf(entry, id, placed)
  placed.push(id)
  return {
    stream: `${prefix}s/${entry.stream}`,
    version: null,
    claims: [`name/${id}`],
    entries: [{ commands, event: event(id), idempotency: { key: id, fingerprint: "f" } }]
  }
}
