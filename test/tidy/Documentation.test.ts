import { createHash } from "node:crypto"
import { describe, expect, it } from "bun:test"
import { readSeals, sealOf } from "../../scripts/MigrationSeal.ts"
import { registry } from "../../src/database/migrations/Registry.ts"
import { paths, source, textOf } from "./Source.ts"

const DATABASE = "docs/reference/database.md"
const SETTINGS = "docs/operating/settings.md"

const tablesOf = (sql: string): ReadonlyArray<string> =>
  [...sql.matchAll(/\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?"?([a-z_][a-z0-9_]*)"?/gi)].map(
    (match) => match[1] ?? ""
  )

/** A table is described by a heading with its name, or by a row of a table that begins with it. */
const undescribed = (tables: ReadonlyArray<string>, text: string): ReadonlyArray<string> =>
  tables.filter((table) => !new RegExp(`^(#+\\s+|\\|\\s*)\`?${table}\`?(\\s|\\||$)`, "m").test(text))

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
    const tables = paths("src/database/**/*.ts").flatMap((path) => tablesOf(textOf(path) ?? ""))
    expect(tables.length).toBeGreaterThan(0)
    expect(undescribed(tables, textOf(DATABASE) ?? "")).toEqual([])
  })
})

describe("Every setting is documented", () => {
  it("finds a setting that is not", () => {
    const code = `const a = read("PORT", "DATA_DIR", "Other text", "sha256")`
    expect(undocumented(settingsOf("src/Config.ts", code), "| `PORT` | 3000 |")).toEqual(["DATA_DIR"])
  })

  it(`in ${SETTINGS}`, () => {
    const settings = settingsOf("src/Config.ts", textOf("src/Config.ts") ?? "")
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
