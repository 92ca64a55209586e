import { createHash } from "node:crypto"
import { describe, expect, it } from "bun:test"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { readSeals, sealOf } from "../../scripts/MigrationSeal.ts"
import { outdatedPages } from "../../scripts/ReferencePages.ts"
import { registry } from "../../src/database/migrations/Registry.ts"
import { paths, source, textOf } from "./Source.ts"

const ROOT = join(import.meta.dir, "..", "..")

const DATABASE = "docs/reference/database.md"
const SETTINGS = "docs/operating/settings.md"

const tablesOf = (sql: string): ReadonlyArray<string> =>
  [...sql.matchAll(/\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?"?([a-z_][a-z0-9_]*)"?/gi)].map(
    (match) => match[1] ?? ""
  )

/** A table is described by a heading with its name, or by a row of a table that begins with it. */
const undescribed = (tables: ReadonlyArray<string>, text: string): ReadonlyArray<string> =>
  tables.filter((table) => !new RegExp(`^(#+\\s+|\\|\\s*)\`?${table}\`?(\\s|\\||$)`, "m").test(text))

/** Tables that a later migration took away again. */
const DROPPED: ReadonlySet<string | undefined> = new Set(
  registry
    .flatMap(({ up }) => up)
    .flatMap((sql) => [...sql.matchAll(/\bdrop\s+table\s+(\w+)/gi)].map(([, table]) => table))
)

/** Columns that a later migration took away again, as `table.column`. */
const DROPPED_COLUMNS: ReadonlySet<string> = new Set(
  registry
    .flatMap(({ up }) => up)
    .flatMap((sql) =>
      [...sql.matchAll(/\balter\s+table\s+(\w+)([^;]*)/gi)].flatMap(([, table, changes = ""]) =>
        [...changes.matchAll(/\bdrop\s+column\s+(\w+)/gi)].map(([, column]) => `${table}.${column}`)
      )
    )
)

interface Column {
  readonly table: string
  readonly column: string
}

const COLUMN = /^\s*([a-z_]+) +(?:text|bigint|integer|numeric|boolean|bytea|jsonb|timestamptz)\b/gm

const columnsOf = (sql: string): ReadonlyArray<Column> =>
  [...sql.matchAll(/create\s+table\s+(?:if\s+not\s+exists\s+)?([a-z_]+)\s*\(([\s\S]*?)\n\s*\)/gi)].flatMap(
    ([, table = "", body = ""]) => [...body.matchAll(COLUMN)].map(([, column = ""]) => ({ table, column }))
  )

/** A column is described by a row of the table below its table's heading. */
const undescribedColumns = (columns: ReadonlyArray<Column>, text: string): ReadonlyArray<Column> =>
  columns.filter(({ table, column }) => {
    const section = text.split(/^#+ /m).find((one) => one.startsWith(`\`${table}\``)) ?? ""
    return !section.includes(`\n| \`${column}\` |`)
  })

const SETTING = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$|^(PORT|HOST)$/
const settingsOf = (path: string, text: string): ReadonlyArray<string> => [
  ...new Set(
    source(path, text).nodes.flatMap(({ node }) =>
      node.type === "Literal" && typeof node.value === "string" && SETTING.test(node.value) ? [node.value] : []
    )
  )
]
const undocumented = (settings: ReadonlyArray<string>, text: string): ReadonlyArray<string> =>
  settings.filter((setting) => !text.includes(`\`${setting}\``))

describe("Every table is described", () => {
  it("finds a table that is not", () => {
    const sql = `create table if not exists orders (id text); CREATE TABLE "bids" (id text); CREATE TABLE asks ()`
    expect(undescribed(tablesOf(sql), "# Database\n\n## `orders`\n\nThe asks.\n")).toEqual(["bids", "asks"])
    expect(undescribed(tablesOf(sql), "| `orders` | x |\n|bids|\n### asks\n")).toEqual([])
  })

  it(`in ${DATABASE}`, () => {
    const made = paths("src/database/**/*.ts").flatMap((path) => tablesOf(textOf(path) ?? ""))
    const tables = made.filter((table) => !DROPPED.has(table))
    expect(tables.length).toBeGreaterThan(0)
    expect(undescribed(tables, textOf(DATABASE) ?? "")).toEqual([])
  })

  it("finds a column that is not", () => {
    const columns = columnsOf(
      "CREATE TABLE bids (\n  id text PRIMARY KEY,\n  price bigint NOT NULL,\n  CHECK (price > 0)\n)"
    )
    expect(columns.map(({ column }) => column)).toEqual(["id", "price"])
    const text = "## `asks`\n\n| `price` | x |\n\n## `bids`\n\n|---|---|\n| `id` | x |\n"
    expect(undescribedColumns(columns, text)).toEqual([{ table: "bids", column: "price" }])
  })

  it(`with its columns in ${DATABASE}`, () => {
    const made = paths("src/database/**/*.ts").flatMap((path) => columnsOf(textOf(path) ?? ""))
    const columns = made.filter(
      ({ column, table }) => !DROPPED.has(table) && !DROPPED_COLUMNS.has(`${table}.${column}`)
    )
    expect(columns.length).toBeGreaterThan(100)
    expect(undescribedColumns(columns, textOf(DATABASE) ?? "")).toEqual([])
  })
})

describe("Pages say what the code says", () => {
  it("where they are made from it: run `bun scripts/generate-reference.ts`", async () => {
    expect((await outdatedPages()).map(({ path }) => path)).toEqual([])
  })
})

const LINK = /\]\((?!https?:)([^)#\s]*)(#[^)\s]+)?\)/g

const anchorsOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(
    ([, heading = ""]) =>
      `#${heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
        .replaceAll(" ", "-")}`
  )

const brokenLinks = (path: string, text: string): ReadonlyArray<string> =>
  [...text.matchAll(LINK)].flatMap(([, file = "", anchor]) => {
    const target = file === "" ? path : join(dirname(path), file)
    if (!existsSync(join(ROOT, target))) return [`${path}: ${target}`]
    const found = anchor === undefined || anchorsOf(file === "" ? text : (textOf(target) ?? "")).includes(anchor)
    return found ? [] : [`${path}: ${target}${anchor}`]
  })

describe("Links lead somewhere", () => {
  it("finds those that do not", () => {
    const text = "## The 3/4 rule\n\n[a](#the-34-rule) [b](#none) [c](none.md) [d](https://example.com/none)"
    expect(brokenLinks("README.md", text)).toEqual(["README.md: README.md#none", "README.md: none.md"])
  })

  it("in every page", () => {
    const pages = [...paths("*.md"), ...paths("docs/**/*.md"), ...paths("packages/*/*.md")]
    expect(pages.length).toBeGreaterThan(20)
    expect(pages.flatMap((path) => brokenLinks(path, textOf(path) ?? ""))).toEqual([])
  })
})

/** A script that somebody without `bun` in the path cannot run as it is printed. */
const PRINTED = /\bbun run [a-z]+/g

describe("Commands are printed as the README runs them", () => {
  it("finds one that is not", () => {
    expect("again: bun run sim --seed 7".match(PRINTED)).toEqual(["bun run sim"])
    expect("again: npm run sim -- --seed 7".match(PRINTED)).toBeNull()
  })

  it("by all of the program and its scripts", () => {
    const files = ["src", "engine", "scripts"].flatMap((folder) => paths(`${folder}/**/*.ts`))
    const found = files.flatMap((path) => (textOf(path)?.match(PRINTED) ?? []).map((command) => `${path}: ${command}`))
    expect([files.length > 500, found]).toEqual([true, []])
  })
})

describe("Every setting is documented", () => {
  it("finds a setting that is not", () => {
    const code = `const a = read("PORT", "DATA_DIR", "Other text", "sha256")`
    expect(undocumented(settingsOf("src/Config.ts", code), "| `PORT` | 3000 |")).toEqual(["DATA_DIR"])
  })

  it(`in ${SETTINGS}`, () => {
    const settings = ["src/Config.ts", "src/SignInSettings.ts"].flatMap((path) => settingsOf(path, textOf(path) ?? ""))
    expect(settings.length).toBeGreaterThan(0)
    expect(undocumented(settings, textOf(SETTINGS) ?? "")).toEqual([])
  })
})

describe("Migrations are immutable", () => {
  const changed = { id: 1, name: "ledger", up: ["CREATE TABLE a ()"], down: { irreversible: "no" } }

  it("seals what is run", () => {
    const expected = createHash("sha256").update(JSON.stringify(changed.up)).digest("hex")
    expect(sealOf(changed)).toBe(expected)
    expect(sealOf({ ...changed, up: ["CREATE TABLE b ()"] })).not.toBe(expected)
  })

  it("numbers them from 1 without a gap, and knows every file", () => {
    expect(registry.map(({ id }) => id)).toEqual(registry.map((_, index) => index + 1))
    const files = paths("src/database/migrations/[0-9]*.ts").map((path) => path.replace(/^.*\/|\.ts$/g, ""))
    expect(files.length).toBeGreaterThan(0)
    expect(registry.map(({ id, name }) => `${String(id).padStart(4, "0")}_${name}`)).toEqual([...files])
  })

  it("are those that were sealed: run `bun scripts/seal-migrations.ts` for a new one, never change an old one", () => {
    const seals = readSeals()
    expect(Object.fromEntries(registry.map((migration) => [migration.name, sealOf(migration)]))).toEqual(
      Object.fromEntries(seals)
    )
  })
})
