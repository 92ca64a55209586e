import { Result } from "effect"
import { createHash } from "node:crypto"
import { type StreamHead, settleGroup } from "../../engine/actor/CommitGroup.ts"
import { GENESIS, toHex } from "../../engine/actor/EventChain.ts"
import type { Entry } from "../../engine/actor/Journal.ts"
import type { ArenaEvent } from "../../engine/arena/ArenaEvent.ts"
import { evolve, opened, type OrderState, orderStream } from "../../engine/arena/Order.ts"
import { type OrderTerms } from "../../engine/arena/OrderTerms.ts"
import { nextStep, openOrder, type OrderFacts } from "../../engine/arena/OrderLifecycle.ts"
import { decideSubmission, NOTHING_EARLIER, type Submission } from "../../engine/arena/Submission.ts"
import { Book } from "../../engine/ledger/Book.ts"
import type { Command } from "../../engine/ledger/Command.ts"
import * as Funding from "../../engine/ledger/Funding.ts"
import { grantLossAllowance } from "../../engine/ledger/LossLimit.ts"
import type { FundsEvent } from "../../engine/ledger/FundsEvent.ts"
import type { ReplayHashing } from "../../engine/replay/Replay.ts"
import type { StateRow } from "../../engine/replay/StateTable.ts"
import type { StoredEvent } from "../../engine/replay/StoredEvent.ts"
import { link } from "../../src/database/ChainLink.ts"
import { machine, OPENING, submission, terms, tieHash, TIE_KEY, usd } from "./ArenaArbitraries.ts"
import { accrued } from "./ArenaWorld.ts"
import { facts } from "./OrderStages.ts"

const hex = (text: string): string => createHash("sha256").update(text).digest("hex")

/** The hashes of the tests' world. */
export const hashing: ReplayHashing = {
  link,
  tieKeyHash: hex,
  tieHash: (_, owner) => tieHash(owner),
  defaultFundId: (owner, asset) => `fnd_${owner}_${asset}`
}

/** Writes a log as the journal does, with the ledger's rules and the chains. */
class LogWriter {
  readonly events: Array<StoredEvent> = []
  readonly #book = new Book()
  readonly #heads = new Map<string, StreamHead>()

  write(stream: string, entry: Entry<ArenaEvent | FundsEvent>): void {
    const batch = { stream, version: null, entries: [entry] }
    this.#book.postings.length = 0
    this.#book.receivables.length = 0
    const settled = settleGroup([batch], { book: this.#book, heads: this.#heads }, this.events.length, link)
    for (const outcome of settled.results.flatMap((result) => Result.getOrThrow(result))) {
      if (outcome._tag === "Refused") throw outcome.error
    }
    for (const [id, head] of settled.heads) this.#heads.set(id, head)
    for (const { seq, version, event, data, hash } of settled.recorded) {
      this.events.push({ seq, stream, version, type: event._tag, data, hash })
    }
  }

  money(stream: string, commands: ReadonlyArray<Command>, event: FundsEvent): void {
    this.write(stream, { commands, event })
  }
}

/** One order that is driven by hand. */
class LoggedOrder {
  readonly state: OrderState
  readonly #log: LogWriter

  constructor(log: LogWriter, change: Partial<OrderTerms>) {
    const offered = terms({ tieKeyHash: hex(TIE_KEY), ...change })
    this.#log = log
    this.state = opened(offered)
    log.write(this.#stream, openOrder(offered))
  }

  get #stream(): string {
    return orderStream(this.state.terms.orderId)
  }

  commit(change: Partial<Submission>, after = 0): this {
    const ordinal = this.state.lastOrdinal + 1
    const at = this.state.terms.openedAt + after
    const entry = Result.getOrThrow(
      decideSubmission(this.state, submission(change), at, null, ordinal, NOTHING_EARLIER)
    )
    this.#log.write(this.#stream, entry)
    evolve(this.state, entry.event)
    return this
  }

  advance(change: Partial<OrderFacts>): this {
    const world = facts({ now: this.state.terms.expiryAt, accrued, ...change })
    for (let step = nextStep(this.state, world); step !== undefined; step = nextStep(this.state, world)) {
      this.#log.write(this.#stream, step)
      evolve(this.state, step.event)
    }
    return this
  }
}

const id = (digit: string): string => `ord_${digit.repeat(24)}`

const fund = (log: LogWriter): void => {
  const capital = (account: ReturnType<typeof Funding.walletOf>, purpose: string, dollars: string): void => {
    const command = Funding.capital(account, usd(dollars), purpose)
    const event = { _tag: "CapitalFunded", at: OPENING, account, asset: "USD", amount: usd(dollars) } as const
    log.money(command.id, [command], event)
  }
  capital("maker/USD/wallet", "working_capital", "1000")
  capital("platform/USD/yield_source", "working_capital", "0.0005")
  const grant = grantLossAllowance("mtr_robot", usd("50"))
  log.money(grant.id, [grant], { _tag: "AllowanceGranted", at: OPENING, traderId: "mtr_robot", amount: usd("50") })
  const mint = (owner: string, stream: string, mintId: string, limited: boolean, reference: string | null): void => {
    const money = { id: mintId, owner, asset: "USD", amount: usd("100") }
    const spent = limited
      ? [Funding.grantMintAllowance(owner, "USD"), ...Funding.mintWithinAllowance(money)]
      : undefined
    log.money(stream, spent ?? [Funding.mint(money)], {
      _tag: "FundsMinted",
      at: OPENING,
      fundId: `fund-${owner}`,
      owner,
      asset: "USD",
      amount: usd("100"),
      externalReference: reference,
      posting: { id: mintId, limited }
    })
  }
  mint("alice", "funds/alice", "0a0b", true, null)
  mint("bob", "deposit/wire-1", "reference/wire-1", false, "wire-1")
  mint("robot", "starting/robot/USD", "starting/robot/USD", false, null)
}

const median = (at: number, price: string) => ({ asset: "EUR/USD", at, price: usd(price), safe: true })

/**
 * A log with one of everything: money of every kind; orders that are won, tied, tied below the best bid, without commitments, void with and
 * without a choice, and live after their choice and before.
 */
export const sampleLog = (): ReadonlyArray<StoredEvent> => {
  const log = new LogWriter()
  fund(log)
  const { expiryAt, settlementAt } = terms()
  const bob = submission({ trader: { ...submission().trader, owner: "bob", account: "bob/USD/wallet" } }).trader
  const alice = submission().trader
  const priced = { now: settlementAt + 1, medians: [median(expiryAt, "101"), median(settlementAt, "105")] }
  const chosen = { now: expiryAt + 5, medians: [median(expiryAt, "101")], machineOwners: new Set(["carol"]) }
  new LoggedOrder(log, { orderId: id("1") })
    .commit({})
    .commit({ trader: bob, proposedPrice: usd("103") }, 150)
    .commit({ trader: machine("robot"), quantity: usd("2") }, 151)
    .advance(chosen)
    .advance(priced)
  const tied = new LoggedOrder(log, { orderId: id("2") }).commit({}).commit({ trader: bob }).advance(chosen)
  new LoggedOrder(log, { orderId: id("3") }).advance({})
  new LoggedOrder(log, { orderId: id("4") }).commit({}).advance({ haltedAtExpiry: true })
  new LoggedOrder(log, { orderId: id("5") })
    .commit({})
    .advance(chosen)
    .advance({ ...chosen, now: settlementAt + 24 * 3_600_000 })
  tied.advance({ ...priced, medians: [median(expiryAt, "101"), median(settlementAt, "99")] })
  new LoggedOrder(log, { orderId: id("6") }).commit({}).commit({ trader: bob }).advance(chosen)
  new LoggedOrder(log, { orderId: id("7") }).commit({})
  for (const [digit, first, second] of [
    ["8", alice, bob],
    ["9", bob, alice]
  ] as const) {
    new LoggedOrder(log, { orderId: id(digit) })
      .commit({ trader: first, proposedPrice: usd("104") })
      .commit({ trader: first })
      .commit({ trader: second })
      .advance(chosen)
  }
  return log.events
}

/** The log with another text as an event's data, and all hashes after it made anew: a forgery that no chain shows. */
export const forged = (
  events: ReadonlyArray<StoredEvent>,
  seq: number,
  data: (recorded: string) => string
): ReadonlyArray<StoredEvent> => {
  const heads = new Map<string, Uint8Array>()
  return events.map((event) => {
    const written = event.seq === seq ? data(event.data) : event.data
    const hash = link(heads.get(event.stream) ?? GENESIS, written)
    heads.set(event.stream, hash)
    return { ...event, data: written, hash: toHex(hash) }
  })
}

/** Rows by their table and key. */
export const byKey = (rows: ReadonlyArray<StateRow>): ReadonlyMap<string, StateRow> =>
  new Map(rows.map((row) => [`${row.table}/${row.values[0]}`, row]))
