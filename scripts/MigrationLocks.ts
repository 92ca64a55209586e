import type { Migration } from "../src/database/Migration.ts"

/** Why a statement is refused, after the name of its table. */
interface Rule {
  readonly pattern: RegExp
  readonly why: string
}

const SCANS = "reads every row while nobody can use the table: add it NOT VALID, and validate it in a later migration"
const REWRITES = "writes every row anew while nobody can use the table: add another column, and fill it in small steps"
const BREAKS = "breaks the version that still runs: leave it, and remove it once no version uses it"

/** A table's name, perhaps in quotes and with its schema. */
const TABLE = String.raw`((?:"[^"]+"|\w+)(?:\.(?:"[^"]+"|\w+))?)`

const nameOf = (table: string): string => table.replaceAll('"', "").replace(/^public\./, "")

/** Begins an action that adds a column: the word is not needed. */
const ADD_COLUMN = String.raw`^ADD (?:COLUMN )?(?:IF NOT EXISTS )?(?!(?:COLUMN|CONSTRAINT|CHECK|FOREIGN|UNIQUE|PRIMARY|EXCLUDE)\b)`

const addColumn = (rest: string): RegExp => new RegExp(`${ADD_COLUMN}${rest}`, "i")

/** What an action of `ALTER TABLE` does to a table that has rows. PostgreSQL 18, "ALTER TABLE", notes. */
const ACTIONS: ReadonlyArray<Rule> = [
  { pattern: addColumn(String.raw`.*\b(GENERATED|SERIAL|BIGSERIAL)\b`), why: REWRITES },
  { pattern: addColumn(String.raw`.*\bDEFAULT [a-z_]+\(`), why: REWRITES },
  { pattern: addColumn(String.raw`.*\b(CHECK|REFERENCES)\b`), why: SCANS },
  {
    pattern: addColumn(String.raw`(?!.*\bDEFAULT\b).*\bNOT NULL\b`),
    why: "fails where the table has rows: give it a default"
  },
  { pattern: /^ADD (CONSTRAINT \S+ )?(CHECK|FOREIGN KEY)\b(?!.*\bNOT VALID$)/i, why: SCANS },
  {
    pattern: /^ADD (CONSTRAINT \S+ )?(UNIQUE|PRIMARY KEY|EXCLUDE)\b(?!.*\bUSING INDEX\b)/i,
    why: "builds an index while nobody can use the table: build it CONCURRENTLY before, and add it USING INDEX"
  },
  { pattern: /^ALTER (COLUMN )?\S+ (SET DATA )?TYPE\b/i, why: REWRITES },
  { pattern: /^ALTER (COLUMN )?\S+ SET NOT NULL\b/i, why: SCANS },
  { pattern: /^SET (LOGGED|UNLOGGED|TABLESPACE|ACCESS METHOD)\b/i, why: REWRITES },
  { pattern: /^(DROP (COLUMN|CONSTRAINT)|RENAME)\b/i, why: BREAKS }
]

const STATEMENTS: ReadonlyArray<Rule> = [
  {
    pattern: new RegExp(String.raw`^CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY).*?\bON (?:ONLY )?${TABLE}`, "i"),
    why: "builds an index while nobody can write to the table: CREATE INDEX CONCURRENTLY, in a migration that is `concurrently`"
  },
  {
    pattern: new RegExp(
      String.raw`^CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS .*?\bON (?:ONLY )?${TABLE}`,
      "i"
    ),
    why: "takes the invalid index of a run that was killed for a whole one: DROP INDEX CONCURRENTLY IF EXISTS before it"
  },
  { pattern: new RegExp(String.raw`^(?:DROP TABLE|TRUNCATE(?: TABLE)?) (?:IF EXISTS )?${TABLE}`, "i"), why: BREAKS },
  {
    pattern: new RegExp(String.raw`^(?:WITH\b.*\b)?(?:UPDATE|DELETE FROM) (?:ONLY )?${TABLE}`, "i"),
    why: "locks all rows that it changes until its end: change them in small steps"
  },
  {
    pattern: new RegExp(
      String.raw`^(?:LOCK(?: TABLE)?|REINDEX TABLE|CLUSTER|VACUUM FULL) (?!CONCURRENTLY)${TABLE}`,
      "i"
    ),
    why: "holds a lock on the table"
  }
]

const normalized = (statement: string): string =>
  statement
    .replaceAll(/--[^\n]*/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim()

/** The actions of one `ALTER TABLE`, which commas part outside of brackets. */
const actionsOf = (list: string): ReadonlyArray<string> => {
  const actions: Array<string> = [""]
  let depth = 0
  for (const character of list) {
    if (character === "(") depth += 1
    if (character === ")") depth -= 1
    if (character === "," && depth === 0) actions.push("")
    else actions[actions.length - 1] += character
  }
  return actions.map((action) => action.trim())
}

const CREATED = new RegExp(String.raw`^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?${TABLE}`, "i")

const ALTERED = new RegExp(String.raw`^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?${TABLE} (.*)$`, "i")

/** The tables that a migration makes. */
export const tablesMadeBy = ({ up }: Pick<Migration, "up">): ReadonlyArray<string> =>
  up.flatMap((statement) => {
    const [, table] = CREATED.exec(normalized(statement)) ?? []
    return table === undefined ? [] : [nameOf(table)]
  })

const altered = (statement: string) => {
  const [, table = "", list = ""] = ALTERED.exec(statement) ?? []
  return actionsOf(list).flatMap((action) =>
    ACTIONS.filter(({ pattern }) => pattern.test(action)).map(({ why }) => ({
      table: nameOf(table),
      why: `${action}: ${why}`
    }))
  )
}

/**
 * What a migration would do that others have to wait for, or cannot go on after: a sentence each. While a new version
 * migrates, the one before it may still serve from the same tables, so a schema is first expanded, and contracted only
 * when no version uses what goes.
 *
 * @param migration - such as one that is not sealed yet; tables that it makes itself are nobody's yet
 */
export const locksOf = (migration: Pick<Migration, "up" | "concurrently">): ReadonlyArray<string> => {
  const own = new Set(tablesMadeBy(migration))
  return migration.up.map(normalized).flatMap((statement) => {
    const found = STATEMENTS.flatMap(({ pattern, why }) => {
      const [, table] = pattern.exec(statement) ?? []
      return table === undefined ? [] : [{ table: nameOf(table), why }]
    })
    const problems = [...found, ...altered(statement)].filter(({ table }) => !own.has(table))
    const outside = / CONCURRENTLY /i.test(statement) && migration.concurrently !== true
    return [
      ...problems.map(({ table, why }) => `${table}: ${why}`),
      ...(outside ? [`${statement}: does not work in a transaction: make the migration \`concurrently\``] : [])
    ]
  })
}
