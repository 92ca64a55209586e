import { Effect } from "effect"
import type { BenchPostgres } from "./BenchPostgres.ts"

/** Events of one settled order: opened, two commitments, closed, chosen, settled. */
const EVENTS = 6

/** About as many characters as an event has. */
const EVENT_SIZE = 600

const ORDER = "'ord_' || lpad(to_hex(i), 24, '0')"

/** Statements that write that many settled orders with two commitments each: everything that they leave in the tables. */
const statements = (orders: number): ReadonlyArray<string> => [
  // The rows are known to refer to each other: looking each of them up would take most of the time.
  "SET session_replication_role = replica",
  `CREATE TEMP TABLE settled AS
   SELECT i, ${ORDER} AS id, base.seq + (i - 1) * ${EVENTS} AS seq, maker.id AS maker, maker.company_id AS owner,
     (ARRAY[first.id, second.id])[1 + i % 2] AS winner, (ARRAY[second.id, first.id])[1 + i % 2] AS loser
   FROM generate_series(1, ${orders}) AS i,
     (SELECT max(seq) AS seq FROM events) AS base,
     (SELECT u.id, u.company_id FROM users u JOIN companies c ON c.id = u.company_id WHERE c.kind = 'maker') AS maker,
     (SELECT u.id FROM users u JOIN companies c ON c.id = u.company_id WHERE c.label = 'bench-0') AS first,
     (SELECT u.id FROM users u JOIN companies c ON c.id = u.company_id WHERE c.label = 'bench-1') AS second`,
  `INSERT INTO event_streams (id, version, hash)
   SELECT 'order/' || id, ${EVENTS}, sha256(id::bytea) FROM settled`,
  `INSERT INTO events (seq, stream, version, type, data, hash)
   SELECT seq + v, 'order/' || id, v,
     (ARRAY['OrderOpened', 'CommitmentSubmitted', 'CommitmentSubmitted', 'OrderClosed', 'WinnerChosen', 'OrderSettled'])[v],
     '{"orderId":"' || id || '","fill":"' || repeat(md5(id || v), ${Math.floor(EVENT_SIZE / 32)}) || '"}',
     sha256((id || v)::bytea)
   FROM settled, generate_series(1, ${EVENTS}) AS v ORDER BY 1`,
  // Events from before the journal have no rows in it, and the tables have them all.
  "DELETE FROM journal",
  "UPDATE projection SET seq = (SELECT max(seq) FROM events)",
  `INSERT INTO arena_orders (id, asset_type, asset, details, quantity, entry_price, opened_at, expiry_at, settlement_at,
     status, maker_owner, maker_address, tie_key_hash, tie_key, reference_price, reference_at, winner_commitment_id,
     clearing_price, fairness, settlement_price, profit, yield_distributed)
   SELECT id, 'fx', 'EUR/USD', '{"pair":"EUR/USD"}', 10000000, 100000000, i * 1000, i * 1000 + 1, i * 1000 + 2,
     'settled', owner, maker, repeat('0', 64), repeat('1', 64), 100000000, i * 1000 + 1,
     'com_' || substr(id, 5) || '_1', 100000000, '{"rule":"weighted","machines":"0","total":"762"}', 101000000, 1000, 0
   FROM settled`,
  `INSERT INTO arena_commitments (id, order_id, event_seq, owner, user_id, trader_address, trader_type, proposed_price,
     exit_price, quantity, slippage, swap_executor, collateral, accepted_at, status, reason, ranked, score, profit)
   SELECT 'com_' || substr(s.id, 5) || '_' || n, s.id, s.seq + 1 + n, u.company_id, u.id, u.id, 'human', 101000000,
     110000000, 1000, 0, '', 3810, i * 1000, (ARRAY['settled', 'lost'])[n], (ARRAY[NULL::text, 'outbid'])[n], n, 1000,
     (ARRAY[1000, 0])[n]
   FROM settled AS s, generate_series(1, 2) AS n, LATERAL (
     SELECT id, company_id FROM users WHERE id = CASE n WHEN 1 THEN s.winner ELSE s.loser END) AS u`,
  `INSERT INTO ledger_holds (id, account, into_account, amount, status, captured, placed_by, resolved_by)
   SELECT 'escrow/offered/' || id, maker || '/USD/wallet', 'platform/USD/vault', 38100000, 'released', NULL::numeric, seq + 1, seq + 5
   FROM settled
   UNION ALL
   SELECT 'escrow/sold/' || id, maker || '/USD/wallet', maker || '/USD/wallet', 3810, 'released', NULL, seq + 5, seq + 6
   FROM settled
   UNION ALL
   SELECT 'collateral/com_' || substr(id, 5) || '_' || n, (CASE n WHEN 1 THEN winner ELSE loser END) || '/USD/wallet',
     'platform/USD/vault', 3810, 'released', NULL, seq + 1 + n, seq + 5
   FROM settled, generate_series(1, 2) AS n`,
  // Every other order is lost, so that money only goes to and fro and the balances stay true.
  `INSERT INTO ledger_transfers (id, debit_account, credit_account, amount, purpose, event_seq)
   SELECT 'settlement/' || id, (ARRAY[maker, winner])[1 + (i / 2) % 2] || '/USD/wallet',
     (ARRAY[winner, maker])[1 + (i / 2) % 2] || '/USD/wallet', 1000, 'settlement', seq + 6
   FROM settled`,
  "DROP TABLE settled",
  "VACUUM ANALYZE",
  "CHECKPOINT"
]

/** Adds settled orders to a filled database that has at least two traders, a multiple of four of them. */
export const addSettledOrders = (postgres: BenchPostgres, database: string, orders: number): Effect.Effect<void> =>
  postgres.script(database, statements(orders))
