import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Migration } from "../src/database/Migration.ts"

/** One line a sealed migration: its SHA-256 in hex, two spaces, its name. */
export const SEALS = join(import.meta.dir, "..", "src", "database", "migrations", "seals.txt")

/** SHA-256, in hex, of the statements that a migration runs. How the file is formatted does not matter. */
export const sealOf = (migration: Migration): string =>
  createHash("sha256").update(JSON.stringify(migration.up)).digest("hex")

/** The sealed migrations' hashes by name; none when nothing was sealed yet. */
export const readSeals = (): ReadonlyMap<string, string> => {
  try {
    const lines = readFileSync(SEALS, "utf8").trim().split("\n")
    return new Map(lines.map((line): readonly [string, string] => [line.slice(66), line.slice(0, 64)]))
  } catch {
    return new Map()
  }
}
