import { STATE_TABLES } from "../../engine/replay/StateTable.ts"
import { at, keep } from "./Rule.ts"
import { type Source, sources } from "./Source.ts"

interface Write {
  readonly verb: string
  readonly table: string
  /** The rest of its statement. */
  readonly rest: string
  readonly offset: number
}

/** What a file's SQL writes. */
const writesOf = ({ text }: Source): ReadonlyArray<Write> =>
  [...text.matchAll(/\b(INSERT INTO|UPDATE|DELETE FROM) (\w+)([^`]*)/g)].map((match) => {
    const [, verb = "", table = "", rest = ""] = match
    return { verb, table, rest, offset: match.index }
  })

const lineAt = ({ text }: Source, offset: number): number => text.slice(0, offset).split("\n").length

const repositories = sources("src").filter(({ path }) => !path.startsWith("src/database/migrations/"))

/** Rows of these are only added. */
const ADDED: ReadonlySet<string> = new Set([
  "audit_log",
  "bot_decisions",
  "credit_assessments",
  "evaluation_credit_movements",
  "events",
  "ledger_receivables",
  "ledger_transfers",
  "subscription_history"
])

/** Rows of these go once a file of the journal's archive has them, and here alone. */
const ARCHIVED: ReadonlySet<string> = new Set(["events", "journal"])
const ARCHIVE = "src/backup/ArchiveRepository.ts"

/** A row of these is added once, and ends once. */
const ENDED: ReadonlySet<string> = new Set(["ledger_baskets", "ledger_holds"])

keep({
  name: "What is only added is never overwritten",
  over: repositories,
  violations: (files) =>
    files.flatMap((file) =>
      writesOf(file)
        .filter(({ rest, table, verb }) => {
          const overwrites = verb === "INSERT INTO" && /\bDO UPDATE\b/.test(rest.split(/\bINSERT INTO\b/)[0] ?? "")
          if (verb === "DELETE FROM" && ARCHIVED.has(table)) return file.path !== ARCHIVE
          if (ENDED.has(table)) return overwrites || verb === "DELETE FROM"
          return ADDED.has(table) && (overwrites || verb !== "INSERT INTO")
        })
        .map(({ offset, table, verb }) => at(file, lineAt(file, offset), `${verb} ${table}`))
    ),
  broken: [
    ["src/a/A.ts", "const a = sql`UPDATE ledger_transfers SET amount = 1`"],
    ["src/a/A.ts", "const a = sql`DELETE FROM events WHERE seq = 1`"],
    ["src/a/A.ts", "const a = sql`DELETE FROM journal WHERE first_seq = 1`"],
    ["src/backup/ArchiveRepository.ts", "const a = sql`UPDATE events SET data = ''`"],
    ["src/a/A.ts", "const a = sql`INSERT INTO audit_log (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET at = 1`"],
    ["src/a/A.ts", "const a = sql`INSERT INTO ledger_holds (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET id = 1`"]
  ],
  kept: [
    ["src/a/A.ts", "const a = sql`INSERT INTO audit_log (id) VALUES (1) ON CONFLICT (id) DO NOTHING`"],
    ["src/a/A.ts", "const a = sql`UPDATE ledger_holds SET status = 'released'`"],
    ["src/backup/ArchiveRepository.ts", "const a = sql`DELETE FROM events WHERE seq = 1`"]
  ]
})

/** Recorded events write these. */
const PROJECTED: ReadonlySet<string> = new Set([...STATE_TABLES, "event_streams", "events"])

/** What the ledger settled, and the events themselves, are written here; every other row by the writer of all tables. */
const SETTLED: ReadonlySet<string> = new Set(["src/database/MultiHoldStatements.ts", "src/database/LedgerTables.ts"])

keep({
  name: "A projected table is written by the writer of all tables, and by nothing else",
  over: repositories,
  violations: (files) =>
    files.flatMap((file) =>
      writesOf(file)
        .filter(({ table }) => PROJECTED.has(table) && !SETTLED.has(file.path) && file.path !== ARCHIVE)
        .map(({ offset, table, verb }) => at(file, lineAt(file, offset), `${verb} ${table}`))
    ),
  broken: [["src/a/A.ts", "const a = sql`UPDATE payments SET due_at = 1`"]],
  kept: [
    ["src/a/A.ts", "const a = sql`UPDATE payment_schedule SET due_at = 1`"],
    ["src/database/LedgerTables.ts", "const a = sql`UPDATE ledger_holds SET resolved_by = 1`"]
  ]
})

keep({
  name: "No rule stands in the SQL of what the ledger settled",
  over: repositories.filter(({ path }) => SETTLED.has(path)),
  violations: (files) =>
    files.flatMap((file) =>
      writesOf(file)
        .filter(
          ({ rest, table }) => PROJECTED.has(table) && /\b(CASE|greatest|least|coalesce)\b|= \w+\.\w+ [-+]/i.test(rest)
        )
        .map(({ offset, table, verb }) => at(file, lineAt(file, offset), `${verb} ${table}`))
    ),
  broken: [
    ["src/database/LedgerTables.ts", "const a = sql`UPDATE ledger_holds SET status = CASE WHEN a THEN 'b' END`"],
    ["src/database/LedgerTables.ts", "const a = sql`UPDATE ledger_accounts AS a SET held = a.held + b.held`"]
  ],
  kept: [["src/database/LedgerTables.ts", "const a = sql`UPDATE ledger_holds AS hold SET status = ended.status`"]]
})
