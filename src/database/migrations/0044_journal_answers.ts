import type { Migration } from "../Migration.ts"

/** Finds the answers of the journal that are kept no more. */
export const journalAnswers: Migration = {
  id: 44,
  name: "journal_answers",
  up: ["CREATE INDEX journal_answered ON journal (recorded_at) WHERE answers IS NOT NULL"],
  down: ["DROP INDEX journal_answered"]
}
