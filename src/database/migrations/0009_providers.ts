import type { Migration } from "../Migration.ts"

/** Who users are at identity providers and shops, and which sign-ins through them are over. Times are milliseconds since 1970. */
export const providers: Migration = {
  id: 9,
  name: "providers",
  up: [
    `CREATE TABLE user_identities (
       issuer text NOT NULL CHECK (char_length(issuer) BETWEEN 1 AND 512),
       subject text NOT NULL CHECK (char_length(subject) BETWEEN 1 AND 255),
       user_id text NOT NULL REFERENCES users,
       linked_at bigint NOT NULL,
       PRIMARY KEY (issuer, subject)
     )`,
    "CREATE INDEX user_identities_user ON user_identities (user_id)",
    `CREATE TABLE spent_sign_ins (
       hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
       expires_at bigint NOT NULL
     )`,
    "CREATE INDEX spent_sign_ins_expiry ON spent_sign_ins (expires_at)"
  ],
  down: ["DROP TABLE spent_sign_ins", "DROP TABLE user_identities"]
}
