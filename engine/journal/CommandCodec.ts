import type { AccountId } from "../ledger/Account.ts"
import type { Command, Purpose } from "../ledger/Command.ts"
import { fromUnits } from "../money/Amount.ts"

type Encoded = ReadonlyArray<unknown>

const encodeOne = (command: Command): Encoded => {
  switch (command._tag) {
    case "Transfer":
      return ["t", command.id, command.from, command.to, `${command.amount}`, command.purpose]
    case "Hold": {
      const hold = ["h", command.id, command.account, command.into, `${command.amount}`]
      return command.gate === undefined ? hold : [...hold, command.gate]
    }
    case "Release":
      return ["r", command.hold]
    case "Capture":
      return ["c", command.hold, command.to, `${command.amount}`, command.purpose]
    case "PlaceMultiHold":
      return ["b", command.id, command.parts.map(({ account, amount }) => [account, `${amount}`])]
    case "ReleaseMultiHold":
      return ["rb", command.multiHold]
    case "TakeMultiHold":
      return ["tb", command.multiHold, command.purpose]
    case "Cover":
      return ["v", command.id, command.sources, command.to, `${command.amount}`, command.purpose]
    case "Close":
      return ["x", command.account]
    case "Open":
      return ["o", command.account]
  }
}

const amountOf = (text: unknown) => fromUnits(BigInt(text as string))

const decodeOne = ([tag, ...fields]: Encoded): Command => {
  const [first, second, third, fourth, fifth] = fields as ReadonlyArray<string>
  const text = (value: string | undefined): string => {
    if (value === undefined) throw new TypeError(`a command ${String(tag)} of the journal lacks a field`)
    return value
  }
  const account = (value: string | undefined) => text(value) as AccountId
  switch (tag) {
    case "t":
      return {
        _tag: "Transfer",
        id: text(first),
        from: account(second),
        to: account(third),
        amount: amountOf(fourth),
        purpose: text(fifth) as Purpose
      }
    case "h": {
      const hold = { id: text(first), account: account(second), into: account(third), amount: amountOf(fourth) }
      return { _tag: "Hold", ...hold, ...(fifth === undefined ? {} : { gate: account(fifth) }) }
    }
    case "r":
      return { _tag: "Release", hold: text(first) }
    case "c":
      return {
        _tag: "Capture",
        hold: text(first),
        to: account(second),
        amount: amountOf(third),
        purpose: text(fourth) as Purpose
      }
    case "b": {
      const parts = fields[1] as ReadonlyArray<readonly [string, string]>
      return {
        _tag: "PlaceMultiHold",
        id: text(first),
        parts: parts.map(([id, amount]) => ({ account: account(id), amount: amountOf(amount) }))
      }
    }
    case "rb":
      return { _tag: "ReleaseMultiHold", multiHold: text(first) }
    case "tb":
      return { _tag: "TakeMultiHold", multiHold: text(first), purpose: text(second) as Purpose }
    case "v":
      return {
        _tag: "Cover",
        id: text(first),
        sources: fields[1] as ReadonlyArray<AccountId>,
        to: account(third),
        amount: amountOf(fourth),
        purpose: text(fifth) as Purpose
      }
    case "x":
      return { _tag: "Close", account: account(first) }
    case "o":
      return { _tag: "Open", account: account(first) }
    default:
      throw new TypeError(`the journal has an unknown command ${String(tag)}`)
  }
}

/** Commands to the ledger as an entry of the journal has them: JSON without a line break or tab. */
export const encodeCommands = (commands: ReadonlyArray<Command>): string =>
  commands.length === 0 ? "" : JSON.stringify(commands.map(encodeOne))

/** Reads what {@link encodeCommands} gave. Throws a `TypeError` or `SyntaxError` on anything else. */
export const decodeCommands = (text: string): ReadonlyArray<Command> =>
  text === "" ? [] : (JSON.parse(text) as ReadonlyArray<Encoded>).map(decodeOne)
