import type { Migration } from "../Migration.ts"

const companies = `
CREATE TABLE companies (
  id text PRIMARY KEY CHECK (id ~ '^cmp_[0-9a-z]{24}$'),
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
  kind text NOT NULL DEFAULT 'normal' CHECK (kind IN ('normal', 'house', 'maker')),
  label text UNIQUE CHECK (char_length(label) BETWEEN 1 AND 100),
  plan text NOT NULL DEFAULT 'standard' CHECK (plan IN ('standard', 'pro', 'enterprise')),
  tax_id text CHECK (char_length(tax_id) BETWEEN 1 AND 64),
  created_at bigint NOT NULL,
  CHECK (kind = 'normal' OR label IS NOT NULL)
)`

const users = `
CREATE TABLE users (
  id text PRIMARY KEY CHECK (id ~ '^usr_[0-9a-z]{24}$'),
  company_id text NOT NULL REFERENCES companies,
  role text NOT NULL CHECK (role IN ('admin', 'buyer', 'seller', 'service')),
  status text NOT NULL CHECK (status IN ('pending_kyc', 'active', 'suspended', 'rejected')),
  email text CHECK (char_length(email) BETWEEN 3 AND 254),
  password_hash text CHECK (password_hash LIKE '$argon2id$%'),
  token_epoch integer NOT NULL DEFAULT 0 CHECK (token_epoch >= 0),
  contact_name text CHECK (char_length(contact_name) BETWEEN 1 AND 200),
  phone text CHECK (char_length(phone) BETWEEN 1 AND 32),
  address jsonb CHECK (jsonb_typeof(address) = 'object'),
  wallet_address text CHECK (wallet_address ~ '^0x[0-9a-fA-F]{40}$'),
  ecommerce_company_id text UNIQUE,
  created_at bigint NOT NULL,
  UNIQUE (id, company_id, role),
  CHECK (password_hash IS NULL OR email IS NOT NULL),
  CHECK (role <> 'service' OR email IS NULL),
  CHECK (role <> 'admin' OR email IS NOT NULL)
)`

const apiClients = `
CREATE TABLE api_clients (
  client_id text PRIMARY KEY CHECK (client_id ~ '^[0-9a-z_-]{1,64}$'),
  secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
  company_id text NOT NULL REFERENCES companies,
  principal_id text NOT NULL UNIQUE,
  principal_role text NOT NULL DEFAULT 'service' CHECK (principal_role = 'service'),
  scopes text[] NOT NULL,
  created_at bigint NOT NULL,
  FOREIGN KEY (principal_id, company_id, principal_role) REFERENCES users (id, company_id, role)
)`

const refreshFamilies = `
CREATE TABLE refresh_families (
  id text PRIMARY KEY CHECK (id ~ '^rtf_[0-9a-z]{24}$'),
  user_id text NOT NULL REFERENCES users,
  client_id text REFERENCES api_clients ON DELETE CASCADE,
  scopes text[] NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL CHECK (expires_at > created_at),
  revoked_at bigint CHECK (revoked_at >= created_at)
)`

const refreshTokens = `
CREATE TABLE refresh_tokens (
  hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
  family_id text NOT NULL REFERENCES refresh_families ON DELETE CASCADE,
  issued_at bigint NOT NULL,
  rotated_at bigint CHECK (rotated_at >= issued_at),
  answer bytea,
  CHECK (answer IS NULL OR rotated_at IS NOT NULL)
)`

const signingKeys = `
CREATE TABLE signing_keys (
  kid text PRIMARY KEY CHECK (kid ~ '^key_[0-9a-z]{24}$'),
  public_jwk jsonb NOT NULL CHECK (public_jwk ? 'x' AND NOT public_jwk ? 'd'),
  sealed_private_key bytea NOT NULL,
  created_at bigint NOT NULL,
  retired_at bigint CHECK (retired_at >= created_at)
)`

/** Companies, their users and API clients, refresh tokens and signing keys. Times are milliseconds since 1970. */
export const identity: Migration = {
  id: 2,
  name: "identity",
  up: [
    companies,
    users,
    "CREATE UNIQUE INDEX users_email ON users (lower(email))",
    "CREATE UNIQUE INDEX users_wallet_address ON users (lower(wallet_address))",
    "CREATE INDEX users_company ON users (company_id)",
    apiClients,
    "CREATE INDEX api_clients_company ON api_clients (company_id)",
    refreshFamilies,
    "CREATE INDEX refresh_families_user ON refresh_families (user_id)",
    "CREATE INDEX refresh_families_expiry ON refresh_families (expires_at)",
    refreshTokens,
    "CREATE UNIQUE INDEX refresh_tokens_one_live ON refresh_tokens (family_id) WHERE rotated_at IS NULL",
    "CREATE INDEX refresh_tokens_family ON refresh_tokens (family_id)",
    signingKeys,
    "CREATE UNIQUE INDEX signing_keys_one_current ON signing_keys ((retired_at IS NULL)) WHERE retired_at IS NULL"
  ],
  down: [
    "DROP TABLE signing_keys",
    "DROP TABLE refresh_tokens",
    "DROP TABLE refresh_families",
    "DROP TABLE api_clients",
    "DROP TABLE users",
    "DROP TABLE companies"
  ]
}
