import { Context, Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Statement } from "effect/sql/Statement"
import type { StreamHead } from "../../engine/actor/CommitGroup.ts"
import { isRequestName } from "../../engine/cluster/RequestName.ts"
import { type Account, type AccountId, accountParts } from "../../engine/ledger/Account.ts"
import type { HoldRecord } from "../../engine/ledger/Book.ts"
import type { AppendedGroup } from "../../engine/journal/AppendedGroup.ts"
import type { JournalEnd } from "../../engine/journal/JournalRow.ts"
import { bigints, byteStrings, numerics, texts } from "./ArrayParameter.ts"
import { writeMultiHolds } from "./MultiHoldStatements.ts"
import { Direct } from "./BoundedClient.ts"
import type { Statements } from "./RowWriter.ts"

type Groups = ReadonlyArray<AppendedGroup>

// Rows that are added are listed by `SELECT unnest(…), unnest(…)`: from `FROM unnest(…, …)` PostgreSQL keeps each column as
// a table before it adds the first row, which costs a commitment a fifteenth more.

/** The tables that every event has a part in, and how far all tables follow the journal. */
export class LedgerTables extends Context.Service<
  LedgerTables,
  {
    /** The sequence of the last event that the tables have. */
    readonly projected: Effect.Effect<number, SqlError>
    /**
     * Moves that sequence to the end of a row; fails unless it is `from`, the journal has that row, and this is the last
     * term, which it remains until the commit.
     */
    readonly advance: (from: number, to: JournalEnd, term: bigint) => Statement<unknown>
    /** Whether the journal has the row that ends so. */
    readonly isAppended: (end: JournalEnd) => Effect.Effect<boolean, SqlError>
    /** The statements that write groups, in the order in which they must run, made step by step. */
    readonly write: (groups: Groups) => Iterable<Statements>
  }
>()("emporion/database/LedgerTables") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(Direct, (sql) =>
      LedgerTables.of({
        projected: sql<{ readonly seq: bigint }>`SELECT seq FROM projection`.pipe(
          Effect.map(([row]) => Number(row?.seq ?? 0n))
        ),
        advance: (from, to, term) => sql`
          WITH moved AS (
            UPDATE projection SET seq = ${BigInt(to.seq)}
            WHERE seq = ${BigInt(from)} AND term = ${term} AND ${rowHashAt(sql, to.seq)} = ${to.hash} RETURNING 1)
          SELECT 1 / (SELECT count(*) FROM moved)::integer AS certain`,
        isAppended: ({ hash, seq }) =>
          Effect.map(
            sql<{ readonly is: boolean | null }>`SELECT ${rowHashAt(sql, seq)} = ${hash} AS is`,
            ([row]) => row?.is === true
          ),
        write: writing(sql)
      })
    )
  )
}

/** The hash of the row that has an event, or of the last one before it. */
const rowHashAt = (sql: SqlClient, seq: number) =>
  sql`(SELECT hash FROM journal WHERE first_seq <= ${BigInt(seq)} ORDER BY first_seq DESC LIMIT 1)`

/** An insert that finds a row costs a fifth more than an update, so only rows that may be new are inserted. */
const writeAccounts =
  (sql: SqlClient) =>
  (groups: Groups): Statements => {
    const last = new Map<AccountId, Account>()
    const added = new Set<AccountId>()
    const turned = new Set<AccountId>()
    for (const { newAccounts, settled } of groups) {
      for (const id of settled.book.changedAccounts) last.set(id, settled.book.account(id))
      for (const id of newAccounts) added.add(id)
      for (const id of settled.book.turnedAccounts) turned.add(id)
    }
    const accounts = Map.groupBy(last.values(), ({ id }) => added.has(id))
    return [
      ...insertAccounts(sql, accounts.get(true) ?? []),
      ...updateAccounts(sql, accounts.get(false) ?? []),
      ...turnAccounts(
        sql,
        [...turned].flatMap((id) => last.get(id) ?? [])
      )
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

/** Inserts missing accounts, whole. */
export const addAccounts = (sql: SqlClient, accounts: ReadonlyArray<Account>): Statements => [
  ...insertAccounts(sql, accounts),
  ...turnAccounts(
    sql,
    accounts.filter(({ closed }) => closed)
  )
]

const insertAccounts = (sql: SqlClient, accounts: ReadonlyArray<Account>): Statements => {
  if (accounts.length === 0) return []
  const parts = accounts.map(({ id }) => accountParts(id))
  return [
    sql`
      INSERT INTO ledger_accounts AS account (id, owner, asset, kind, balance, held)
      SELECT
        unnest(${texts(accounts.map(({ id }) => id))}::text[]),
        unnest(${texts(parts.map(({ owner }) => owner))}::text[]),
        unnest(${texts(parts.map(({ asset }) => asset))}::text[]),
        unnest(${texts(parts.map(({ kind }) => kind))}::text[]),
        unnest(${numerics(accounts.map(({ balance }) => balance))}::numeric[]),
        unnest(${numerics(accounts.map(({ held }) => held))}::numeric[])
      ON CONFLICT (id) DO UPDATE SET balance = EXCLUDED.balance, held = EXCLUDED.held`
  ]
}

/** Divides by zero, and so fails the group, if one of the accounts is missing. */
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
  (groups: Groups): Statements => {
    const recorded = groups.flatMap(({ settled }) => settled.recorded)
    if (recorded.length === 0) return []
    const ends = new Map<string, StreamHead>()
    for (const { settled } of groups) for (const [id, head] of settled.heads) ends.set(id, head)
    const streams = [...ends]
    return [
      sql`
      WITH ends AS (INSERT INTO event_streams AS stream (id, version, hash)
      SELECT
        unnest(${texts(streams.map(([id]) => id))}::text[]),
        unnest(${bigints(streams.map(([, { version }]) => BigInt(version)))}::integer[]),
        unnest(${byteStrings(streams.map(([, { hash }]) => hash))}::bytea[])
      ON CONFLICT (id) DO UPDATE SET version = EXCLUDED.version, hash = EXCLUDED.hash)
      INSERT INTO events (seq, stream, version, type, data, hash)
      SELECT
        unnest(${bigints(recorded.map(({ seq }) => BigInt(seq)))}::bigint[]),
        unnest(${texts(recorded.map(({ stream }) => stream))}::text[]),
        unnest(${bigints(recorded.map(({ version }) => BigInt(version)))}::integer[]),
        unnest(${texts(recorded.map(({ event }) => event._tag))}::text[]),
        unnest(${texts(recorded.map(({ data }) => data))}::text[]),
        unnest(${byteStrings(recorded.map(({ hashBytes }) => hashBytes))}::bytea[])`
    ]
  }

const writePostings =
  (sql: SqlClient) =>
  (groups: Groups): Statements => {
    const postings = groups.flatMap(({ settled }) => settled.book.postings)
    const receivables = groups.flatMap(({ settled }) => settled.book.receivables)
    const seqs = {
      postings: groups.flatMap(({ settled }) => settled.trace.postings),
      receivables: groups.flatMap(({ settled }) => settled.trace.receivables)
    }
    return [
      ...(postings.length === 0
        ? []
        : [
            sql`
            INSERT INTO ledger_transfers (id, debit_account, credit_account, amount, purpose, event_seq)
            SELECT
              unnest(${texts(postings.map(({ id }) => id))}::text[]),
              unnest(${texts(postings.map(({ from }) => from))}::text[]),
              unnest(${texts(postings.map(({ to }) => to))}::text[]),
              unnest(${numerics(postings.map(({ amount }) => amount))}::numeric[]),
              unnest(${texts(postings.map(({ purpose }) => purpose))}::text[]),
              unnest(${bigints(seqs.postings.map(BigInt))}::bigint[])`
          ]),
      ...(receivables.length === 0
        ? []
        : [
            sql`
            INSERT INTO ledger_receivables (id, account, amount, event_seq)
            SELECT
              unnest(${texts(receivables.map(({ id }) => id))}::text[]),
              unnest(${texts(receivables.map(({ to }) => to))}::text[]),
              unnest(${numerics(receivables.map(({ amount }) => amount))}::numeric[]),
              unnest(${bigints(seqs.receivables.map(BigInt))}::bigint[])`
          ])
    ]
  }

const placeHolds = (sql: SqlClient, placed: ReadonlyArray<{ readonly hold: HoldRecord; readonly seq: bigint }>) =>
  placed.length === 0
    ? []
    : [
        sql`
          INSERT INTO ledger_holds (id, account, into_account, amount, status, placed_by)
          SELECT id, account, into_account, amount, 'pending', seq FROM (
            SELECT
              unnest(${texts(placed.map(({ hold }) => hold.id))}::text[]) AS id,
              unnest(${texts(placed.map(({ hold }) => hold.account))}::text[]) AS account,
              unnest(${texts(placed.map(({ hold }) => hold.into))}::text[]) AS into_account,
              unnest(${numerics(placed.map(({ hold }) => hold.amount))}::numeric[]) AS amount,
              unnest(${bigints(placed.map(({ seq }) => seq))}::bigint[]) AS seq) AS placed`
      ]

const endHolds = (sql: SqlClient, ended: ReadonlyArray<{ readonly hold: HoldRecord; readonly seq: bigint }>) =>
  ended.length === 0
    ? []
    : [
        sql`
          UPDATE ledger_holds AS hold
          SET status = ended.status, captured = ended.captured, resolved_by = ended.seq
          FROM unnest(
            ${texts(ended.map(({ hold }) => hold.id))}::text[],
            ${texts(ended.map(({ hold }) => hold.state._tag.toLowerCase()))}::text[],
            ${numerics(ended.map(({ hold: { state } }) => (state._tag === "Captured" ? state.amount : null)))}::numeric[],
            ${bigints(ended.map(({ seq }) => seq))}::bigint[]) AS ended (id, status, captured, seq)
          WHERE hold.id = ended.id AND hold.status = 'pending'`
      ]

const writeHolds =
  (sql: SqlClient) =>
  (groups: Groups): Statements => {
    const touched = groups.flatMap(({ settled: { book, trace } }) =>
      [...trace.holds].flatMap(([id, when]) => {
        const hold = book.holds.get(id)
        return hold === undefined ? [] : [{ hold, when }]
      })
    )
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
  (groups: Groups): Statements => {
    const claims = groups.flatMap(({ settled }) => [...settled.claims])
    return claims.length === 0
      ? []
      : [
          sql`
            INSERT INTO claims (name, event_seq)
            SELECT
              unnest(${texts(claims.map(([name]) => name))}::text[]),
              unnest(${bigints(claims.map(([, seq]) => BigInt(seq)))}::bigint[])`
        ]
  }

/**
 * A valid one that is there is a refusal whose keeping arrived too late: its retry was accepted, and counts. What other
 * nodes named is in the journal alone.
 */
const writeAnswers =
  (sql: SqlClient) =>
  (groups: Groups): Statements => {
    const answers = groups.flatMap(({ answers, end }) =>
      answers.flatMap((answer) => (isRequestName(answer.key) ? [] : [{ ...answer, at: end.recordedAt }]))
    )
    if (answers.length === 0) return []
    return [
      sql`
      INSERT INTO idempotency_keys (key, fingerprint, status, body, created_at)
      SELECT
        unnest(${texts(answers.map(({ key }) => key))}::text[]),
        unnest(${texts(answers.map(({ fingerprint }) => fingerprint))}::text[]),
        unnest(${bigints(answers.map(({ status }) => BigInt(status)))}::integer[]),
        unnest(${texts(answers.map(({ body }) => body))}::text[]),
        unnest(${bigints(answers.map(({ at }) => BigInt(at)))}::bigint[])
      ON CONFLICT (key) DO UPDATE SET fingerprint = EXCLUDED.fingerprint, status = EXCLUDED.status,
        body = EXCLUDED.body, created_at = EXCLUDED.created_at`
    ]
  }

const writing = (sql: SqlClient) => {
  const accounts = writeAccounts(sql)
  const events = writeEvents(sql)
  const postings = writePostings(sql)
  const holds = writeHolds(sql)
  const multiHolds = writeMultiHolds(sql)
  const claims = writeClaims(sql)
  const answers = writeAnswers(sql)

  return function* (groups: Groups): Generator<Statements> {
    yield accounts(groups)
    yield events(groups)
    yield postings(groups)
    yield holds(groups)
    yield multiHolds(groups.map(({ settled }) => settled))
    yield claims(groups)
    yield answers(groups)
  }
}
