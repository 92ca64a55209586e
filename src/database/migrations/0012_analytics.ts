import type { Migration } from "../Migration.ts"

const usage = `
CREATE TABLE usage_days (
  company_id text NOT NULL CHECK (char_length(company_id) <= 64),
  day integer NOT NULL CHECK (day >= 0),
  endpoint text NOT NULL CHECK (char_length(endpoint) BETWEEN 1 AND 300),
  requests bigint NOT NULL CHECK (requests >= 0),
  client_errors bigint NOT NULL CHECK (client_errors >= 0),
  server_errors bigint NOT NULL CHECK (server_errors >= 0),
  latency bigint[] NOT NULL CHECK (cardinality(latency) <= 512),
  PRIMARY KEY (company_id, day, endpoint),
  CHECK (client_errors + server_errors <= requests)
)`

const activity = `
CREATE TABLE activity_days (
  company_id text NOT NULL CHECK (char_length(company_id) <= 64),
  day integer NOT NULL CHECK (day >= 0),
  activity text NOT NULL CHECK (activity ~ '^[a-z_]{1,40}$'),
  times bigint NOT NULL CHECK (times >= 0),
  volume numeric(38, 0) NOT NULL CHECK (volume >= 0),
  PRIMARY KEY (company_id, day, activity)
)`

const position = `
CREATE TABLE activity_position (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  seq bigint NOT NULL CHECK (seq >= 0)
)`

/** What was asked of the platform and what was done on it, by company and day. Days are counted since 1970, in UTC. */
export const analytics: Migration = {
  id: 12,
  name: "analytics",
  up: [
    usage,
    "CREATE INDEX usage_days_day ON usage_days (day)",
    activity,
    "CREATE INDEX activity_days_day ON activity_days (day)",
    position,
    "INSERT INTO activity_position (seq) VALUES (0)"
  ],
  down: ["DROP TABLE activity_position", "DROP TABLE activity_days", "DROP TABLE usage_days"]
}
