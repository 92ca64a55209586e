import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Statement } from "effect/sql/Statement"
import type { ChainedEvent, GroupResult, LoadedGroup, StreamHead } from "../../engine/actor/CommitGroup.ts"
import type { Batch } from "../../engine/actor/Journal.ts"
import { type Account, type AccountId, accountParts } from "../../engine/ledger/Account.ts"
import { Book, type HoldRecord } from "../../engine/ledger/Book.ts"
import type { BasketRecord } from "../../engine/ledger/Basket.ts"
import { touchedAccounts } from "../../engine/ledger/TouchedAccounts.ts"
import type { Command } from "../../engine/ledger/Command.ts"
import { fromUnits } from "../../engine/money/Amount.ts"
import { pendingBaskets, writeBaskets } from "./BasketStatements.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import type { Projection, Statements } from "./Projection.ts"
import type { WriterMemory } from "./WriterMemory.ts"
import type { Run } from "./WriteSession.ts"

interface AccountRow {
  readonly id: AccountId
  readonly balance: string
  readonly held: string
  readonly closed: boolean
}

interface HoldRow {
  readonly id: string
  readonly account: AccountId
  readonly into_account: AccountId
  readonly amount: string
}

interface StreamRow {
  readonly id: string
  readonly version: number
  readonly hash: Uint8Array
}

const toAccount = (row: AccountRow): Account => ({
  id: row.id,
  balance: fromUnits(BigInt(row.balance)),
  held: fromUnits(BigInt(row.held)),
  closed: row.closed
})

const toPendingHold = (row: HoldRow): HoldRecord => ({
  id: row.id,
  account: row.account,
  into: row.into_account,
  amount: fromUnits(BigInt(row.amount)),
  state: { _tag: "Pending" }
})

/**
 * The statements of the unit of work, set-based. All of them run inside its transaction; rows are locked in the order
 * of their ids.
 */
export class JournalRepository extends Context.Service<
  JournalRepository,
  {
    readonly lastSeq: Effect.Effect<number, SqlError>
    /** Whether this very event is recorded. */
    readonly has: (event: ChainedEvent<PlatformEvent>) => Effect.Effect<boolean, SqlError>
    /** Asks the database whether it answers. */
    readonly probe: Effect.Effect<void, SqlError>
    /** The streams, pending holds and accounts that the batches touch: remembered, else read and locked. */
    readonly load: (
      batches: ReadonlyArray<Batch<PlatformEvent>>,
      memory: WriterMemory,
      run: Run
    ) => Effect.Effect<LoadedGroup, SqlError>
    /** Fails unless the last event has this sequence. */
    readonly endsAt: (seq: number) => Statement<unknown>
    /** The statements that write a group, by what is remembered of before it. */
    readonly write: (
      group: GroupResult<PlatformEvent>,
      answer: Projection["Service"]["answer"],
      memory: WriterMemory
    ) => Statements
  }
>()("emporion/database/JournalRepository") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      JournalRepository.of({
        lastSeq: lastSeq(sql),
        has: ({ seq, hashBytes }) =>
          sql`SELECT 1 FROM events WHERE seq = ${BigInt(seq)} AND hash = ${hashBytes}`.pipe(
            Effect.map((rows) => rows.length > 0)
          ),
        probe: Effect.asVoid(sql`SELECT 1`),
        load: loading(sql),
        endsAt: (seq) => sql`SELECT 1 / (coalesce(max(seq), 0) = ${BigInt(seq)})::integer AS certain FROM events`,
        write: writing(sql)
      })
    )
  )
}

const lastSeq = (sql: SqlClient) =>
  sql<{ readonly seq: bigint }>`SELECT coalesce(max(seq), 0)::bigint AS seq FROM events`.pipe(
    Effect.map((rows) => Number(rows[0]?.seq ?? 0n))
  )

/** Reads and locks what batches touch and is not remembered, at once, but for what the holds that end name themselves. */
const loading = (sql: SqlClient) => {
  const heads = (run: Run, streams: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<StreamRow>, SqlError> =>
    streams.length === 0
      ? Effect.succeed([])
      : run(
          sql<StreamRow>`
            SELECT id, version, hash FROM event_streams WHERE id = ANY(${streams}::text[]) ORDER BY id FOR UPDATE`
        )

  const pendingHolds = (run: Run, ids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<HoldRecord>, SqlError> =>
    ids.length === 0
      ? Effect.succeed([])
      : run(
          sql<HoldRow>`
            SELECT id, account, into_account, amount::text AS amount FROM ledger_holds
            WHERE id = ANY(${ids}::text[]) AND status = 'pending' ORDER BY id FOR UPDATE`
        ).pipe(Effect.map((rows) => rows.map(toPendingHold)))

  const stored = (run: Run, ids: ReadonlyArray<AccountId>): Effect.Effect<ReadonlyArray<Account>, SqlError> =>
    ids.length === 0
      ? Effect.succeed([])
      : run(
          sql<AccountRow>`
            SELECT id, balance::text AS balance, held::text AS held, closed FROM ledger_accounts
            WHERE id = ANY(${ids}::text[]) ORDER BY id FOR UPDATE`
        ).pipe(Effect.map((rows) => rows.map(toAccount)))

  const basketsOf = pendingBaskets(sql)

  return Effect.fnUntraced(function* (batches: ReadonlyArray<Batch<PlatformEvent>>, memory: WriterMemory, run: Run) {
    const commands = batches.flatMap(({ entries }) => entries.flatMap((entry) => entry.commands))
    const streams = parted(new Set(batches.flatMap(streamsOf)), (stream) => {
      const head = memory.head(stream)
      return head === undefined ? undefined : { id: stream, ...head }
    })
    const named = new Set(commands.flatMap((command) => touchedAccounts(command, NO_HOLDS)))
    const accounts = parted(named, (id) => memory.account(id))
    const [read, holds, baskets, first] = yield* Effect.all(
      [
        heads(run, streams.missing),
        pendingHolds(run, [...new Set(commands.flatMap(endedHold))]),
        basketsOf(run, [...new Set(commands.flatMap(endedBasket))]),
        stored(run, accounts.missing)
      ],
      { concurrency: "unbounded" }
    )
    const others = parted(accountsBehind(commands, holds, baskets, named), (id) => memory.account(id))
    const rest = yield* stored(run, others.missing)
    memory.recall(read, [...first, ...rest])
    return {
      book: new Book([...accounts.known, ...first, ...others.known, ...rest], holds, baskets),
      heads: new Map<string, StreamHead>([...streams.known, ...read].map((head) => [head.id, head]))
    }
  })
}

/** The streams whose versions decide whether a batch is written. */
const streamsOf = ({ premises = [], stream }: Batch<PlatformEvent>): ReadonlyArray<string> =>
  premises.length === 0 ? [stream] : [stream, ...premises.map((premise) => premise.stream)]

const NO_HOLDS: ReadonlyMap<string, HoldRecord> = new Map()

/** The accounts that only the holds and baskets that end can name. */
const accountsBehind = (
  commands: ReadonlyArray<Command>,
  holds: ReadonlyArray<HoldRecord>,
  baskets: ReadonlyArray<BasketRecord>,
  named: ReadonlySet<AccountId>
): Iterable<AccountId> => {
  if (holds.length === 0 && baskets.length === 0) return []
  const held = new Map(holds.map((hold) => [hold.id, hold]))
  const kept = new Map(baskets.map((basket) => [basket.id, basket]))
  return new Set(commands.flatMap((command) => touchedAccounts(command, held, kept))).difference(named)
}

/** What is known of some keys, and the keys of which nothing is. */
const parted = <K, V>(
  keys: Iterable<K>,
  knownOf: (key: K) => V | undefined
): { readonly known: ReadonlyArray<V>; readonly missing: ReadonlyArray<K> } => {
  const known: Array<V> = []
  const missing: Array<K> = []
  for (const key of keys) {
    const value = knownOf(key)
    if (value === undefined) missing.push(key)
    else known.push(value)
  }
  return { known, missing }
}

const endedHold = (command: Command): ReadonlyArray<string> =>
  command._tag === "Release" || command._tag === "Capture" ? [command.hold] : []

const endedBasket = (command: Command): ReadonlyArray<string> =>
  command._tag === "ReleaseBasket" || command._tag === "TakeBasket" ? [command.basket] : []

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
        ${accounts.map(({ id }) => id)}::text[],
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
        ${accounts.map(({ id }) => id)}::text[],
        ${parts.map(({ owner }) => owner)}::text[],
        ${parts.map(({ asset }) => asset)}::text[],
        ${parts.map(({ kind }) => kind)}::text[],
        ${accounts.map(({ balance }) => balance.toString())}::numeric[],
        ${accounts.map(({ held }) => held.toString())}::numeric[])
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
          ${accounts.map(({ id }) => id)}::text[],
          ${accounts.map(({ balance }) => balance.toString())}::numeric[],
          ${accounts.map(({ held }) => held.toString())}::numeric[]) AS changed (id, balance, held)
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
        ${streams.map(([id]) => id)}::text[],
        ${streams.map(([, { version }]) => BigInt(version))}::integer[],
        ${streams.map(([, { hash }]) => hash)}::bytea[])
      ON CONFLICT (id) DO UPDATE SET version = EXCLUDED.version, hash = EXCLUDED.hash)
      INSERT INTO events (seq, stream, version, type, data, hash)
      SELECT * FROM unnest(
        ${recorded.map(({ seq }) => BigInt(seq))}::bigint[],
        ${recorded.map(({ stream }) => stream)}::text[],
        ${recorded.map(({ version }) => BigInt(version))}::integer[],
        ${recorded.map(({ event }) => event._tag)}::text[],
        ${recorded.map(({ data }) => data)}::text[],
        ${recorded.map(({ hashBytes }) => hashBytes)}::bytea[])`
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
              ${postings.map(({ id }) => id)}::text[],
              ${postings.map(({ from }) => from)}::text[],
              ${postings.map(({ to }) => to)}::text[],
              ${postings.map(({ amount }) => amount.toString())}::numeric[],
              ${postings.map(({ purpose }) => purpose)}::text[],
              ${trace.postings.map(BigInt)}::bigint[])`
        ]),
    ...(receivables.length === 0
      ? []
      : [
          sql`
            INSERT INTO ledger_receivables (id, account, amount, event_seq)
            SELECT * FROM unnest(
              ${receivables.map(({ id }) => id)}::text[],
              ${receivables.map(({ to }) => to)}::text[],
              ${receivables.map(({ amount }) => amount.toString())}::numeric[],
              ${trace.receivables.map(BigInt)}::bigint[])`
        ])
  ]

const placeHolds = (sql: SqlClient, placed: ReadonlyArray<{ readonly hold: HoldRecord; readonly seq: bigint }>) =>
  placed.length === 0
    ? []
    : [
        sql`
          INSERT INTO ledger_holds (id, account, into_account, amount, status, placed_by)
          SELECT id, account, into_account, amount, 'pending', seq FROM unnest(
            ${placed.map(({ hold }) => hold.id)}::text[],
            ${placed.map(({ hold }) => hold.account)}::text[],
            ${placed.map(({ hold }) => hold.into)}::text[],
            ${placed.map(({ hold }) => hold.amount.toString())}::numeric[],
            ${placed.map(({ seq }) => seq)}::bigint[]) AS placed (id, account, into_account, amount, seq)`
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
            ${ended.map(({ hold }) => hold.id)}::text[],
            ${ended.map(({ hold: { state } }) => (state._tag === "Captured" ? state.amount.toString() : "0"))}::numeric[],
            ${ended.map(({ seq }) => seq)}::bigint[]) AS ended (id, captured, seq)
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

const writeAnswers =
  (sql: SqlClient) =>
  ({ answers, book }: GroupResult<PlatformEvent>, answer: Projection["Service"]["answer"]): Statements => {
    if (answers.length === 0) return []
    const rendered = answers.map((kept) => kept.answer ?? answer(kept.recorded, (id) => book.account(id)))
    return [
      sql`
      INSERT INTO idempotency_keys (key, fingerprint, status, body, created_at)
      SELECT * FROM unnest(
        ${answers.map(({ key }) => key)}::text[],
        ${answers.map(({ fingerprint }) => fingerprint)}::text[],
        ${rendered.map(({ status }) => BigInt(status))}::integer[],
        ${rendered.map(({ body }) => body)}::text[],
        ${answers.map(({ recorded }) => BigInt(recorded.event.at))}::bigint[])
      ON CONFLICT (key) DO UPDATE SET fingerprint = EXCLUDED.fingerprint, status = EXCLUDED.status,
        body = EXCLUDED.body, created_at = EXCLUDED.created_at`
    ]
  }

/** Writes a group: accounts, streams and events first, because the rest refers to them. */
const writing = (sql: SqlClient) => {
  const accounts = writeAccounts(sql)
  const events = writeEvents(sql)
  const postings = writePostings(sql)
  const holds = writeHolds(sql)
  const baskets = writeBaskets(sql)
  const answers = writeAnswers(sql)

  return (
    group: GroupResult<PlatformEvent>,
    answer: Projection["Service"]["answer"],
    memory: WriterMemory
  ): Statements => [
    ...accounts(group, memory),
    ...events(group),
    ...postings(group),
    ...holds(group),
    ...baskets(group),
    ...answers(group, answer)
  ]
}
