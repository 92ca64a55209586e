import type { Migration } from "../Migration.ts"

const mailTokens = `
CREATE TABLE mail_tokens (
  hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
  user_id text NOT NULL REFERENCES users,
  purpose text NOT NULL CHECK (purpose IN ('password_reset', 'email_verification')),
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL CHECK (expires_at > created_at)
)`

const auditLog = `
CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  actor_id text NOT NULL CHECK (char_length(actor_id) BETWEEN 1 AND 64),
  act text NOT NULL CHECK (act ~ '^[a-z_]+[.][a-z_]+$' AND char_length(act) <= 64),
  subject_id text NOT NULL CHECK (char_length(subject_id) BETWEEN 1 AND 64),
  before jsonb CHECK (jsonb_typeof(before) = 'object'),
  after jsonb CHECK (jsonb_typeof(after) = 'object'),
  request_id text CHECK (char_length(request_id) BETWEEN 1 AND 64)
)`

const refuseChange = `
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit_log is append-only' USING ERRCODE = 'insufficient_privilege';
END
$$`

/** What administrators do and did, whom mails were sent to, and who made an API client. Times are milliseconds since 1970. */
export const accounts: Migration = {
  id: 8,
  name: "accounts",
  up: [
    `ALTER TABLE users
       ADD COLUMN email_verified_at bigint CHECK (email_verified_at IS NULL OR email IS NOT NULL),
       ADD COLUMN scopes text[],
       ADD COLUMN profile jsonb CHECK (jsonb_typeof(profile) = 'object')`,
    `ALTER TABLE api_clients
       ADD COLUMN created_by text REFERENCES users,
       ADD COLUMN deleted_at bigint CHECK (deleted_at >= created_at)`,
    "CREATE INDEX api_clients_created_by ON api_clients (created_by)",
    "CREATE INDEX refresh_families_client ON refresh_families (client_id)",
    mailTokens,
    "CREATE INDEX mail_tokens_user ON mail_tokens (user_id, purpose)",
    "CREATE INDEX mail_tokens_expiry ON mail_tokens (expires_at)",
    auditLog,
    "CREATE INDEX audit_log_subject ON audit_log (subject_id, id)",
    "CREATE INDEX audit_log_actor ON audit_log (actor_id, id)",
    refuseChange,
    `CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON audit_log
       FOR EACH ROW EXECUTE FUNCTION refuse_audit_change()`,
    `CREATE TRIGGER audit_log_kept BEFORE TRUNCATE ON audit_log
       FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`
  ],
  down: [
    "DROP TABLE audit_log",
    "DROP FUNCTION refuse_audit_change",
    "DROP TABLE mail_tokens",
    "DROP INDEX refresh_families_client",
    "ALTER TABLE api_clients DROP COLUMN deleted_at, DROP COLUMN created_by",
    "ALTER TABLE users DROP COLUMN profile, DROP COLUMN scopes, DROP COLUMN email_verified_at"
  ]
}
