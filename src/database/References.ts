/** A column whose values name rows of another table by their key. */
export interface Reference {
  readonly column: string
  readonly table: string
  readonly key: string
}

/**
 * One plan for every number of rows: it looks for each by its key. A plan made for many rows would read whole tables,
 * and a session keeps its plans.
 */
const BY_KEY = "SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off"

const raise = (message: string): string =>
  `RAISE EXCEPTION USING ERRCODE = 'foreign_key_violation', MESSAGE = '${message}'`

const functionOf = (name: string, options: string, condition: string, message: string, before = ""): string =>
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql ${options} AS $$
   BEGIN
     ${before}IF ${condition} THEN
       ${raise(message)};
     END IF;
     RETURN NULL;
   END $$`

const checked = (table: string, references: ReadonlyArray<Reference>): ReadonlyArray<string> => {
  const joins = references.map(
    ({ column, key, table: to }, at) => `LEFT JOIN ${to} AS to${at} ON to${at}.${key} = made.${column}`
  )
  const missing = references.map(({ column, key }, at) => `made.${column} IS NOT NULL AND to${at}.${key} IS NULL`)
  const condition = `EXISTS (SELECT FROM made ${joins.join(" ")} WHERE ${missing.join(" OR ")})`
  return [
    functionOf(`${table}_refer`, BY_KEY, condition, `a row of ${table} names one that is not there`),
    ...["insert", "update"].map(
      (change) =>
        `CREATE TRIGGER ${table}_refer_on_${change} AFTER ${change.toUpperCase()} ON ${table}
         REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION ${table}_refer()`
    )
  ]
}

/** A table's references to another one. */
const towards = (references: ReadonlyArray<Reference>) => [
  ...Map.groupBy(references, ({ key, table }) => `${table} ${key}`).values()
]

const kept = (table: string, references: ReadonlyArray<Reference>): ReadonlyArray<string> => {
  const [{ key = "", table: to = "" } = {}] = references
  const named = references.map(({ column }) => `${column} = OLD.${key}`).join(" OR ")
  const condition = `EXISTS (SELECT FROM ${table} WHERE ${named})
       AND NOT EXISTS (SELECT FROM ${to} WHERE ${key} = OLD.${key})`
  const lock = `LOCK TABLE ${table} IN SHARE MODE;\n     `
  return [
    functionOf(`${to}_of_${table}`, "", condition, `rows of ${table} name this row of ${to}`, lock),
    `CREATE TRIGGER ${to}_of_${table} AFTER DELETE OR UPDATE OF ${key} ON ${to}
     FOR EACH ROW EXECUTE FUNCTION ${to}_of_${table}()`
  ]
}

/**
 * The statements that keep a table's references as foreign keys would, a statement's rows at once instead of each row by
 * itself, which takes a fraction of the time where a statement writes many.
 *
 * They refuse rows that name something missing, and removals of something that is named. A removal first waits for all
 * transactions that add rows, and later ones wait for the removal, so neither misses the other. This needs read
 * committed transactions, as all of the program's are. They do not check TRUNCATE: other foreign keys must keep it from
 * the named tables.
 */
export const keepReferences = (table: string, references: ReadonlyArray<Reference>): ReadonlyArray<string> => [
  ...checked(table, references),
  ...towards(references).flatMap((some) => kept(table, some))
]

/** The statements that undo {@link keepReferences}. */
export const dropReferences = (table: string, references: ReadonlyArray<Reference>): ReadonlyArray<string> => [
  ...towards(references).map(([{ table: to = "" } = {}]) => `DROP FUNCTION ${to}_of_${table}() CASCADE`),
  `DROP FUNCTION ${table}_refer() CASCADE`
]
