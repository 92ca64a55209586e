import type { Migration } from "../Migration.ts"

/**
 * From here on long bodies and answers of the journal may be packed. Going back, where one is, the journal begins anew
 * with the next commit: the events have all of it.
 */
export const packedJournal: Migration = {
  id: 47,
  name: "packed_journal",
  up: [],
  down: [
    "DELETE FROM journal WHERE EXISTS (SELECT FROM journal WHERE starts_with(body, E'\\t') OR starts_with(answers, E'\\t'))"
  ]
}
