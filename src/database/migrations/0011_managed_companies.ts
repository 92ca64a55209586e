import type { Migration } from "../Migration.ts"

/** Who manages a company, how it is reached, and since when it is verified. Times are milliseconds since 1970. */
export const managedCompanies: Migration = {
  id: 11,
  name: "managed_companies",
  up: [
    `ALTER TABLE companies
       ADD COLUMN managed_by text REFERENCES companies CHECK (managed_by <> id),
       ADD COLUMN email text CHECK (char_length(email) BETWEEN 3 AND 254),
       ADD COLUMN phone text CHECK (char_length(phone) BETWEEN 1 AND 32),
       ADD COLUMN country text CHECK (char_length(country) BETWEEN 1 AND 100),
       ADD COLUMN address jsonb CHECK (jsonb_typeof(address) = 'object'),
       ADD COLUMN verified_at bigint CHECK (verified_at >= 0)`,
    "CREATE INDEX companies_managed_by ON companies (managed_by, created_at) WHERE managed_by IS NOT NULL",
    "CREATE INDEX companies_created_at ON companies (created_at, id)"
  ],
  down: [
    "DROP INDEX companies_created_at",
    "DROP INDEX companies_managed_by",
    `ALTER TABLE companies
       DROP COLUMN verified_at, DROP COLUMN address, DROP COLUMN country, DROP COLUMN phone, DROP COLUMN email,
       DROP COLUMN managed_by`
  ]
}
