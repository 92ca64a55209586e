import type { Migration } from "../src/database/Migration.ts"

/** Why a statement is refused, after the name of its table. */
interface Rule {
  readonly pattern: RegExp
  readonly why: string
}

const SCANS = "reads every row while nobody can use the table: add it NOT VALID, and validate it in a later migration"
const REWRITES = "writes every row anew while nobody can use the table: add another column, and fill it in small steps"
const BREAKS = "breaks the version that still runs: leave it, and remove it once no version uses it"

/** What an action of `ALTER TABLE` does to a table that has rows. PostgreSQL 18, "ALTER TABLE", notes. */
const ACTIONS: ReadonlyArray<Rule> = [
  { pattern: /^ADD COLUMN .*\b(GENERATED|SERIAL|BIGSERIAL)\b/i, why: REWRITES },
  { pattern: /^ADD COLUMN .*\bDEFAULT [a-z_]+\(/i, why: REWRITES },
  { pattern: /^ADD COLUMN .*\b(CHECK|REFERENCES)\b/i, why: SCANS },
  { pattern: /^ADD COLUMN (?!.*\bDEFAULT\b).*\bNOT NULL\b/i, why: "fails where the table has rows: give it a default" },
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
    pattern: /^CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY).*?\bON (?:ONLY )?(\w+)/i,
    why: "builds an index while nobody can write to the table: CREATE INDEX CONCURRENTLY, in a migration that is `concurrently`"
  },
  { pattern: /^(?:DROP TABLE|TRUNCATE(?: TABLE)?) (?:IF EXISTS )?(\w+)/i, why: BREAKS },
  {
    pattern: /^(?:UPDATE|DELETE FROM) (?:ONLY )?(\w+)/i,
    why: "locks all rows that it changes until its end: change them in small steps"
  },
  {
    pattern: /^(?:LOCK(?: TABLE)?|REINDEX TABLE|CLUSTER|VACUUM FULL) (?!CONCURRENTLY)(\w+)/i,
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

/** The tables that a migration makes. */
export const tablesMadeBy = ({ up }: Pick<Migration, "up">): ReadonlyArray<string> =>
  up.flatMap((statement) => {
    const [, table] = /^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\w+)/i.exec(normalized(statement)) ?? []
    return table === undefined ? [] : [table]
  })

const altered = (statement: string) => {
  const [, table = "", list = ""] = /^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?(\w+) (.*)$/i.exec(statement) ?? []
  return actionsOf(list).flatMap((action) =>
    ACTIONS.filter(({ pattern }) => pattern.test(action)).map(({ why }) => ({ table, why: `${action}: ${why}` }))
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
      return table === undefined ? [] : [{ table, why }]
    })
    const problems = [...found, ...altered(statement)].filter(({ table }) => !own.has(table))
    const outside = / CONCURRENTLY /i.test(statement) && migration.concurrently !== true
    return [
      ...problems.map(({ table, why }) => `${table}: ${why}`),
      ...(outside ? [`${statement}: does not work in a transaction: make the migration \`concurrently\``] : [])
    ]
  })
}
