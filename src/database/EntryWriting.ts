import { Cause, Effect, Exit, Predicate } from "effect"
import {
  type Batch,
  type JournalUnavailable,
  type Outcome,
  type Recorded,
  StaleVersion
} from "../../engine/actor/Journal.ts"
import { MAX_ATTEMPTS, retryStale as decideAnew } from "../../engine/actor/StaleRetry.ts"
import type { WrittenEntry } from "../../engine/journal/WrittenEntry.ts"
import type { LedgerError } from "../../engine/ledger/Book.ts"
import { measureCommit } from "../RequestState.ts"
import { Unavailable } from "./DatabaseError.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { UnitOfWork } from "./UnitOfWork.ts"

/** The journal that cannot write now, as its callers' database that cannot. */
export const unavailable = ({ isUnwritten, reason }: JournalUnavailable): Unavailable =>
  new Unavailable({ reason, ...(isUnwritten === true && { isUnwritten }) })

/** Why an entry was not written. */
export type WriteRefusal = StaleVersion | LedgerError | Unavailable

const batchOf = <E extends PlatformEvent>({
  claims = [],
  entry,
  isNew = false,
  preconditions = [],
  stream,
  unclaimed = [],
  version
}: WrittenEntry<E>): Batch<E> => ({ stream, version, isNew, preconditions, claims, unclaimed, entries: [entry] })

const refusalOf = (error: StaleVersion | JournalUnavailable): StaleVersion | Unavailable =>
  error._tag === "JournalUnavailable" ? unavailable(error) : error

/** What became of the one entry of a batch that was taken. */
const recordedOf = <E>(stream: string, [outcome]: ReadonlyArray<Outcome<E>>): Exit.Exit<Recorded<E>, LedgerError> => {
  if (outcome === undefined) return Exit.die(`the journal answered nothing for an entry of ${stream}`)
  return outcome._tag === "Refused" ? Exit.fail(outcome.error) : Exit.succeed(outcome.recorded)
}

/**
 * Writes one entry: answers once it is durable, fails with why the ledger refused it, or with another version. For who
 * has the journal at hand.
 */
export const writeEntryTo = Effect.fnUntraced(function* <E extends PlatformEvent>(
  journal: UnitOfWork["Service"],
  written: WrittenEntry<E>
): Effect.fn.Return<Recorded<E>, WriteRefusal> {
  const measured = yield* measureCommit
  const outcomes = yield* Effect.catchTag(journal.append(batchOf(written)), "JournalUnavailable", (error) =>
    Effect.fail(unavailable(error))
  )
  const recorded = yield* recordedOf(written.stream, outcomes)
  measured?.(recorded.seq)
  return recorded
})

/** The same on the journal that there is. */
export const writeEntry = <E extends PlatformEvent>(
  written: WrittenEntry<E>
): Effect.Effect<Recorded<E>, WriteRefusal, UnitOfWork> =>
  Effect.flatMap(UnitOfWork, (journal) => writeEntryTo(journal, written))

/**
 * The same without a fiber: has what says what became of it given to a function, once, which must not throw. So a fault in
 * it is that of whoever asks, who has an answer for faults; here nobody would hear of it.
 */
export const tellEntry = <E extends PlatformEvent>(
  journal: UnitOfWork["Service"],
  written: WrittenEntry<E>,
  give: (recorded: () => Exit.Exit<Recorded<E>, WriteRefusal>) => void
): void =>
  journal.tell(batchOf(written), (appended) =>
    give(() =>
      Exit.isSuccess(appended)
        ? recordedOf(written.stream, appended.value)
        : Exit.failCause(Cause.map(appended.cause, refusalOf))
    )
  )

/** Other writers came first each time, so this cannot be done now. Nothing of it was written. */
export const unavailableWhereStale = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, Exclude<E, StaleVersion> | Unavailable, R> =>
  effect.pipe(
    Effect.catch((error) =>
      Effect.fail(
        error instanceof StaleVersion
          ? new Unavailable({ reason: `${MAX_ATTEMPTS} others wrote ${error.stream} first`, isUnwritten: true })
          : (error as Exclude<E, StaleVersion>)
      )
    )
  )

/** Decides anew while another writer comes first. `attempt` reads, decides and writes by {@link writeEntry}. */
export const retryStale = <A, E, R>(
  attempt: Effect.Effect<A, E | StaleVersion, R>
): Effect.Effect<A, Exclude<E, StaleVersion> | Unavailable, R> => unavailableWhereStale(decideAnew(attempt))

const LEDGER_ERRORS: ReadonlySet<string> = new Set<LedgerError["_tag"]>([
  "InsufficientFunds",
  "AccountClosed",
  "HoldNotPending",
  "InvalidCommand"
])

const isLedgerError = (error: unknown): error is LedgerError =>
  Predicate.hasProperty(error, "_tag") && LEDGER_ERRORS.has(String(error._tag))

/** For commands that the ledger has no reason to refuse: any refusal is a defect. */
export const dieOnRefusal = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, LedgerError>, R> =>
  effect.pipe(
    Effect.catch((error) => (isLedgerError(error) ? Effect.die(error) : Effect.fail(error as Exclude<E, LedgerError>)))
  )
