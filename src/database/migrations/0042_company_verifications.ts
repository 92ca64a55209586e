import type { Migration } from "../Migration.ts"

const verifications = `
CREATE TABLE company_verifications (
  company_id text PRIMARY KEY,
  at bigint NOT NULL
)`

/** That a user's documents verified a company stands beside what recorded events make of companies. */
export const companyVerifications: Migration = {
  id: 42,
  name: "company_verifications",
  up: [
    verifications,
    `INSERT INTO company_verifications (company_id, at)
     SELECT id, verified_at FROM companies JOIN company_outbox AS note ON note.company_id = id AND note.kind = 'verified'
     WHERE verified_at IS NOT NULL`,
    `UPDATE companies SET verified_at = NULL FROM company_verifications WHERE company_id = id`
  ],
  down: [
    `UPDATE companies SET verified_at = verification.at FROM company_verifications AS verification
     WHERE verification.company_id = id AND verified_at IS NULL`,
    // The version before takes a note away with its event alone.
    `DELETE FROM company_outbox AS note USING events AS event
     WHERE event.stream = 'company/' || note.company_id
       AND event.type = CASE note.kind WHEN 'registered' THEN 'CompanyRegistered' ELSE 'CompanyVerified' END`,
    "DROP TABLE company_verifications"
  ]
}
