import { type AccountId, assetOf } from "./Account.ts"
import type { MultiHoldRecord } from "./MultiHold.ts"
import type { HoldRecord } from "./Book.ts"
import type { Command } from "./Command.ts"
import { custodyOf } from "./Funding.ts"

const NO_MULTI_HOLDS: ReadonlyMap<string, MultiHoldRecord> = new Map()

/** The accounts a command can change, or that can refuse it, as far as they can be told without the holds and multi-holds that it ends. */
export const touchedAccounts = (
  command: Command,
  holds: ReadonlyMap<string, HoldRecord>,
  multiHolds: ReadonlyMap<string, MultiHoldRecord> = NO_MULTI_HOLDS
): ReadonlyArray<AccountId> => {
  switch (command._tag) {
    case "Transfer":
      return [command.from, command.to]
    case "Hold":
      return command.gate === undefined
        ? [command.account, command.into]
        : [command.account, command.into, command.gate]
    case "Cover":
      return [...command.sources, command.to]
    case "Close":
    case "Open":
      return [command.account]
    case "Release":
    case "Capture": {
      const held = holds.get(command.hold)
      const account = held === undefined ? [] : [held.account]
      return command._tag === "Capture" ? [...account, command.to] : account
    }
    case "PlaceMultiHold":
      return command.parts.map(({ account }) => account)
    case "ReleaseMultiHold":
      return (multiHolds.get(command.multiHold)?.parts ?? []).map(({ account }) => account)
    case "TakeMultiHold":
      return (multiHolds.get(command.multiHold)?.parts ?? []).flatMap(({ account }) => [
        account,
        custodyOf(assetOf(account))
      ])
  }
}
