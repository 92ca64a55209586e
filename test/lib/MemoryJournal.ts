import { Effect, Result } from "effect"
import { createHash } from "node:crypto"
import { encodeEvent } from "../../engine/actor/EventChain.ts"
import {
  type Batch,
  type Entry,
  type Outcome,
  type Recorded,
  StaleVersion,
  type TellingJournal
} from "../../engine/actor/Journal.ts"
import type { Account } from "../../engine/ledger/Account.ts"
import { Book } from "../../engine/ledger/Book.ts"
import type { Command } from "../../engine/ledger/Command.ts"

/** A journal that lives as long as its test, with the ledger's own rules. */
export class MemoryJournal<Event extends object> implements TellingJournal<Event> {
  readonly book: Book
  readonly recorded: Array<Recorded<Event>> = []
  /** The commands of every accepted entry, in order. */
  readonly commands: Array<Command> = []
  readonly #decode: (data: string) => Event

  constructor(decode: (data: string) => Event, accounts: Iterable<Account> = []) {
    this.#decode = decode
    this.book = new Book(accounts)
  }

  readonly append = <E extends Event>(batch: Batch<E>): Effect.Effect<ReadonlyArray<Outcome<E>>, StaleVersion> =>
    Effect.suspend(() => {
      const { stream, version, preconditions = [], entries } = batch
      for (const read of version === null ? preconditions : [{ stream, version }, ...preconditions]) {
        const actual = this.#stream(read.stream).length
        if (read.version !== actual) {
          return Effect.fail(new StaleVersion({ stream: read.stream, expected: read.version, actual }))
        }
      }
      return Effect.succeed(entries.map((entry) => this.#enter(stream, entry)))
    })

  readonly tell: TellingJournal<Event>["tell"] = (batch, give) => give(Effect.runSyncExit(this.append(batch)))

  /** A stream's events as a restarted actor reads them: from their bytes. */
  history(stream: string): ReadonlyArray<Event> {
    return this.#stream(stream).map(({ event }) => this.#decode(encodeEvent(event)))
  }

  #stream(stream: string): ReadonlyArray<Recorded<Event>> {
    return this.recorded.filter((each) => each.stream === stream)
  }

  #enter<E extends Event>(stream: string, { commands, event }: Entry<E>): Outcome<E> {
    const applied = this.book.apply(commands)
    if (Result.isFailure(applied)) return { _tag: "Refused", error: applied.failure }
    const past = this.#stream(stream)
    const hash = createHash("sha256")
      .update(past.at(-1)?.hash ?? "")
      .update(encodeEvent(event))
      .digest("hex")
    const recorded = { seq: this.recorded.length + 1, stream, version: past.length + 1, event, hash }
    this.recorded.push(recorded)
    this.commands.push(...commands)
    return { _tag: "Accepted", recorded }
  }
}
