import type { AccountId } from "../../engine/ledger/Account.ts"
import type { Posting, Receivable } from "../../engine/ledger/Book.ts"
import type { MultiHoldPart, Command } from "../../engine/ledger/Command.ts"
import { type Amount, fromUnits } from "../../engine/money/Amount.ts"

type NaiveHold = {
  readonly id: string
  readonly account: AccountId
  readonly into: AccountId
  readonly amount: bigint
  state: "Pending" | "Released" | { captured: bigint }
}

type NaiveMultiHold = {
  readonly id: string
  readonly parts: ReadonlyArray<MultiHoldPart>
  isPending: boolean
}

type State = {
  readonly holds: Array<NaiveHold>
  readonly multiHolds: Array<NaiveMultiHold>
  readonly postings: Array<Posting>
  readonly receivables: Array<Receivable>
  readonly ids: Array<string>
}

class Refused {
  readonly tag: string
  constructor(tag: string) {
    this.tag = tag
  }
}

const asset = (id: AccountId) => id.split("/")[1]
const custody = (id: AccountId) => id.split("/")[2] === "custody"

/**
 * The ledger told again in the slowest and plainest way: nothing but lists, every figure summed anew from them.
 * It answers what `Book` must answer.
 */
export class NaiveLedger {
  state: State = { holds: [], multiHolds: [], postings: [], receivables: [], ids: [] }
  closed: ReadonlySet<AccountId>

  constructor(closed: Iterable<AccountId>) {
    this.closed = new Set(closed)
  }

  balance(id: AccountId): bigint {
    let sum = 0n
    for (const posting of this.state.postings) {
      if (posting.to === id) sum += posting.amount
      if (posting.from === id) sum -= posting.amount
    }
    return sum
  }

  held(id: AccountId): bigint {
    const holds = this.state.holds.filter((hold) => hold.account === id && hold.state === "Pending")
    const parts = this.state.multiHolds
      .filter((multiHold) => multiHold.isPending)
      .flatMap((multiHold) => multiHold.parts.filter((part) => part.account === id))
    return [...holds, ...parts].reduce((sum, { amount }) => sum + amount, 0n)
  }

  /** The tag of the first refusal, or nothing when all of it was taken. */
  apply(commands: ReadonlyArray<Command>): string | undefined {
    const before = structuredClone(this.state)
    const closed = this.closed
    try {
      for (const command of commands) this.#one(command)
      return undefined
    } catch (refused) {
      this.state = before
      this.closed = closed
      if (refused instanceof Refused) return refused.tag
      throw refused
    }
  }

  #refuse(when: boolean, tag: string): void {
    if (when) throw new Refused(tag)
  }

  #one(command: Command): void {
    switch (command._tag) {
      case "Transfer":
        return this.#transfer(command)
      case "Hold":
        return this.#hold(command)
      case "Release":
        this.#pending(command.hold).state = "Released"
        return
      case "Capture":
        return this.#capture(command)
      case "PlaceMultiHold":
        return this.#placeMultiHold(command)
      case "ReleaseMultiHold":
        this.#pendingMultiHold(command.multiHold).isPending = false
        return
      case "TakeMultiHold":
        return this.#takeMultiHold(command)
      case "Cover":
        return this.#cover(command)
      case "Close":
      case "Open":
        return this.#turn(command)
    }
  }

  #transfer(command: Command & { readonly _tag: "Transfer" }): void {
    const { id, from, to, amount, purpose } = command
    this.#refuse(amount <= 0n || from === to || asset(from) !== asset(to), "InvalidCommand")
    this.#once(id)
    this.#refuse(this.closed.has(to) && !to.endsWith("/allowance"), "AccountClosed")
    this.#refuse(!custody(from) && this.#free(from) < amount, "InsufficientFunds")
    this.state.postings.push({ id, from, to, amount, purpose })
  }

  #hold(command: Command & { readonly _tag: "Hold" }): void {
    const { id, account, into, amount, gate } = command
    this.#refuse(amount <= 0n || custody(account) || asset(account) !== asset(into), "InvalidCommand")
    this.#refuse(
      this.state.holds.some((hold) => hold.id === id),
      "InvalidCommand"
    )
    this.#once(id)
    this.#refuse(gate !== undefined && this.closed.has(gate), "AccountClosed")
    this.#refuse(this.closed.has(into) || this.closed.has(account), "AccountClosed")
    this.#refuse(this.#free(account) < amount, "InsufficientFunds")
    this.state.holds.push({ id, account, into, amount, state: "Pending" })
  }

  #turn({ _tag, account }: Command & { readonly _tag: "Close" | "Open" }): void {
    this.#refuse(custody(account), "InvalidCommand")
    const others = new Set([...this.closed].filter((id) => id !== account))
    this.closed = _tag === "Close" ? others.add(account) : others
  }

  #capture(command: Command & { readonly _tag: "Capture" }): void {
    const hold = this.#pending(command.hold)
    const { to, amount, purpose } = command
    this.#refuse(amount <= 0n || amount > hold.amount, "InvalidCommand")
    this.#refuse(to === hold.account || asset(to) !== asset(hold.account), "InvalidCommand")
    this.#refuse(this.closed.has(to), "AccountClosed")
    hold.state = { captured: amount }
    this.state.postings.push({ id: hold.id, from: hold.account, to, amount, purpose })
  }

  #cover(command: Command & { readonly _tag: "Cover" }): void {
    const { id, sources, to, amount, purpose } = command
    this.#refuse(amount <= 0n, "InvalidCommand")
    for (const source of sources) {
      this.#refuse(custody(source) || source === to || asset(source) !== asset(to), "InvalidCommand")
    }
    this.#once(id)
    let paid = 0n
    for (let index = 0; index < sources.length && paid < amount && !this.closed.has(to); index++) {
      const from = sources[index] as AccountId
      const part = [this.#free(from), amount - paid].reduce((one, other) => (one < other ? one : other))
      if (part === 0n) continue
      this.state.postings.push({ id: index === 0 ? id : `${id}/${index}`, from, to, amount: part as Amount, purpose })
      paid += part
    }
    if (paid < amount) this.state.receivables.push({ id, to, amount: fromUnits(amount - paid) })
  }

  #placeMultiHold({ id, parts }: Command & { readonly _tag: "PlaceMultiHold" }): void {
    this.#refuse(parts.length === 0 || this.state.multiHolds.some((multiHold) => multiHold.id === id), "InvalidCommand")
    this.#once(id)
    const multiHold: NaiveMultiHold & { parts: Array<MultiHoldPart> } = { id, parts: [], isPending: true }
    this.state.multiHolds.push(multiHold)
    for (const part of parts) {
      this.#refuse(part.amount <= 0n || custody(part.account), "InvalidCommand")
      this.#refuse(this.closed.has(part.account), "AccountClosed")
      this.#refuse(this.#free(part.account) < part.amount, "InsufficientFunds")
      multiHold.parts.push(part)
    }
  }

  #takeMultiHold({ multiHold: id, purpose }: Command & { readonly _tag: "TakeMultiHold" }): void {
    const multiHold = this.#pendingMultiHold(id)
    multiHold.isPending = false
    for (const [index, { account, amount }] of multiHold.parts.entries()) {
      const to = `platform/${asset(account) ?? ""}/custody` as AccountId
      this.state.postings.push({ id: `${id}/${index + 1}`, from: account, to, amount, purpose })
    }
  }

  #pendingMultiHold(id: string): NaiveMultiHold {
    const multiHold = this.state.multiHolds.find((candidate) => candidate.id === id && candidate.isPending)
    if (multiHold === undefined) throw new Refused("HoldNotPending")
    return multiHold
  }

  #free(id: AccountId): bigint {
    return this.balance(id) - this.held(id)
  }

  #once(id: string): void {
    this.#refuse(this.state.ids.includes(id), "InvalidCommand")
    this.state.ids.push(id)
  }

  #pending(id: string): NaiveHold {
    const hold = this.state.holds.find((candidate) => candidate.id === id && candidate.state === "Pending")
    if (hold === undefined) throw new Refused("HoldNotPending")
    return hold
  }
}
