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
  const touched = new Set<AccountId>()
  addTouchedAccounts(touched, command, holds, multiHolds)
  return [...touched]
}

/** Adds the {@link touchedAccounts} of a command to those of others: an order's choice has hundreds of commands. */
export const addTouchedAccounts = (
  touched: Set<AccountId>,
  command: Command,
  holds: ReadonlyMap<string, HoldRecord>,
  multiHolds: ReadonlyMap<string, MultiHoldRecord> = NO_MULTI_HOLDS
): void => {
  switch (command._tag) {
    case "Transfer":
      touched.add(command.from).add(command.to)
      return
    case "Hold":
      touched.add(command.account).add(command.into)
      if (command.gate !== undefined) touched.add(command.gate)
      return
    case "Cover":
      for (const source of command.sources) touched.add(source)
      touched.add(command.to)
      return
    case "Close":
    case "Open":
      touched.add(command.account)
      return
    case "Release":
    case "Capture": {
      const held = holds.get(command.hold)
      if (held !== undefined) touched.add(held.account)
      if (command._tag === "Capture") touched.add(command.to)
      return
    }
    case "PlaceMultiHold":
      for (const { account } of command.parts) touched.add(account)
      return
    case "ReleaseMultiHold":
    case "TakeMultiHold":
      for (const { account } of multiHolds.get(command.multiHold)?.parts ?? []) {
        touched.add(account)
        if (command._tag === "TakeMultiHold") touched.add(custodyOf(assetOf(account)))
      }
  }
}
