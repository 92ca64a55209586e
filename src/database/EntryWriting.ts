import { Effect, Predicate } from "effect"
import { type JournalUnavailable, type Recorded, StaleVersion } from "../../engine/actor/Journal.ts"
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

/** Writes one entry: answers once it is durable, fails with why the ledger refused it, or with another version. */
export const writeEntry = Effect.fnUntraced(function* <E extends PlatformEvent>({
  claims = [],
  entry,
  isNew = false,
  preconditions = [],
  stream,
  version
}: WrittenEntry<E>): Effect.fn.Return<Recorded<E>, StaleVersion | LedgerError | Unavailable, UnitOfWork> {
  const journal = yield* UnitOfWork
  const measured = yield* measureCommit
  const [outcome] = yield* journal
    .append({ stream, version, isNew, preconditions, claims, entries: [entry] })
    .pipe(Effect.catchTag("JournalUnavailable", (error) => Effect.fail(unavailable(error))))
  if (outcome === undefined) return yield* Effect.die(`the journal answered nothing for an entry of ${stream}`)
  if (outcome._tag === "Refused") return yield* Effect.fail(outcome.error)
  measured?.(outcome.recorded.seq)
  return outcome.recorded
})

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
