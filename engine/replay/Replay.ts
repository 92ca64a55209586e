import { Result } from "effect"
import type { ChainHash } from "../actor/EventChain.ts"
import type { LedgerError } from "../ledger/Book.ts"
import { BotReplay } from "./BotReplay.ts"
import { ChainWalk } from "./ChainWalk.ts"
import { CommitmentHaltReplay } from "./CommitmentHaltReplay.ts"
import { type ReadEvent, readEvent } from "./EventCodec.ts"
import { ErasureReplay } from "./ErasureReplay.ts"
import { EvaluationCreditsReplay } from "./EvaluationCreditsReplay.ts"
import type { FamilyReplay } from "./FamilyReplay.ts"
import { openedFunds } from "./FundOpening.ts"
import { type DefaultFundId, FundsReplay } from "./FundsReplay.ts"
import { LedgerReplay } from "./LedgerReplay.ts"
import { MachineTraderReplay } from "./MachineTraderReplay.ts"
import type { Accrual } from "./OrderFactsOf.ts"
import { OrderReplay } from "./OrderReplay.ts"
import type { EventFamilies, EventFamily, PlatformEvent } from "./PlatformEvent.ts"
import type { RowSink } from "./RowSink.ts"
import { type Finding, findingAt, type StoredEvent } from "./StoredEvent.ts"
import { tradeReplays } from "./TradeReplays.ts"
import { VaultDepositsReplay } from "./VaultDepositsReplay.ts"
import { type TieHashing, WinnerAudit } from "./WinnerAudit.ts"

/** The hashes that the engine does not have itself. */
export interface ReplayHashing extends TieHashing {
  readonly link: ChainHash
  readonly defaultFundId: DefaultFundId
}

/**
 * Derives every state from the events by the engine alone: the chains are walked, each order's decision is made again
 * on the state that the events before it left and must be the recorded one byte for byte, the ledger takes its commands
 * under its own rules, and each choice is recomputed when its key is published.
 *
 * Taken from the events as they are: prices, open breakers, for whom machines trade, and what came in from outside.
 */
export class Replay {
  readonly chain: ChainWalk
  readonly winners: WinnerAudit
  readonly #ledger: LedgerReplay
  readonly #funds: FundsReplay
  readonly #families: { readonly [F in EventFamily]: FamilyReplay<EventFamilies[F]> }

  /** @param accrual - what collateral earned; undefined takes the recorded yields */
  constructor(hashing: ReplayHashing, sink: RowSink, accrual?: Accrual) {
    this.chain = new ChainWalk(hashing.link)
    this.winners = new WinnerAudit(hashing)
    this.#ledger = new LedgerReplay(sink)
    this.#funds = new FundsReplay(sink, hashing.defaultFundId, (id) => this.#ledger.has(id))
    const credits = new EvaluationCreditsReplay(sink)
    this.#families = {
      order: new OrderReplay(sink, accrual),
      funds: this.#funds,
      ...tradeReplays(sink),
      credits,
      bot: new BotReplay(sink, (charge, at) => credits.wrongWith(charge, at)),
      halt: new CommitmentHaltReplay(sink),
      vault: new VaultDepositsReplay(),
      machine: new MachineTraderReplay(sink),
      erasure: new ErasureReplay()
    }
  }

  /** Takes the next event; answers what is wrong with it, or nothing. After a finding the replay is over. */
  step(stored: StoredEvent): Finding | undefined {
    const broken = this.chain.step(stored)
    if (broken !== undefined) return broken
    const read = readEvent(stored)
    if (Result.isFailure(read)) return findingAt(stored, read.failure)
    return this.#take(stored, read.success)
  }

  /** Puts what is not final, once all events were taken. */
  finish(): void {
    this.#ledger.finish()
    for (const family of Object.values(this.#families)) family.finish?.()
  }

  #take(stored: StoredEvent, read: ReadEvent): Finding | undefined {
    const family = this.#families[read.of] as FamilyReplay<PlatformEvent>
    const commands = family.decide(read.event, stored)
    if (Result.isFailure(commands)) return findingAt(stored, commands.failure)
    const place = { ...stored, data: "" }
    const applied = this.#ledger.apply(commands.success, place)
    if (Result.isFailure(applied)) return findingAt(stored, refused(applied.failure))
    for (const fund of openedFunds(read.event)) this.#funds.open(fund, read.event.at, place)
    family.evolve(read.event, place)
    if (read.of === "purchase") this.#families.payment.hear?.(read.event, place)
    if (read.of === "bot") this.#families.credits.hear?.(read.event, place)
    return read.of === "order" ? this.winners.step(place, read.event) : undefined
  }
}

const refused = (error: LedgerError): string => {
  switch (error._tag) {
    case "InsufficientFunds":
      return `is refused by the ledger: ${error.account} has ${error.available} available and needs ${error.needed} (10⁻⁶)`
    case "AccountClosed":
      return `is refused by the ledger: ${error.account} is closed`
    case "HoldNotPending":
      return `is refused by the ledger: the hold ${error.hold} is not pending`
    case "InvalidCommand":
      return `is refused by the ledger: ${error.reason}`
  }
}
