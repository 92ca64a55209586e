import type { Migration } from "../Migration.ts"

/** Browsers' sign-ins, each behind a cookie. Times are milliseconds since 1970. */
export const sessions: Migration = {
  id: 7,
  name: "sessions",
  up: [
    `CREATE TABLE sessions (
       hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
       user_id text NOT NULL REFERENCES users,
       token_epoch integer NOT NULL CHECK (token_epoch >= 0),
       created_at bigint NOT NULL,
       last_seen_at bigint NOT NULL CHECK (last_seen_at >= created_at),
       expires_at bigint NOT NULL CHECK (expires_at > created_at)
     )`,
    "CREATE INDEX sessions_user ON sessions (user_id)",
    "CREATE INDEX sessions_expiry ON sessions (expires_at)"
  ],
  down: ["DROP TABLE sessions"]
}
