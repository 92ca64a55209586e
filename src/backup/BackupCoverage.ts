/** Which tables a backup has, and how often. */

import { PROJECTED_TABLES } from "../../engine/journal/TableRow.ts"

/** Says what a database is and where it stands: a restored one says that of itself. */
const OWN: ReadonlySet<string> = new Set(["schema_migrations", "writer_term", "event_log", "projection"])

/**
 * Answers that are kept for a day for retries, in which anybody's data may be. The journal has those about money, so that
 * a restore without these does nothing twice that moves any.
 */
const KEPT_ANSWERS = "idempotency_keys"

/** The journal, whose rows are never copied twice. */
export const JOURNAL = "journal"

/** Events write into them, and so do transactions beside the journal. */
const MIXED: ReadonlySet<string> = new Set(["companies", "audit_log"])

/** Notes, by triggers, what rows of other tables have that follow from the journal. */
const KEEPERS = "metadata_keepers"

const FOLLOWING: ReadonlySet<string> = new Set(
  ["events", "event_streams", "claims", KEEPERS, ...PROJECTED_TABLES].filter((table) => !MIXED.has(table))
)

/** Large tables that are consistent among themselves, and that nothing else names. */
const SELDOM: ReadonlyArray<ReadonlySet<string>> = [
  new Set(["arena_medians"]),
  new Set(["usage_days"]),
  new Set(["request_log"]),
  new Set(["activity_days", "activity_position"]),
  // An older list names fewer files, whose rows a full backup before it has.
  new Set(["journal_archives"]),
  new Set([
    "webhook_attempts",
    "webhook_cursor",
    "webhook_days",
    "webhook_deliveries",
    "webhook_events",
    "webhook_health"
  ])
]

/**
 * What events of the journal may rest on, of the first backup that shows it: facts about the world outside, and keys under
 * which texts in them are sealed.
 */
export const AHEAD: ReadonlySet<string> = new Set(["arena_vault_yields", "person_keys"])

/** Milliseconds for which an increment does not copy {@link isSeldom} tables again. */
export const SELDOM_INTERVAL = 60_000

/** Whether a backup has the rows of a table at all. */
export const isCopied = (table: string): boolean => !OWN.has(table) && table !== JOURNAL && table !== KEPT_ANSWERS

/** Whether the journal alone says what is in a table, so that increments need not have it. */
export const followsJournal = (table: string): boolean => FOLLOWING.has(table)

/** Whether an increment copies a table once in {@link SELDOM_INTERVAL}. */
export const isSeldom = (table: string): boolean => SELDOM.some((group) => group.has(table))
