import type { Migration } from "../Migration.ts"

const erasures = `
CREATE TABLE erasures (
  id text PRIMARY KEY CHECK (id ~ '^(usr|cmp)_[0-9a-z]{24}$'),
  company_id text NOT NULL CHECK (char_length(company_id) BETWEEN 1 AND 64),
  at bigint NOT NULL CHECK (at > 0),
  erased_by text NOT NULL CHECK (char_length(erased_by) BETWEEN 1 AND 64),
  request_id text CHECK (char_length(request_id) BETWEEN 1 AND 64),
  recorded boolean NOT NULL DEFAULT false
)`

const keys = `
CREATE TABLE person_keys (
  id text PRIMARY KEY CHECK (id ~ '^(usr|cmp)_[0-9a-z]{24}$'),
  sealed_key bytea NOT NULL
)`

/** What is sealed under the key of a person could be read by nobody, and who was forgotten would be nowhere. */
const UNUSED = `
DO $$ BEGIN
  IF EXISTS (SELECT FROM erasures) OR EXISTS (SELECT FROM person_keys) THEN
    RAISE EXCEPTION 'somebody was erased, or a contact was sealed: the version before cannot read this database';
  END IF;
END $$`

/** Who was forgotten, and the keys of those who can be. */
export const personErasures: Migration = {
  id: 62,
  name: "erasures",
  up: [erasures, "CREATE INDEX erasures_unrecorded ON erasures (at) WHERE NOT recorded", keys],
  down: [UNUSED, "DROP TABLE erasures", "DROP TABLE person_keys"]
}
