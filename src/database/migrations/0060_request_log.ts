import type { Migration } from "../Migration.ts"

const log = `
CREATE TABLE request_log (
  id bigint PRIMARY KEY CHECK (id > 0),
  request_id text NOT NULL CHECK (char_length(request_id) BETWEEN 1 AND 64),
  at bigint NOT NULL CHECK (at > 0),
  company_id text CHECK (char_length(company_id) BETWEEN 1 AND 64),
  user_id text CHECK (char_length(user_id) BETWEEN 1 AND 64),
  client_id text CHECK (char_length(client_id) BETWEEN 1 AND 64),
  address text NOT NULL CHECK (char_length(address) <= 64),
  operation text NOT NULL CHECK (char_length(operation) BETWEEN 1 AND 300),
  path text NOT NULL CHECK (char_length(path) <= 300),
  query text CHECK (char_length(query) <= 1000),
  status integer NOT NULL CHECK (status BETWEEN 100 AND 599),
  code text CHECK (char_length(code) BETWEEN 1 AND 64),
  duration_us bigint NOT NULL CHECK (duration_us >= 0),
  request_bytes bigint CHECK (request_bytes >= 0),
  response_bytes bigint CHECK (response_bytes >= 0),
  trace_id text CHECK (trace_id ~ '^[0-9a-f]{32}$'),
  body text CHECK (char_length(body) <= 8192),
  event_seqs bigint[] CHECK (cardinality(event_seqs) BETWEEN 1 AND 16),
  phases bigint[] CHECK (cardinality(phases) = 5)
)`

/**
 * Requests and how they were answered. It is not unlogged: the requests before a crash are those that are looked for.
 * Nothing refers to it and it refers to nothing, so that rows of any age can go.
 */
export const requestLog: Migration = {
  id: 60,
  name: "request_log",
  up: [
    log,
    "CREATE INDEX request_log_by_company ON request_log (company_id, id)",
    "CREATE INDEX request_log_refused ON request_log (company_id, id) WHERE status >= 400",
    "CREATE INDEX request_log_by_request ON request_log (request_id, id)",
    "CREATE INDEX request_log_by_event ON request_log USING gin (event_seqs) WHERE event_seqs IS NOT NULL"
  ],
  down: ["DROP TABLE request_log"]
}
