import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { Direct } from "../database/BoundedClient.ts"
import { KeyIndex } from "../database/StoredKeyIndex.ts"
import { Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import { WriterTerm } from "../database/WriterTerm.ts"
import { findKept, type KeptResponse } from "../../engine/journal/KeyedRequests.ts"
import { KEY_RETENTION } from "../../engine/journal/KeyFilter.ts"
import { recordedOf } from "../../engine/replay/EventCodec.ts"
import type { StoredEvent } from "../../engine/replay/StoredEvent.ts"
import { TablePosition } from "../database/ProjectedPosition.ts"
import { Projection } from "../database/Projection.ts"
import * as Worker from "../Worker.ts"
import { forgetAnswers, journalAfter } from "../database/JournalStatements.ts"
import { type ExecutedPorts, type Forgotten, namedAnswer } from "../../engine/journal/ExecutedRequests.ts"

/** Rows removed by one statement. */
const PRUNE_BATCH = 10_000

/** Answers under idempotency keys. Times are milliseconds since 1970. */
export class IdempotencyRepository extends Context.Service<
  IdempotencyRepository,
  {
    /** The answer kept under a key within the retention. */
    readonly find: (key: string, now: number) => Effect.Effect<KeptResponse | undefined, Unavailable>
    /** Whether nothing was kept under a key, as far as that is known without asking anybody. */
    readonly isNew: (key: string, now: number) => boolean
    /** The answer to a request that another node sends again, by its name: the journal has that, or the event. */
    readonly findNamed: (name: string) => Effect.Effect<KeptResponse | undefined, Unavailable | Forgotten>
    /** The names of requests that are sent again and run just now. */
    readonly sentAgain: Set<string>
    /** The answers kept under keys, by key. */
    readonly findAll: (
      keys: ReadonlyArray<string>,
      now: number
    ) => Effect.Effect<ReadonlyMap<string, KeptResponse>, Unavailable>
    /**
     * Keeps an answer, unless one that is still valid is there, and answers that one. Fails if another process writes on
     * the database.
     */
    readonly keep: (
      key: string,
      answer: KeptResponse,
      now: number
    ) => Effect.Effect<KeptResponse | undefined, Unavailable>
    /**
     * Keeps an answer in the transaction that is open. Fails, so that it is undone, if another process writes on the
     * database, or one that is still valid is there: then it was done before.
     */
    readonly keepWithin: (key: string, answer: KeptResponse, now: number) => Effect.Effect<void, Unavailable>
    /** Removes at most a batch of answers past the retention, here and in the journal, and says how many. */
    readonly prune: (now: number) => Effect.Effect<number, Unavailable>
  }
>()("emporion/http/IdempotencyRepository") {
  /** Keeps them in the database, and now and then removes those past the retention. */
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const direct = yield* Direct
      const { answers } = yield* Projection
      const { reachedTo } = yield* TablePosition
      const executed = { rows: journalAfter(direct), recorded: recordedAt(direct, reachedTo), answers }
      const repository = ofSql({ direct, tables: yield* SqlClient, executed }, yield* KeyIndex, yield* WriterTerm)
      yield* Worker.pruning("Idempotency keys", PRUNE_BATCH, repository.prune)
      return repository
    })
  )
}

type Repository = IdempotencyRepository["Service"]

const keptOf = ({ body, fingerprint, status }: KeptResponse): KeptResponse => ({ fingerprint, status, body })

/** Whether a process may write, and whether it has kept what it gave. */
interface Attempt {
  readonly held: number
  readonly kept: number
}

const keeping =
  (sql: SqlClient, index: KeyIndex["Service"], term: Pick<WriterTerm["Service"], "current">) =>
  (key: string, answer: KeptResponse, now: number) =>
    Effect.suspend(() => {
      index.note(key, now)
      // Who takes the next term waits for this, and reads the keys only then.
      return sql<Attempt>`
        WITH held AS (SELECT 1 FROM writer_term WHERE term = ${term.current()} FOR SHARE), kept AS (
          INSERT INTO idempotency_keys (key, fingerprint, status, body, created_at)
          SELECT ${key}::text, ${answer.fingerprint}::text, ${answer.status}::integer, ${answer.body}::text,
            ${BigInt(now)}::bigint FROM held
          ON CONFLICT (key) DO UPDATE SET fingerprint = EXCLUDED.fingerprint, status = EXCLUDED.status,
            body = EXCLUDED.body, created_at = EXCLUDED.created_at
          WHERE idempotency_keys.created_at <= ${BigInt(now - KEY_RETENTION)}
          RETURNING key)
        SELECT (SELECT count(*)::integer FROM held) AS held, (SELECT count(*)::integer FROM kept) AS kept`
    }).pipe(
      unavailableOrDie,
      Effect.flatMap(([row]) =>
        row?.held === 1
          ? Effect.succeed(row.kept === 1)
          : Effect.fail(new Unavailable({ reason: "another process writes", isUnwritten: true }))
      )
    )

/** An event that the journal has, once the tables have it too. */
const recordedAt =
  (sql: SqlClient, reachedTo: TablePosition["Service"]["reachedTo"]): ExecutedPorts<SqlError>["recorded"] =>
  (seq) =>
    Effect.andThen(
      reachedTo(seq),
      sql<Omit<StoredEvent, "seq">>`
        SELECT stream, version, type, data, encode(hash, 'hex') AS hash FROM events WHERE seq = ${BigInt(seq)}`.pipe(
        Effect.map(([row]) => (row === undefined ? undefined : recordedOf({ ...row, seq })))
      )
    )

/** What the answers are in. */
interface Parts {
  readonly direct: SqlClient
  /** The client whose transactions the contexts open. */
  readonly tables: SqlClient
  /** What nodes named. */
  readonly executed: ExecutedPorts<SqlError>
}

const ofSql = (
  { direct: sql, executed, tables }: Parts,
  index: KeyIndex["Service"],
  term: Pick<WriterTerm["Service"], "current">
): Repository => {
  const find: Repository["find"] = (key, now) =>
    findKept(
      index,
      key,
      now,
      Effect.map(
        sql<KeptResponse>`
          SELECT fingerprint, status, body FROM idempotency_keys
          WHERE key = ${key} AND created_at > ${BigInt(now - KEY_RETENTION)}`,
        ([row]) => row
      )
    ).pipe(
      Effect.map((kept) => (kept === undefined ? undefined : keptOf(kept))),
      unavailableOrDie
    )
  const keep = keeping(sql, index, term)
  const keepInside = keeping(tables, index, term)
  return {
    find,
    findNamed: (name) =>
      namedAnswer(executed, name).pipe(
        Effect.map((kept) => (kept === undefined ? undefined : keptOf(kept))),
        unavailableOrDie
      ),
    isNew: (key, now) => index.find(key) === undefined && index.isSurelyNew(key, now),
    sentAgain: index.sentAgain,
    findAll: Effect.fnUntraced(function* (asked, now) {
      const found = new Map<string, KeptResponse>()
      const keys: Array<string> = []
      for (const key of asked) {
        const told = index.find(key)
        if (told !== undefined) found.set(key, keptOf(told))
        else if (!index.isSurelyNew(key, now)) keys.push(key)
      }
      if (keys.length === 0) return found
      const rows = yield* sql<KeptResponse & { readonly key: string }>`
      SELECT key, fingerprint, status, body FROM idempotency_keys
      WHERE key = ANY(${keys}::text[]) AND created_at > ${BigInt(now - KEY_RETENTION)}`
      for (const row of rows) found.set(row.key, row)
      return found
    }, unavailableOrDie),
    keep: (key, answer, now) =>
      Effect.flatMap(keep(key, answer, now), (isKept) => (isKept ? Effect.undefined : find(key, now))),
    keepWithin: (key, answer, now) =>
      Effect.flatMap(keepInside(key, answer, now), (isKept) =>
        isKept
          ? Effect.void
          : Effect.fail(new Unavailable({ reason: "an earlier request with this key was done", isUnwritten: true }))
      ),
    prune: Effect.fnUntraced(function* (now) {
      const rows = yield* sql`
      DELETE FROM idempotency_keys WHERE key IN (
        SELECT key FROM idempotency_keys WHERE created_at <= ${BigInt(now - KEY_RETENTION)}
        ORDER BY created_at LIMIT ${PRUNE_BATCH})
      RETURNING key`
      const forgotten = yield* forgetAnswers(sql)(now - KEY_RETENTION, PRUNE_BATCH)
      return Math.max(rows.length, forgotten)
    }, unavailableOrDie)
  }
}
