import { type PgClient, PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { createHash } from "node:crypto"
import { zstdDecompressSync } from "node:zlib"

/** A commitment as it stands in the database. */
interface FoundCommitment {
  readonly id: string
  readonly userId: string
  readonly status: string
  /** The hash of its event, in hex. */
  readonly hash: string
}

/** How often it is looked whether the tables have followed, in milliseconds. */
const POLL = 5

/** What one look at a database found. */
export interface LedgerReport {
  /** Everything that contradicts something else, one sentence each. Empty is well. */
  readonly violations: ReadonlyArray<string>
  /** By id. */
  readonly commitments: ReadonlyMap<string, FoundCommitment>
  /** Kept answers of status 200. */
  readonly answers: number
  /** Recorded mints of funds, without what the sandbox starts somebody with. */
  readonly mints: number
  /** The last of all events, to which the tables are compared. */
  readonly lastSeq: number
  /** What the journal has behind it and the tables do not have yet: entries, and the ids of the commitments among them. */
  readonly tail: { readonly entries: number; readonly commitments: ReadonlySet<string> }
  /** Orders by status. */
  readonly orders: ReadonlyMap<string, number>
}

type Query = (text: string) => Effect.Effect<ReadonlyArray<Readonly<Record<string, unknown>>>, SqlError>

const LAST_EVENT = "SELECT coalesce(max(seq), 0) FROM events"

/** What each statement finds is a contradiction. Its columns say which. */
const CONTRADICTIONS: Readonly<Record<string, string>> = {
  "an asset does not sum to zero": `
    SELECT asset, sum(balance)::text AS sum FROM ledger_accounts GROUP BY asset HAVING sum(balance) <> 0`,
  "a balance is not what was posted": `
    SELECT id, balance::text FROM ledger_accounts a WHERE balance <>
      (SELECT coalesce(sum(amount), 0) FROM ledger_transfers WHERE credit_account = a.id) -
      (SELECT coalesce(sum(amount), 0) FROM ledger_transfers WHERE debit_account = a.id)`,
  "held is not the sum of pending holds": `
    SELECT id, held::text FROM ledger_accounts a WHERE held <>
      (SELECT coalesce(sum(amount), 0) FROM ledger_holds WHERE account = a.id AND status = 'pending') +
      (SELECT coalesce(sum(split_part(part, ' ', 2)::numeric), 0)
        FROM ledger_baskets b, unnest(string_to_array(b.parts, ',')) AS part
        WHERE b.status = 'pending' AND split_part(part, ' ', 1) = a.id)`,
  "an account but custody is negative or overdrawn by holds": `
    SELECT id FROM ledger_accounts WHERE kind <> 'custody' AND (balance < 0 OR held > balance OR held < 0)`,
  "the global sequence has a gap": `
    SELECT count(*)::text AS events, min(seq)::text, max(seq)::text FROM events
    HAVING count(*) > 0 AND (min(seq) <> 1 OR max(seq) <> count(*))`,
  "a stream has a gap, or another head than its last event": `
    SELECT s.id FROM event_streams s LEFT JOIN LATERAL
      (SELECT count(*) AS events, max(version) AS version FROM events WHERE stream = s.id) e ON true
    WHERE e.events <> s.version OR e.version IS DISTINCT FROM s.version OR s.hash IS DISTINCT FROM
      (SELECT hash FROM events WHERE stream = s.id AND version = s.version)`,
  "the journal has a gap, or begins behind a missing event": `
    SELECT first_seq::text, expected::text FROM
      (SELECT first_seq, lag(first_seq + count, 1, least(first_seq, (${LAST_EVENT}) + 1)) OVER (ORDER BY first_seq)
        AS expected FROM journal) j
    WHERE first_seq <> expected`,
  "an event of a commitment has no row, or a row no event": `
    SELECT e.seq::text, c.id FROM
      (SELECT seq, data::json -> 'commitment' AS c FROM events WHERE type = 'CommitmentSubmitted') e
      FULL JOIN arena_commitments c ON c.event_seq = e.seq
    WHERE (e.c ->> 'commitmentId', e.c ->> 'orderId', e.c -> 'trader' ->> 'userId', e.c ->> 'collateral',
        e.c ->> 'quantity', e.c ->> 'acceptedAt') IS DISTINCT FROM
      (c.id, c.order_id, c.user_id, c.collateral::text, c.quantity::text, c.accepted_at::text)`,
  "an order has no opening, or an opening no order": `
    SELECT e.seq::text, o.id FROM
      (SELECT seq, data::json -> 'terms' ->> 'orderId' AS id FROM events WHERE type = 'OrderOpened') e
      FULL JOIN arena_orders o ON o.id = e.id WHERE o.id IS DISTINCT FROM e.id`,
  "an order's status is not that of its last event": `
    SELECT o.id, o.status, e.type FROM arena_orders o JOIN event_streams s ON s.id = 'order/' || o.id
      JOIN events e ON e.stream = s.id AND e.version = s.version
    WHERE o.status <> CASE e.type WHEN 'OrderOpened' THEN 'open' WHEN 'CommitmentSubmitted' THEN 'competing'
      WHEN 'OrderClosed' THEN 'settling' WHEN 'WinnerChosen' THEN 'settling' ELSE 'settled' END`,
  "a commitment has not its hold, or a hold not its commitment": `
    SELECT c.id, c.status, h.id AS hold, h.status AS held FROM arena_commitments c FULL JOIN
      (SELECT * FROM ledger_holds WHERE id LIKE 'collateral/%') h ON h.id = 'collateral/' || c.id
    WHERE (h.placed_by, h.amount, h.account) IS DISTINCT FROM
        (c.event_seq, c.collateral::numeric,
          CASE WHEN c.bot_id LIKE 'bot_%' THEN c.bot_id ELSE c.user_id END || '/USD/wallet')
      OR (h.status = 'pending') <> (c.status IN ('active', 'won'))`,
  "a live order has not its escrow, or a settled one still has": `
    SELECT o.id, o.status, count(h.id)::text AS pending FROM arena_orders o
      LEFT JOIN ledger_holds h ON h.status = 'pending' AND h.id IN ('escrow/offered/' || o.id, 'escrow/sold/' || o.id)
    GROUP BY o.id HAVING count(h.id) <> CASE WHEN o.status = 'settled'
      OR (o.reference_price IS NOT NULL AND o.winner_commitment_id IS NULL) THEN 0 ELSE 1 END`,
  "a pending hold belongs to nothing": `
    SELECT id FROM ledger_holds WHERE status = 'pending' AND id NOT LIKE 'collateral/%' AND id NOT LIKE 'escrow/%'
      AND id NOT LIKE 'allowance/%'`,
  "a hold was resolved before it was placed": `
    SELECT id FROM ledger_holds
    WHERE resolved_by < placed_by OR (resolved_by = placed_by AND id NOT LIKE 'credits/%')`,
  "the vault's totals are not those of the locked commitments": `
    SELECT collateral_locked::text, active_commitments::text FROM arena_vault_totals
    WHERE (collateral_locked, active_commitments) IS DISTINCT FROM
      (SELECT (coalesce(sum(collateral), 0), count(*)) FROM arena_commitments WHERE status IN ('active', 'won'))`,
  "a kept receipt has no commitment, or another one": `
    SELECT k.body, c.id FROM (SELECT body, body::json -> 'data' AS d FROM idempotency_keys WHERE body LIKE '%commitment_id%') k
      LEFT JOIN arena_commitments c ON c.id = k.d ->> 'commitment_id' LEFT JOIN events e ON e.seq = c.event_seq
    WHERE (k.d ->> 'transaction_hash', k.d ->> 'onchain_commitment_id') IS DISTINCT FROM
      ('0x' || encode(e.hash, 'hex'), e.stream || ':' || e.version)`,
  "two keys have one receipt": `
    SELECT body FROM idempotency_keys WHERE body LIKE '%commitment_id%' GROUP BY body HAVING count(*) > 1`,
  "a mint has no fund": `
    SELECT e.seq::text FROM events e LEFT JOIN funds f ON f.id = e.data::json ->> 'fundId'
    WHERE e.type = 'FundsMinted' AND f.id IS NULL`
}

const shown = (row: Readonly<Record<string, unknown>>): string =>
  Object.entries(row)
    .map(([name, value]) => `${name} ${String(value).slice(0, 200)}`)
    .join(", ")

const contradictions = (query: Query) =>
  Effect.forEach(Object.entries(CONTRADICTIONS), ([what, statement]) =>
    Effect.map(query(statement), (rows) => rows.slice(0, 3).map((row) => `${what}: ${shown(row)}`))
  ).pipe(Effect.map((found) => found.flat()))

/** Walks every stream's chain from 32 zero bytes: SHA-256(previous hash ‖ the event's stored text). */
const brokenLinks = Effect.fnUntraced(function* (query: Query) {
  const rows = yield* query("SELECT stream, version, data, hash FROM events ORDER BY stream, version")
  const broken: Array<string> = []
  let stream: unknown
  let previous = Buffer.alloc(32)
  for (const row of rows) {
    if (row["stream"] !== stream) previous = Buffer.alloc(32)
    stream = row["stream"]
    const hash = Buffer.from(row["hash"] as Uint8Array)
    const expected = createHash("sha256").update(previous).update(String(row["data"])).digest()
    if (!hash.equals(expected)) broken.push(`the chain is broken at ${String(stream)}:${String(row["version"])}`)
    previous = hash
  }
  return broken
})

/** An entry as the journal has it. */
interface Entry {
  readonly seq: number
  readonly stream: string
  readonly data: string
}

const plain = (stored: string): string =>
  stored.startsWith("\t") ? zstdDecompressSync(Buffer.from(stored.slice(1), "base64")).toString() : stored

/** Walks the journal from 32 zero bytes: SHA-256(previous hash ‖ place and digest of answers ‖ line end ‖ body). */
const walkJournal = Effect.fnUntraced(function* (query: Query) {
  const rows = yield* query(`
    SELECT first_seq::text, count, term::text, recorded_at::text, encode(answers_digest, 'hex') AS digest, body, hash
    FROM journal ORDER BY journal.first_seq`)
  const broken: Array<string> = []
  const entries: Array<Entry> = []
  let previous = Buffer.alloc(32)
  for (const { body: stored, count, digest, first_seq: seq, hash, recorded_at: at, term } of rows) {
    const body = plain(String(stored))
    const place = `[${String(seq)},${String(count)},"${String(term)}",${String(at)},"${String(digest)}"]`
    const expected = createHash("sha256").update(previous).update(`${place}\n${body}`).digest()
    previous = Buffer.from(hash as Uint8Array)
    if (!previous.equals(expected)) broken.push(`the journal's chain is broken at ${String(seq)}`)
    const lines = body.split("\n")
    if (lines.length !== count) broken.push(`row ${String(seq)} of the journal has ${lines.length} entries`)
    for (const [index, line] of lines.entries()) {
      const fields = line.split("\t")
      entries.push({ seq: Number(seq) + index, stream: fields[0] ?? "", data: fields.at(-1) ?? "" })
    }
  }
  return { broken, entries }
})

/** Entries that are not the events of their sequence, as far as there are events, and events without any. */
const strayEntries = Effect.fnUntraced(function* (query: Query, entries: ReadonlyArray<Entry>, last: number) {
  const events = yield* query(`
    SELECT seq::text, stream, data FROM events WHERE seq >= (SELECT min(first_seq) FROM journal)`)
  const stray = new Map(entries.filter(({ seq }) => seq <= last).map((entry) => [entry.seq, entry]))
  const alone: Array<string> = []
  for (const { data, seq, stream } of events) {
    const entry = stray.get(Number(seq))
    if (entry?.data === data && entry?.stream === stream) stray.delete(Number(seq))
    else alone.push(String(seq))
  }
  return [...stray.keys(), ...alone].slice(0, 3).map((seq) => `entry or event ${seq} of the journal has not its other`)
})

/** The commitment that an entry records; null where it records something else. */
const commitmentOf = ({ data }: Entry): string | null =>
  data.startsWith('{"_tag":"CommitmentSubmitted"')
    ? (JSON.parse(data) as { readonly commitment: { readonly commitmentId: string } }).commitment.commitmentId
    : null

const SUMMARY = `
  SELECT (SELECT count(*) FROM idempotency_keys WHERE status = 200)::int AS answers,
    (SELECT count(*) FROM events WHERE type = 'FundsMinted' AND stream NOT LIKE 'starting/%')::int AS mints,
    (SELECT coalesce(max(seq), 0) FROM events)::int AS last_seq`

const COMMITMENTS = `
  SELECT c.id, c.user_id AS "userId", c.status, encode(e.hash, 'hex') AS hash
  FROM arena_commitments c LEFT JOIN events e ON e.seq = c.event_seq`

const look = Effect.fnUntraced(function* (query: Query): Effect.fn.Return<LedgerReport, SqlError> {
  const { broken, entries } = yield* walkJournal(query)
  const [summary = {}] = yield* query(SUMMARY)
  const lastSeq = Number(summary["last_seq"])
  const violations = [
    ...(yield* contradictions(query)),
    ...(yield* brokenLinks(query)),
    ...broken,
    ...(yield* strayEntries(query, entries, lastSeq))
  ]
  const commitments = (yield* query(COMMITMENTS)) as unknown as ReadonlyArray<FoundCommitment>
  const tail = entries.filter(({ seq }) => seq > lastSeq)
  const orders = yield* query("SELECT status, count(*)::int AS count FROM arena_orders GROUP BY status")
  return {
    violations,
    commitments: new Map(commitments.map((found) => [found.id, found])),
    answers: Number(summary["answers"]),
    mints: Number(summary["mints"]),
    lastSeq,
    tail: {
      entries: tail.length,
      commitments: new Set(tail.flatMap((entry) => commitmentOf(entry) ?? []))
    },
    orders: new Map(orders.map(({ status, count }) => [String(status), Number(count)]))
  }
})

const session = <A, E>(config: PgClient.PgClientConfig, use: (query: Query) => Effect.Effect<A, E>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* PgConnection.make({ ...config, multiplex: false, applicationName: "ledger check" })
      return yield* use((text) => Effect.map(connection.query(text, [], false), ({ rows }) => rows as never))
    })
  )

/**
 * Reads a whole database as of one moment, whether or not a server works on it, and checks everything against
 * everything. The journal may be ahead of the tables: these are compared as of the last event, and what is behind it is
 * checked by its chain alone.
 */
export const checkLedger = (config: PgClient.PgClientConfig): Effect.Effect<LedgerReport, SqlError> =>
  session(config, (query) =>
    Effect.gen(function* () {
      yield* query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      const report = yield* look(query)
      yield* query("COMMIT")
      return report
    })
  )

/**
 * Entries of writers before the one in office that the tables do not have: none once a server is ready, which writes
 * what the last one left behind before it decides anything.
 */
export const leftBehind = (config: PgClient.PgClientConfig): Effect.Effect<number, SqlError> =>
  session(config, (query) =>
    Effect.map(
      query(`
        SELECT coalesce(sum(least(count, first_seq + count - 1 - (${LAST_EVENT}))), 0)::int AS entries FROM journal
        WHERE first_seq + count - 1 > (${LAST_EVENT}) AND term < (SELECT term FROM writer_term)`),
      ([row]) => Number(row?.["entries"])
    )
  )

/** Longest until the tables have what was committed, in milliseconds. */
const PROJECTION_LIMIT = 10_000

/** The same as {@link checkLedger}, as soon as the tables have everything that was committed when it was asked. */
export const checkLedgerToNow = (config: PgClient.PgClientConfig): Effect.Effect<LedgerReport, SqlError> =>
  session(config, (query) =>
    Effect.gen(function* () {
      const [now] = yield* query("SELECT coalesce(max(first_seq + count - 1), 0)::int AS seq FROM journal")
      const [wanted, until] = [Number(now?.["seq"]), performance.now() + PROJECTION_LIMIT]
      for (;;) {
        const [last] = yield* query(`SELECT (${LAST_EVENT})::int AS seq`)
        if (Number(last?.["seq"]) >= wanted) return
        if (performance.now() > until) {
          return yield* Effect.die(new Error(`the tables have event ${String(last?.["seq"])} of ${wanted} committed`))
        }
        yield* Effect.sleep(POLL)
      }
    })
  ).pipe(Effect.andThen(checkLedger(config)))
