import type { Migration } from "../Migration.ts"

const owners = `
CREATE TABLE machine_trader_owners (
  trader_id text PRIMARY KEY,
  owner text NOT NULL,
  user_id text NOT NULL
)`

const registrations = `machine_traders AS trader
  JOIN events AS event ON event.stream = 'machine-trader/' || trader.id AND event.version = 1`

const activity = `
CREATE OR REPLACE VIEW machine_trader_activity AS
  SELECT trader.id AS trader_id, coalesce(heir.owner, trader.owner) AS owner, trader.capabilities, trader.active_from,
    trader.active_until
  FROM machine_traders AS trader LEFT JOIN machine_trader_owners AS heir ON heir.trader_id = trader.id
  WHERE trader.active_from IS NOT NULL
  UNION ALL
  SELECT trader_id, owner, capabilities, active_from, active_until FROM machine_trader_spans`

const activityBefore = `
CREATE OR REPLACE VIEW machine_trader_activity AS
  SELECT id AS trader_id, owner, capabilities, active_from, active_until FROM machine_traders
  WHERE active_from IS NOT NULL
  UNION ALL
  SELECT trader_id, owner, capabilities, active_from, active_until FROM machine_trader_spans`

/** A register that recorded events write, and beside it who has a machine trader since its wallet was linked. */
export const machineTraderOwners: Migration = {
  id: 38,
  name: "machine_trader_owners",
  up: [
    owners,
    // Nothing but what `down` left of registrations that were recorded.
    `INSERT INTO machine_trader_owners (trader_id, owner, user_id)
     SELECT trader.id, trader.owner, trader.user_id FROM ${registrations}
     WHERE trader.user_id <> event.data::json ->> 'userId'`,
    `UPDATE machine_traders AS trader SET owner = recorded.owner, user_id = recorded.user_id
     FROM (SELECT trader.id, event.data::json ->> 'owner' AS owner, event.data::json ->> 'userId' AS user_id
       FROM ${registrations}) AS recorded
     WHERE trader.id = recorded.id AND trader.user_id <> recorded.user_id`,
    activity
  ],
  down: [
    activityBefore,
    `UPDATE machine_traders AS trader SET owner = heir.owner, user_id = heir.user_id
     FROM machine_trader_owners AS heir WHERE heir.trader_id = trader.id`,
    "DROP TABLE machine_trader_owners"
  ]
}
