import { Result } from "effect"
import { encodeEvent } from "../actor/EventChain.ts"
import type { Entry } from "../actor/Journal.ts"
import type { Command } from "../ledger/Command.ts"
import { checkQuote, decideQuote, quoteStream } from "../transfers/HeldRate.ts"
import {
  decideTransfer,
  decideWithdrawal,
  transfersStream,
  transferStream,
  withdrawalsStream
} from "../transfers/TransferDecision.ts"
import type { MoneyTransferred, RateQuoted, TransferEvent } from "../transfers/TransferEvent.ts"
import { keyOf, quoteRow, transferRow, withdrawalRow } from "../transfers/TransferRows.ts"
import type { FamilyReplay } from "./FamilyReplay.ts"
import type { RowSink } from "./RowSink.ts"
import type { StoredEvent } from "./StoredEvent.ts"

type Decision = Result.Result<Entry<TransferEvent>, string>

interface Held {
  readonly quote: RateQuoted
  readonly event: StoredEvent
}

/** Transfers, withdrawals and held rates. Prices are taken from the events: a rate that was not held is the recorded one. */
export class TransferReplay implements FamilyReplay<TransferEvent> {
  readonly #sink: RowSink
  /** Rates that were not used yet. */
  readonly #held = new Map<string, Held>()

  constructor(sink: RowSink) {
    this.#sink = sink
  }

  decide(event: TransferEvent, { data, stream }: StoredEvent): Result.Result<ReadonlyArray<Command>, string> {
    if (!streamsOf(event).includes(stream)) return Result.fail(`belongs in another stream than ${stream}`)
    return Result.flatMap(this.#again(event), ({ commands, event: decided }) =>
      encodeEvent(decided) === data ? Result.succeed(commands) : Result.fail("is decided otherwise")
    )
  }

  evolve(event: TransferEvent, stored: StoredEvent): void {
    switch (event._tag) {
      case "RateQuoted":
        this.#held.set(event.quoteId, { quote: event, event: stored })
        if (this.#sink.history) this.#sink.put(quoteRow(event, null), stored)
        return
      case "MoneyWithdrawn":
        return this.#sink.put(withdrawalRow(event, stored.seq), stored)
      case "MoneyTransferred":
        this.#use(event, stored)
        return this.#sink.put(transferRow(event, stored.seq), stored)
    }
  }

  finish(): void {
    for (const { event, quote } of this.#held.values()) this.#sink.put(quoteRow(quote, null), event)
  }

  #use({ quoteId, sender, transferId }: MoneyTransferred, stored: StoredEvent): void {
    const held = this.#held.get(quoteId ?? "")
    if (held === undefined) return
    this.#held.delete(held.quote.quoteId)
    this.#sink.put(quoteRow(held.quote, keyOf(sender, transferId)), stored)
  }

  #again(event: TransferEvent): Decision {
    switch (event._tag) {
      case "RateQuoted":
        return Result.mapError(decideQuote(event, event.rate, event.at), refused)
      case "MoneyWithdrawn":
        return Result.mapError(decideWithdrawal(event), refused)
      case "MoneyTransferred":
        return this.#transfer(event)
    }
  }

  #transfer(event: MoneyTransferred): Decision {
    const { at, quoteId, rate, side } = event
    if (rate === null) return Result.mapError(decideTransfer(event, null, at), refused)
    if (quoteId === null) return Result.mapError(decideTransfer(event, { side, rate, quoteId }, at), refused)
    const quote = this.#held.get(quoteId)?.quote
    if (quote === undefined || quote.owner !== event.sender) {
      return Result.fail(`uses the rate ${quoteId}, which is not held for its sender`)
    }
    const offer = { side: quote.side, rate: quote.rate, quoteId }
    return Result.andThen(Result.mapError(checkQuote(quote, event, at), refused), () =>
      Result.mapError(decideTransfer(event, offer, at), refused)
    )
  }
}

const refused = ({ _tag }: { readonly _tag: string }): string => `is refused when decided again: ${_tag}`

const streamsOf = (event: TransferEvent): ReadonlyArray<string> => {
  switch (event._tag) {
    case "RateQuoted":
      return [quoteStream(event.quoteId)]
    case "MoneyWithdrawn":
      return [withdrawalsStream(event.owner)]
    case "MoneyTransferred":
      return [transfersStream(event.sender), transferStream(event.sender, event.transferId)]
  }
}
