import type { Migration } from "../Migration.ts"

/** Answers kept for the retries of requests with an `Idempotency-Key`. */
export const http: Migration = {
  id: 4,
  name: "http",
  up: [
    `CREATE TABLE idempotency_keys (
       key text PRIMARY KEY CHECK (length(key) BETWEEN 1 AND 128),
       fingerprint text NOT NULL CHECK (length(fingerprint) BETWEEN 1 AND 128),
       status integer NOT NULL CHECK (status BETWEEN 200 AND 499 AND status <> 429),
       body text NOT NULL CHECK (octet_length(body) <= 1048576),
       created_at bigint NOT NULL
     )`,
    "CREATE INDEX idempotency_keys_created_at ON idempotency_keys (created_at)"
  ],
  down: ["DROP TABLE idempotency_keys"]
}
