/**
 * A process that does nothing but write commitments: the rows that the program writes for them, with nothing decided and
 * nobody told, in transactions of many. Every table is written by one statement of a transaction, on one connection. Or it
 * appends the same events to a journal alone, one row for many: less than that no durable commitment can take.
 */
import { Client } from "pg"
import { percentile } from "./Sample.ts"
import { serve } from "./Worker.ts"

export interface BareBatchesPlan {
  readonly kind: "connect"
  /** The socket's folder. */
  readonly host: string
  readonly user: string
  readonly database: string
}

/** Writes for so long. */
export interface WritePlan {
  readonly kind: "write"
  readonly into: "tables" | "journal"
  readonly millis: number
  readonly batch: number
  /** Commitments a second, planned whatever becomes of those before. Without it each transaction follows the last. */
  readonly rate?: number
}

/** Latencies are milliseconds from when a transaction was planned to its commit. */
export interface Written {
  readonly answered: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

const STATEMENTS = {
  accounts: `
    UPDATE ledger_accounts AS account SET held = account.held + changed.held
    FROM unnest($1::text[], $2::numeric[]) AS changed (id, held) WHERE account.id = changed.id`,
  streams: `
    UPDATE event_streams AS stream SET version = ends.version, hash = ends.hash
    FROM unnest($1::text[], $2::integer[], $3::bytea[]) AS ends (id, version, hash) WHERE stream.id = ends.id`,
  events: `
    INSERT INTO events (seq, stream, version, type, data, hash)
    SELECT seq, stream, version, 'CommitmentSubmitted', data, hash
    FROM unnest($1::bigint[], $2::text[], $3::integer[], $4::text[], $5::bytea[]) AS row (seq, stream, version, data, hash)`,
  holds: `
    INSERT INTO ledger_holds (id, account, into_account, amount, status, placed_by)
    SELECT id, account, 'platform/USD/vault', amount, 'pending', seq
    FROM unnest($1::text[], $2::text[], $3::numeric[], $4::bigint[]) AS row (id, account, amount, seq)`,
  commitments: `
    INSERT INTO arena_commitments (id, order_id, event_seq, owner, user_id, trader_address, trader_type,
      proposed_price, exit_price, quantity, slippage, swap_executor, collateral, accepted_at, status)
    SELECT id, order_id, seq, owner, user_id, user_id, 'human', 100000000, 110000000, 1000, 10000, '', 3810, at, 'active'
    FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::bigint[])
      AS row (id, order_id, seq, owner, user_id, at)`,
  vault: `
    UPDATE arena_vault_totals SET collateral_locked = collateral_locked + 3810 * $1::bigint,
      active_commitments = active_commitments + $1::bigint`
} as const

const JOURNAL = [
  `CREATE TABLE bare_journal (
     first_seq bigint PRIMARY KEY, count integer NOT NULL, term bigint NOT NULL, recorded_at bigint NOT NULL,
     hash bytea NOT NULL, answers_digest bytea NOT NULL, body text NOT NULL, answers text
   )`,
  "ALTER TABLE bare_journal ALTER body SET STORAGE EXTERNAL"
]

const APPEND = `
  INSERT INTO bare_journal (first_seq, count, term, recorded_at, hash, answers_digest, body)
  VALUES ($1, $2, 1, $3, $4, $4, $5)`

/** The collateral of one commitment, in 10⁻⁶ USD. */
const COLLATERAL = 3_810

const HASH = Buffer.alloc(32, 7)

interface Order {
  readonly id: string
  version: number
}

interface Trader {
  readonly userId: string
  readonly owner: string
}

interface Bare {
  readonly client: Client
  readonly orders: ReadonlyArray<Order>
  readonly traders: ReadonlyArray<Trader>
  seq: number
  turn: number
}

const eventOf = (id: string, orderId: string, ordinal: number, at: number, { owner, userId }: Trader): string =>
  `{"_tag":"CommitmentSubmitted","at":${at},"commitment":{"commitmentId":"${id}","orderId":"${orderId}",` +
  `"ordinal":${ordinal},"assetType":"fx","trader":{"owner":"${owner}","userId":"${userId}","address":"${userId}",` +
  `"type":"human","botId":null,"account":"${userId}/USD/wallet","allowance":null},"proposedPrice":"100000000",` +
  `"exitPrice":"110000000","quantity":"1000","slippage":"10000","swapExecutor":"","collateral":"3810",` +
  `"acceptedAt":${at},"status":"active","reason":null,"profit":"0","yieldEarned":"0"}}`

interface Row {
  readonly id: string
  readonly order: Order
  readonly version: number
  readonly trader: Trader
  readonly seq: number
  readonly data: string
}

/** The next commitments, in turns over the orders and the traders. */
const rowsOf = (bare: Bare, batch: number, at: number): ReadonlyArray<Row> =>
  Array.from({ length: batch }, () => {
    const { orders, traders } = bare
    const order = orders[bare.turn % orders.length] as Order
    const trader = traders[Math.floor(bare.turn / orders.length) % traders.length] as Trader
    bare.turn += 1
    bare.seq += 1
    order.version += 1
    const id = `com_${order.id.slice(4)}_${order.version - 1}`
    const data = eventOf(id, order.id, order.version - 1, at, trader)
    return { id, order, version: order.version, trader, seq: bare.seq, data }
  })

const streamOf = ({ id }: Order): string => `order/${id}`
const walletOf = ({ userId }: Trader): string => `${userId}/USD/wallet`

const writeTables = async (bare: Bare, batch: number): Promise<void> => {
  const at = Date.now()
  const rows = rowsOf(bare, batch, at)
  const run = (name: keyof typeof STATEMENTS, values: ReadonlyArray<unknown>) =>
    bare.client.query({ name, text: STATEMENTS[name], values: [...values] })
  const held = Map.groupBy(rows, ({ trader }) => walletOf(trader))
  const ends = [...new Set(rows.map(({ order }) => order))]
  await bare.client.query("BEGIN")
  await run("accounts", [[...held.keys()], [...held.values()].map((of) => of.length * COLLATERAL)])
  await run("streams", [ends.map(streamOf), ends.map(({ version }) => version), ends.map(() => HASH)])
  await run("events", [
    rows.map(({ seq }) => seq),
    rows.map(({ order }) => streamOf(order)),
    rows.map(({ version }) => version),
    rows.map(({ data }) => data),
    rows.map(() => HASH)
  ])
  await run("holds", [
    rows.map(({ id }) => `collateral/${id}`),
    rows.map(({ trader }) => walletOf(trader)),
    rows.map(() => COLLATERAL),
    rows.map(({ seq }) => seq)
  ])
  await run("commitments", [
    rows.map(({ id }) => id),
    rows.map(({ order }) => order.id),
    rows.map(({ seq }) => seq),
    rows.map(({ trader }) => trader.owner),
    rows.map(({ trader }) => trader.userId),
    rows.map(() => at)
  ])
  await run("vault", [batch])
  await bare.client.query("COMMIT")
}

/** One statement, which is a transaction by itself. */
const append = async (bare: Bare, batch: number): Promise<void> => {
  const at = Date.now()
  const rows = rowsOf(bare, batch, at)
  const body = rows.map(({ data, order }) => `${streamOf(order)}\t\t\t${data}`).join("\n")
  const values = [rows[0]?.seq, batch, at, HASH, body]
  await bare.client.query({ name: "append", text: APPEND, values })
}

const connect = async ({ host, user, database }: BareBatchesPlan): Promise<Bare> => {
  const client = new Client({ host, user, database })
  await client.connect()
  for (const statement of JOURNAL) await client.query(statement)
  const orders = await client.query<{ id: string; version: number }>(
    `UPDATE arena_orders AS o SET status = 'competing' FROM event_streams AS s WHERE s.id = 'order/' || o.id
     RETURNING o.id, s.version`
  )
  const traders = await client.query<Trader>(
    `SELECT DISTINCT u.id AS "userId", u.company_id AS owner FROM users AS u
     JOIN ledger_accounts AS a ON a.owner = u.id AND a.kind = 'wallet' AND a.balance > 0
     JOIN companies AS c ON c.id = u.company_id AND c.kind = 'house'`
  )
  const [last] = (await client.query<{ seq: string }>("SELECT max(seq) AS seq FROM events")).rows
  return { client, orders: orders.rows, traders: traders.rows, seq: Number(last?.seq ?? 0), turn: 0 }
}

const state: { bare: Bare | undefined } = { bare: undefined }

const writeFor = async ({ batch, into, millis, rate }: WritePlan): Promise<Written> => {
  const { bare } = state
  if (bare === undefined) throw new Error("not connected")
  const write = into === "journal" ? append : writeTables
  const latencies: Array<number> = []
  const begun = performance.now()
  while (performance.now() - begun < millis) {
    const now = performance.now()
    const planned = rate === undefined ? now : begun + (latencies.length * batch * 1_000) / rate
    if (planned > now) await new Promise((resolve) => setTimeout(resolve, planned - now))
    await write(bare, batch)
    latencies.push(performance.now() - planned)
  }
  const seconds = (performance.now() - begun) / 1_000
  const answered = latencies.length * batch
  const ascending = Float64Array.from(latencies).sort()
  return {
    answered,
    perSecond: answered / seconds,
    p50: percentile(ascending, 0.5),
    p99: percentile(ascending, 0.99)
  }
}

serve(async (plan: BareBatchesPlan | WritePlan): Promise<Written> => {
  if (plan.kind === "write") return writeFor(plan)
  state.bare = await connect(plan)
  return { answered: 0, perSecond: 0, p50: 0, p99: 0 }
})
