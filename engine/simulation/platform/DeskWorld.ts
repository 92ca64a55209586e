import { Effect } from "effect"
import { type JournalUnavailable, type Recorded, StaleVersion } from "../../actor/Journal.ts"
import type { WrittenEntry } from "../../journal/WrittenEntry.ts"
import type { Account, AccountId } from "../../ledger/Account.ts"
import type { LedgerError } from "../../ledger/Book.ts"
import type { PlatformEvent } from "../../replay/PlatformEvent.ts"
import type { Refusal } from "../../wire/Refusal.ts"
import { keyAnswered } from "../SimulatedBotStore.ts"
import type { SimulatedJournal } from "../SimulatedJournal.ts"
import type { PlatformProjection } from "./PlatformProjection.ts"

/** Why an entry is not written. */
export type WriteFailure = StaleVersion | LedgerError | JournalUnavailable

/** Writes one entry, and answers once it is durable. */
export type WriteEntry = <E extends PlatformEvent>(entry: WrittenEntry<E>) => Effect.Effect<Recorded<E>, WriteFailure>

/** What a request comes to: in a word what was done, or why nothing was. */
export type Served = Effect.Effect<string, Refusal | WriteFailure>

/** Who asks. */
export interface Caller {
  readonly companyId: string
  readonly userId: string
}

/** What the desks of all contexts reach. */
export interface DeskWorld {
  readonly projection: PlatformProjection
  readonly account: (id: AccountId) => Account
  readonly write: WriteEntry
  /** An id that was not used before. */
  readonly newId: (prefix: string) => string
}

/** Writes to a journal. What has an answer under its key is not written again. */
export const writingTo =
  (journal: Pick<SimulatedJournal, "append" | "answers">): WriteEntry =>
  ({ entry, ...batch }) =>
    Effect.suspend(() => {
      if (entry.idempotency !== undefined && journal.answers.has(entry.idempotency.key)) {
        return Effect.fail(keyAnswered())
      }
      return Effect.flatMap(journal.append({ ...batch, entries: [entry] }), ([outcome]) => {
        if (outcome === undefined) return Effect.die(`the journal answered nothing for an entry of ${batch.stream}`)
        return outcome._tag === "Accepted" ? Effect.succeed(outcome.recorded) : Effect.fail(outcome.error)
      })
    })

/** What a caller's retries find. */
export const keyed = (key: string) => ({ key, fingerprint: key })

/**
 * What requests mean, by their keys. A request names things by number, and what has the number changes: whoever asks again
 * under a key means what it meant at first, as a caller's repeated request has the same bytes.
 */
export class FirstMeanings<A> {
  readonly #kept = new Map<string, { readonly meaning: A }>()

  of(key: string, find: () => A): A {
    const known = this.#kept.get(key)
    if (known !== undefined) return known.meaning
    const meaning = find()
    this.#kept.set(key, { meaning })
    return meaning
  }
}

/** The ledger refused because somebody else came first: it is decided anew. */
export const anew = (stream: string, version: number) => () =>
  Effect.fail(new StaleVersion({ stream, expected: version, actual: version }))

/** One of them, counted round; undefined of none. */
export const counted = <A>(some: ReadonlyArray<A>, number: number): A | undefined => some[number % some.length]
