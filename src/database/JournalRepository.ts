import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Statement } from "effect/sql/Statement"
import type { GroupResult, LoadedGroup } from "../../engine/actor/CommitGroup.ts"
import type { Batch } from "../../engine/actor/Journal.ts"
import { type Account, type AccountId, accountParts } from "../../engine/ledger/Account.ts"
import type { HoldRecord } from "../../engine/ledger/Book.ts"
import { bigints, byteStrings, numerics, texts } from "./ArrayParameter.ts"
import { writeBaskets } from "./BasketStatements.ts"
import { eventsAfter } from "./EventLogRepository.ts"
import { groupLoading } from "./GroupLoading.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import type { StoredEvent } from "../../engine/replay/StoredEvent.ts"
import type { Statements } from "./Projection.ts"
import type { WriterMemory } from "./WriterMemory.ts"
import type { JournalEnd, JournalRow, KeyedAnswer } from "../../engine/journal/JournalRow.ts"
import { appendJournal, journalTip } from "./JournalStatements.ts"
import type { Run } from "./WriteSession.ts"

/** How long an answer is kept under its key, in milliseconds: 24 hours. */
export const KEY_RETENTION = 86_400_000

/** Which event stands at a place of the sequence. */
export type EventPlace = Pick<StoredEvent, "seq" | "hash">

/**
 * The statements of the unit of work, set-based. All of them run inside its transaction; rows are locked in the order
 * of their ids.
 */
export class JournalRepository extends Context.Service<
  JournalRepository,
  {
    readonly lastSeq: Effect.Effect<number, SqlError>
    /** The last event there is. */
    readonly last: Effect.Effect<EventPlace, SqlError>
    /** The hash and the time of the journal's last row. */
    readonly tip: Effect.Effect<Omit<JournalEnd, "seq">, SqlError>
    /** Whether this very event is recorded. */
    readonly has: (event: EventPlace) => Effect.Effect<boolean, SqlError>
    /** The events after a place in the sequence, a page of them; none at the end. */
    readonly after: (seq: number) => Effect.Effect<ReadonlyArray<StoredEvent>, SqlError>
    /** Asks the database whether it answers. */
    readonly probe: Effect.Effect<void, SqlError>
    /** The streams, pending holds and accounts that the batches touch: remembered, else read and locked. */
    readonly load: (
      batches: ReadonlyArray<Batch<PlatformEvent>>,
      memory: WriterMemory,
      run: Run,
      /** Reads also which of the entries' keys are answered since this time. Without it, {@link write} fails on one. */
      keysSince?: number
    ) => Effect.Effect<LoadedGroup, SqlError>
    /** Fails unless the last event has this sequence and this is the last term, which it remains until the commit. */
    readonly endsAt: (seq: number, term: bigint) => Statement<unknown>
    /** The statements that write a group, by what is remembered of before it. */
    readonly write: (
      group: GroupResult<PlatformEvent>,
      rows: ReadonlyArray<JournalRow>,
      answers: ReadonlyArray<KeyedAnswer>,
      memory: WriterMemory
    ) => Statements
  }
>()("emporion/database/JournalRepository") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      JournalRepository.of({
        lastSeq: lastSeq(sql),
        last: last(sql),
        tip: journalTip(sql),
        has: ({ seq, hash }) =>
          sql`SELECT 1 FROM events WHERE seq = ${BigInt(seq)} AND hash = decode(${hash}, 'hex')`.pipe(
            Effect.map((rows) => rows.length > 0)
          ),
        after: eventsAfter(sql),
        probe: Effect.asVoid(sql`SELECT 1`),
        load: groupLoading(sql),
        endsAt: endsAt(sql),
        write: writing(sql)
      })
    )
  )
}

const lastSeq = (sql: SqlClient) =>
  sql<{ readonly seq: bigint }>`SELECT coalesce(max(seq), 0)::bigint AS seq FROM events`.pipe(
    Effect.map((rows) => Number(rows[0]?.seq ?? 0n))
  )

const last = (sql: SqlClient) =>
  sql<{ readonly seq: bigint; readonly hash: string }>`
    SELECT seq, encode(hash, 'hex') AS hash FROM events ORDER BY seq DESC LIMIT 1`.pipe(
    Effect.map(([row]): EventPlace => ({ seq: Number(row?.seq ?? 0n), hash: row?.hash ?? "" }))
  )

/**
 * The term comes first: who takes the next one waits for the end of this transaction, and where it was taken meanwhile
 * the row is not there any more.
 */
const endsAt = (sql: SqlClient) => (seq: number, term: bigint) =>
  sql`
  WITH fence AS MATERIALIZED (SELECT 1 FROM writer_term WHERE term = ${term} FOR SHARE)
  SELECT 1 / (EXISTS (SELECT FROM fence)
    AND (SELECT coalesce(max(seq), 0) FROM events) = ${BigInt(seq)})::integer AS certain`

/** An insert that finds a row costs a fifth more than an update, so that only what may be new is inserted. */
const writeAccounts =
  (sql: SqlClient) =>
  ({ book }: GroupResult<PlatformEvent>, memory: Pick<WriterMemory, "account">): Statements => {
    const changed = Map.groupBy(book.changedAccounts, (id) => memory.account(id) !== undefined)
    const accountsOf = (ids: ReadonlyArray<AccountId> = []) => ids.map((id) => book.account(id))
    return [
      ...insertAccounts(sql, accountsOf(changed.get(false))),
      ...updateAccounts(sql, accountsOf(changed.get(true))),
      ...turnAccounts(sql, accountsOf([...book.turnedAccounts]))
    ]
  }

/** Closes or opens accounts, whose rows are written by now. */
const turnAccounts = (sql: SqlClient, accounts: ReadonlyArray<Account>): Statements =>
  accounts.length === 0
    ? []
    : [
        sql`
      UPDATE ledger_accounts AS account SET closed = turned.closed
      FROM unnest(
        ${texts(accounts.map(({ id }) => id))}::text[],
        ${accounts.map(({ closed }) => closed)}::boolean[]) AS turned (id, closed)
      WHERE account.id = turned.id`
      ]

const insertAccounts = (sql: SqlClient, accounts: ReadonlyArray<Account>): Statements => {
  if (accounts.length === 0) return []
  const parts = accounts.map(({ id }) => accountParts(id))
  return [
    sql`
      INSERT INTO ledger_accounts AS account (id, owner, asset, kind, balance, held)
      SELECT * FROM unnest(
        ${texts(accounts.map(({ id }) => id))}::text[],
        ${texts(parts.map(({ owner }) => owner))}::text[],
        ${texts(parts.map(({ asset }) => asset))}::text[],
        ${texts(parts.map(({ kind }) => kind))}::text[],
        ${numerics(accounts.map(({ balance }) => balance))}::numeric[],
        ${numerics(accounts.map(({ held }) => held))}::numeric[])
      ON CONFLICT (id) DO UPDATE SET balance = EXCLUDED.balance, held = EXCLUDED.held`
  ]
}

/** Divides by zero, and so fails the group, where one of the accounts is not there. */
const updateAccounts = (sql: SqlClient, accounts: ReadonlyArray<Account>): Statements =>
  accounts.length === 0
    ? []
    : [
        sql`
      WITH written AS (
        UPDATE ledger_accounts AS account SET balance = changed.balance, held = changed.held
        FROM unnest(
          ${texts(accounts.map(({ id }) => id))}::text[],
          ${numerics(accounts.map(({ balance }) => balance))}::numeric[],
          ${numerics(accounts.map(({ held }) => held))}::numeric[]) AS changed (id, balance, held)
        WHERE account.id = changed.id RETURNING 1)
      SELECT 1 / (count(*) = ${BigInt(accounts.length)})::integer AS certain FROM written`
      ]

const writeEvents =
  (sql: SqlClient) =>
  ({ heads: ends, recorded }: GroupResult<PlatformEvent>): Statements => {
    const streams = [...ends]
    return [
      sql`
      WITH ends AS (INSERT INTO event_streams AS stream (id, version, hash)
      SELECT * FROM unnest(
        ${texts(streams.map(([id]) => id))}::text[],
        ${bigints(streams.map(([, { version }]) => BigInt(version)))}::integer[],
        ${byteStrings(streams.map(([, { hash }]) => hash))}::bytea[])
      ON CONFLICT (id) DO UPDATE SET version = EXCLUDED.version, hash = EXCLUDED.hash)
      INSERT INTO events (seq, stream, version, type, data, hash)
      SELECT * FROM unnest(
        ${bigints(recorded.map(({ seq }) => BigInt(seq)))}::bigint[],
        ${texts(recorded.map(({ stream }) => stream))}::text[],
        ${bigints(recorded.map(({ version }) => BigInt(version)))}::integer[],
        ${texts(recorded.map(({ event }) => event._tag))}::text[],
        ${texts(recorded.map(({ data }) => data))}::text[],
        ${byteStrings(recorded.map(({ hashBytes }) => hashBytes))}::bytea[])`
    ]
  }

const writePostings =
  (sql: SqlClient) =>
  ({ book: { postings, receivables }, trace }: GroupResult<PlatformEvent>): Statements => [
    ...(postings.length === 0
      ? []
      : [
          sql`
            INSERT INTO ledger_transfers (id, debit_account, credit_account, amount, purpose, event_seq)
            SELECT * FROM unnest(
              ${texts(postings.map(({ id }) => id))}::text[],
              ${texts(postings.map(({ from }) => from))}::text[],
              ${texts(postings.map(({ to }) => to))}::text[],
              ${numerics(postings.map(({ amount }) => amount))}::numeric[],
              ${texts(postings.map(({ purpose }) => purpose))}::text[],
              ${bigints(trace.postings.map(BigInt))}::bigint[])`
        ]),
    ...(receivables.length === 0
      ? []
      : [
          sql`
            INSERT INTO ledger_receivables (id, account, amount, event_seq)
            SELECT * FROM unnest(
              ${texts(receivables.map(({ id }) => id))}::text[],
              ${texts(receivables.map(({ to }) => to))}::text[],
              ${numerics(receivables.map(({ amount }) => amount))}::numeric[],
              ${bigints(trace.receivables.map(BigInt))}::bigint[])`
        ])
  ]

const placeHolds = (sql: SqlClient, placed: ReadonlyArray<{ readonly hold: HoldRecord; readonly seq: bigint }>) =>
  placed.length === 0
    ? []
    : [
        sql`
          INSERT INTO ledger_holds (id, account, into_account, amount, status, placed_by)
          SELECT id, account, into_account, amount, 'pending', seq FROM unnest(
            ${texts(placed.map(({ hold }) => hold.id))}::text[],
            ${texts(placed.map(({ hold }) => hold.account))}::text[],
            ${texts(placed.map(({ hold }) => hold.into))}::text[],
            ${numerics(placed.map(({ hold }) => hold.amount))}::numeric[],
            ${bigints(placed.map(({ seq }) => seq))}::bigint[]) AS placed (id, account, into_account, amount, seq)`
      ]

const endHolds = (sql: SqlClient, ended: ReadonlyArray<{ readonly hold: HoldRecord; readonly seq: bigint }>) =>
  ended.length === 0
    ? []
    : [
        sql`
          UPDATE ledger_holds AS hold
          SET status = CASE WHEN ended.captured = 0 THEN 'released' ELSE 'captured' END,
              captured = nullif(ended.captured, 0), resolved_by = ended.seq
          FROM unnest(
            ${texts(ended.map(({ hold }) => hold.id))}::text[],
            ${numerics(ended.map(({ hold: { state } }) => (state._tag === "Captured" ? state.amount : 0n)))}::numeric[],
            ${bigints(ended.map(({ seq }) => seq))}::bigint[]) AS ended (id, captured, seq)
          WHERE hold.id = ended.id AND hold.status = 'pending'`
      ]

const writeHolds =
  (sql: SqlClient) =>
  ({ book, trace }: GroupResult<PlatformEvent>): Statements => {
    const touched = [...trace.holds].flatMap(([id, when]) => {
      const hold = book.holds.get(id)
      return hold === undefined ? [] : [{ hold, when }]
    })
    const at = (seqOf: (when: { placedBy?: number; resolvedBy?: number }) => number | undefined) =>
      touched.flatMap(({ hold, when }) => {
        const seq = seqOf(when)
        return seq === undefined ? [] : [{ hold, seq: BigInt(seq) }]
      })
    return [
      ...placeHolds(
        sql,
        at(({ placedBy }) => placedBy)
      ),
      ...endHolds(
        sql,
        at(({ resolvedBy }) => resolvedBy)
      )
    ]
  }

const writeClaims =
  (sql: SqlClient) =>
  ({ claims }: GroupResult<PlatformEvent>): Statements =>
    claims.size === 0
      ? []
      : [
          sql`
            INSERT INTO claims (name, event_seq)
            SELECT * FROM unnest(
              ${texts([...claims.keys()])}::text[],
              ${bigints([...claims.values()].map(BigInt))}::bigint[])`
        ]

/** Divides by zero, and so fails the group, where an answer that is still valid is kept under one of the keys. */
const writeAnswers =
  (sql: SqlClient) =>
  (answers: ReadonlyArray<KeyedAnswer>, recordedAt: number): Statements => {
    if (answers.length === 0) return []
    return [
      sql`
      WITH kept AS (INSERT INTO idempotency_keys (key, fingerprint, status, body, created_at)
      SELECT * FROM unnest(
        ${texts(answers.map(({ key }) => key))}::text[],
        ${texts(answers.map(({ fingerprint }) => fingerprint))}::text[],
        ${bigints(answers.map(({ status }) => BigInt(status)))}::integer[],
        ${texts(answers.map(({ body }) => body))}::text[],
        ${bigints(answers.map(() => BigInt(recordedAt)))}::bigint[])
      ON CONFLICT (key) DO UPDATE SET fingerprint = EXCLUDED.fingerprint, status = EXCLUDED.status,
        body = EXCLUDED.body, created_at = EXCLUDED.created_at
      WHERE idempotency_keys.created_at <= ${BigInt(recordedAt - KEY_RETENTION)} RETURNING 1)
      SELECT 1 / (count(*) = ${BigInt(answers.length)})::integer AS certain FROM kept`
    ]
  }

/** Writes a group: the journal's rows, then accounts, streams and events first, because the rest refers to them. */
const writing = (sql: SqlClient) => {
  const append = appendJournal(sql)
  const accounts = writeAccounts(sql)
  const events = writeEvents(sql)
  const postings = writePostings(sql)
  const holds = writeHolds(sql)
  const baskets = writeBaskets(sql)
  const claims = writeClaims(sql)
  const answers = writeAnswers(sql)

  return (
    group: GroupResult<PlatformEvent>,
    rows: ReadonlyArray<JournalRow>,
    kept: ReadonlyArray<KeyedAnswer>,
    memory: WriterMemory
  ): Statements => [
    ...append(rows),
    ...accounts(group, memory),
    ...events(group),
    ...postings(group),
    ...holds(group),
    ...baskets(group),
    ...claims(group),
    ...answers(kept, rows[0]?.recordedAt ?? 0)
  ]
}
