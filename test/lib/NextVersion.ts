import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { label } from "../../src/database/Migrations.ts"
import { registry } from "../../src/database/migrations/Registry.ts"

const ROOT = join(import.meta.dirname, "..", "..")

/** What a version is started from. */
const PARTS = ["src", "engine", "scripts", "packages", "data", "package.json", "tsconfig.json"]

const edited = (file: string, edit: (text: string) => string): void => {
  const text = readFileSync(file, "utf8")
  const changed = edit(text)
  if (changed === text) throw new Error(`${file} is not what it was`)
  writeFileSync(file, changed)
}

/** The migration that only the next version has. */
export const NEXT_MIGRATION = label({ id: (registry.at(-1)?.id ?? 0) + 1, name: "next_version" })

export const NEXT_VERSION = "999.0.0"

const migration = `import type { Migration } from "../Migration.ts"

export const nextVersion: Migration = {
  id: ${Number.parseInt(NEXT_MIGRATION, 10)},
  name: "next_version",
  up: [
    "ALTER TABLE arena_orders ADD COLUMN next_version text",
    "ALTER TABLE arena_commitments ADD COLUMN next_version integer NOT NULL DEFAULT 1",
    "CREATE TABLE next_version (id integer PRIMARY KEY)"
  ],
  down: [
    "DROP TABLE next_version",
    "ALTER TABLE arena_commitments DROP COLUMN next_version",
    "ALTER TABLE arena_orders DROP COLUMN next_version"
  ]
}
`

/** Makes the version after this one in a folder that does not exist yet: it has one more migration, which only expands. */
export const makeNextVersion = (folder: string): void => {
  for (const part of PARTS) cpSync(join(ROOT, part), join(folder, part), { recursive: true })
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"))
  const migrations = join(folder, "src", "database", "migrations")
  writeFileSync(join(migrations, `${NEXT_MIGRATION}.ts`), migration)
  edited(join(migrations, "Registry.ts"), (text) =>
    `import { nextVersion } from "./${NEXT_MIGRATION}.ts"\n${text}`.replace(/\n\]\n$/, ",\n  nextVersion\n]\n")
  )
  edited(join(folder, "package.json"), (text) => text.replace(/"version": "[^"]*"/, `"version": "${NEXT_VERSION}"`))
}
