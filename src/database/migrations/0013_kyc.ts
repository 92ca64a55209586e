import type { Migration } from "../Migration.ts"

const records = `
CREATE TABLE kyc_records (
  id text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  user_id text NOT NULL REFERENCES users,
  fullnames text NOT NULL CHECK (char_length(fullnames) BETWEEN 1 AND 200),
  address text NOT NULL CHECK (char_length(address) BETWEEN 1 AND 500),
  country text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
  email text NOT NULL CHECK (char_length(email) BETWEEN 3 AND 254),
  sealed_key bytea NOT NULL,
  sealed_phone_number bytea NOT NULL,
  sealed_identity_id bytea NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'verified', 'rejected')),
  reason text CHECK (char_length(reason) BETWEEN 1 AND 500),
  submitted_at bigint NOT NULL,
  reviewed_at bigint CHECK (reviewed_at >= submitted_at),
  reviewed_by text CHECK (char_length(reviewed_by) BETWEEN 1 AND 64),
  CHECK ((status = 'pending') = (reviewed_at IS NULL)),
  CHECK ((reviewed_at IS NULL) = (reviewed_by IS NULL)),
  CHECK ((status = 'rejected') = (reason IS NOT NULL))
)`

/** Who users say they are, and what administrators found. Times are milliseconds since 1970. */
export const kyc: Migration = {
  id: 13,
  name: "kyc",
  up: [
    records,
    "CREATE UNIQUE INDEX kyc_records_one_open ON kyc_records (user_id) WHERE status <> 'rejected'",
    "CREATE INDEX kyc_records_user ON kyc_records (user_id, submitted_at)",
    "CREATE INDEX kyc_records_by_submission ON kyc_records (submitted_at, id)"
  ],
  down: ["DROP TABLE kyc_records"]
}
