/**
 * A process that takes commitments the conventional way: Fastify with JSON-schema validation, `jose` with a small cache
 * of verified tokens, a pool of `pg`, and one transaction a request under `SELECT … FOR UPDATE`. Same database server,
 * and the program's tables as they were when it wrote them in each transaction. Under an `Idempotency-Key` it looks for a
 * kept answer first, and keeps its own in the transaction, in a table of its own: a key and a fingerprint that are hashes,
 * and an index by which a day's keys are found and removed.
 *
 * Where the program does more, the peer is spared it: it neither counts an owner's commitments, nor looks for breakers,
 * nor asks whether the user is still the one of the token, nor keeps the vault's totals, and its global sequence has
 * gaps.
 */
import Fastify from "fastify"
import type { JWTPayload } from "jose"
import { createHash } from "node:crypto"
import { DatabaseError, type Pool, type PoolClient } from "pg"
import { inTransaction, openPool, type PeerDatabase, run } from "./PeerDatabase.ts"
import { authenticator, type PeerIssuer, Refusal } from "./PeerTokens.ts"
import { serve } from "./Worker.ts"

export type PeerPlan = PeerDatabase & PeerIssuer

interface Body {
  readonly order_id: string
  readonly proposed_entry_price: number
  readonly expected_exit_price: number
  readonly quantity: number
  readonly swap_executor?: string
  readonly slippage_tolerance?: number
}

interface OrderRow {
  readonly asset_type: string
  readonly quantity: string
  readonly entry_price: string
  readonly expiry_at: string
  readonly status: string
  readonly version: number
  readonly hash: Buffer
}

const UNIQUE_VIOLATION = "23505"

const amount = { type: "number", minimum: 0, maximum: 8_000_000_000 } as const
const id = { type: "string", minLength: 1, maxLength: 200 } as const

const schema = {
  body: {
    type: "object",
    required: ["order_id", "proposed_entry_price", "expected_exit_price", "quantity"],
    properties: {
      order_id: id,
      proposed_entry_price: amount,
      expected_exit_price: amount,
      quantity: amount,
      swap_executor: { type: "string", maxLength: 200 },
      slippage_tolerance: amount
    }
  },
  response: {
    200: {
      type: "object",
      properties: {
        success: { type: "boolean" },
        message: { type: "string" },
        data: {
          type: "object",
          properties: {
            commitment_id: { type: "string" },
            onchain_commitment_id: { type: "string" },
            transaction_hash: { type: "string" },
            collateral_required: { type: "number" },
            status: { type: "string" }
          }
        }
      }
    }
  }
} as const

const units = (value: number): bigint => BigInt(Math.round(value * 1e6))

const lockOrder = (client: PoolClient, orderId: string) =>
  run<OrderRow>(
    client,
    "order",
    `SELECT o.asset_type, o.quantity, o.entry_price, o.expiry_at, o.status, s.version, s.hash
     FROM arena_orders AS o JOIN event_streams AS s ON s.id = 'order/' || o.id
     WHERE o.id = $1 FOR UPDATE`,
    [orderId]
  )

const lockWallet = (client: PoolClient, account: string) =>
  run<{ balance: string; held: string }>(
    client,
    "wallet",
    "SELECT balance, held FROM ledger_accounts WHERE id = $1 FOR UPDATE",
    [account]
  )

const refuseUnlessValid = (order: OrderRow | undefined, body: Body, now: number): OrderRow => {
  if (order === undefined) throw new Refusal(404, "There is no such order.")
  if (order.status !== "open" && order.status !== "competing") throw new Refusal(409, "The order is not open.")
  if (now >= Number(order.expiry_at)) throw new Refusal(409, "The commit window is over.")
  const entry = BigInt(order.entry_price)
  const proposed = units(body.proposed_entry_price)
  const limit = (proposed * (1_000_000n + units(body.slippage_tolerance ?? 0))) / 1_000_000n
  const isNear = 10n * (proposed > entry ? proposed - entry : entry - proposed) <= entry
  if (!isNear || limit < entry) throw new Refusal(400, "proposed_entry_price is out of range.")
  if (units(body.expected_exit_price) <= limit) throw new Refusal(400, "expected_exit_price is out of range.")
  const quantity = units(body.quantity)
  if (quantity <= 0n || quantity > BigInt(order.quantity)) throw new Refusal(400, "quantity is out of range.")
  return order
}

/** Value × 381 / 10,000, rounded up. */
const collateralOf = (entry: bigint, quantity: bigint): bigint =>
  (entry * quantity * 381n + 9_999_999_999n) / 10_000_000_000n

interface Commitment {
  readonly id: string
  readonly at: number
  readonly version: number
  readonly collateral: bigint
  readonly hash: Buffer
  readonly data: string
  readonly values: ReadonlyArray<string | number | null>
}

const commitmentOf = (order: OrderRow, body: Body, claims: JWTPayload, at: number): Commitment => {
  const version = order.version + 1
  const commitmentId = `com_${body.order_id.replace(/^ord_/, "")}_${order.version}`
  const quantity = units(body.quantity)
  const collateral = collateralOf(BigInt(order.entry_price), quantity)
  const values = [
    commitmentId,
    body.order_id,
    String(claims["company_id"]),
    String(claims.sub),
    String(claims.sub),
    "human",
    units(body.proposed_entry_price).toString(),
    units(body.expected_exit_price).toString(),
    quantity.toString(),
    Number(units(body.slippage_tolerance ?? 0)),
    body.swap_executor ?? "",
    collateral.toString(),
    at
  ]
  const data = JSON.stringify({ _tag: "CommitmentSubmitted", at, ordinal: order.version, commitment: values })
  const hash = createHash("sha256").update(order.hash).update(data).digest()
  return { id: commitmentId, at, version, collateral, hash, data, values }
}

const write = async (client: PoolClient, order: OrderRow, body: Body, wallet: string, commitment: Commitment) => {
  const { id, version, hash, data, collateral, values } = commitment
  const stream = `order/${body.order_id}`
  const [event] = await run<{ seq: string }>(
    client,
    "event",
    `INSERT INTO events (seq, stream, version, type, data, hash)
     VALUES (nextval('peer_events'), $1, $2, 'CommitmentSubmitted', $3, $4) RETURNING seq`,
    [stream, version, data, hash]
  )
  await run(client, "stream", "UPDATE event_streams SET version = $2, hash = $3 WHERE id = $1", [stream, version, hash])
  await run(
    client,
    "commitment",
    `INSERT INTO arena_commitments (id, order_id, owner, user_id, trader_address, trader_type, proposed_price,
       exit_price, quantity, slippage, swap_executor, collateral, accepted_at, event_seq, status)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 'active')`,
    [...values, event?.seq]
  )
  await run(
    client,
    "hold",
    `INSERT INTO ledger_holds (id, account, into_account, amount, status, placed_by)
     VALUES ($1, $2, 'platform/USD/vault', $3, 'pending', $4)`,
    [`collateral/${id}`, wallet, collateral.toString(), event?.seq]
  )
  await run(client, "held", "UPDATE ledger_accounts SET held = held + $2 WHERE id = $1", [
    wallet,
    collateral.toString()
  ])
  if (order.status === "open") {
    await run(client, "competing", "UPDATE arena_orders SET status = 'competing' WHERE id = $1", [body.order_id])
  }
}

const commit = async (client: PoolClient, body: Body, claims: JWTPayload) => {
  const now = Date.now()
  const [found] = await lockOrder(client, body.order_id)
  const order = refuseUnlessValid(found, body, now)
  const wallet = `${claims.sub}/USD/wallet`
  const [account] = await lockWallet(client, wallet)
  const commitment = commitmentOf(order, body, claims, now)
  const available = BigInt(account?.balance ?? 0) - BigInt(account?.held ?? 0)
  if (available < commitment.collateral) throw new Refusal(422, "The collateral is not there.")
  await write(client, order, body, wallet, commitment)
  return {
    success: true,
    message: "Commitment accepted",
    data: {
      commitment_id: commitment.id,
      onchain_commitment_id: `order/${body.order_id}:${commitment.version}`,
      transaction_hash: `0x${commitment.hash.toString("hex")}`,
      collateral_required: Number(commitment.collateral) / 1e6,
      status: "active"
    }
  }
}

interface Kept {
  readonly fingerprint: string
  readonly body: string
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

/** The same once under a key. */
const commitOnce = async (client: PoolClient, given: string, body: Body, claims: JWTPayload) => {
  const key = sha256(`${claims.sub} ${given}`)
  const fingerprint = sha256(JSON.stringify(body))
  const [kept] = await run<Kept>(client, "kept", "SELECT fingerprint, body FROM peer_keys WHERE key = $1", [key])
  if (kept !== undefined && kept.fingerprint !== fingerprint) throw new Refusal(422, "The key has another body.")
  if (kept !== undefined) return JSON.parse(kept.body) as Awaited<ReturnType<typeof commit>>
  const answer = await commit(client, body, claims)
  await run(
    client,
    "keep",
    "INSERT INTO peer_keys (key, fingerprint, status, body, created_at) VALUES ($1, $2, 200, $3, $4)",
    [key, fingerprint, JSON.stringify(answer), Date.now()]
  )
  return answer
}

/** A key that another request has taken meanwhile. */
const isTaken = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === UNIQUE_VIOLATION && error.table === "peer_keys"

const answerOnce = (pool: Pool, key: string, body: Body, claims: JWTPayload) =>
  inTransaction(pool, (client) => commitOnce(client, key, body, claims)).catch((error: unknown) => {
    throw isTaken(error) ? new Refusal(409, "The same is under way.") : error
  })

const TABLES = [
  `CREATE TABLE peer_keys (
     key text PRIMARY KEY, fingerprint text NOT NULL, status integer NOT NULL, body text NOT NULL,
     created_at bigint NOT NULL
   )`,
  "CREATE INDEX peer_keys_created_at ON peer_keys (created_at)"
]

const start = async (plan: PeerPlan): Promise<number> => {
  const pool = openPool(plan)
  await pool.query(
    `CREATE SEQUENCE peer_events CACHE 1 START ${(await pool.query("SELECT max(seq) + 1 AS next FROM events")).rows[0].next}`
  )
  for (const table of TABLES) await pool.query(table)
  const authenticate = await authenticator(plan)
  const app = Fastify({ bodyLimit: 1_048_576 })
  app.post<{ Body: Body }>("/api/arena/commitments", { schema }, (request) => {
    const key = request.headers["idempotency-key"]
    return authenticate(request).then((claims) =>
      typeof key === "string"
        ? answerOnce(pool, key, request.body, claims)
        : inTransaction(pool, (client) => commit(client, request.body, claims))
    )
  })
  return Number(new URL(await app.listen({ port: 0, host: "127.0.0.1" })).port)
}

serve(start)
