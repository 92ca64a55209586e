import { readdirSync, readFileSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { hashing } from "../SimulationPlatform.ts"

/** What the bytes of a simulation come from, and what a campaign draws and notes of it. */
const PARTS = ["data/daily-rates-per-usd.csv", "engine", "package.json", "scripts/campaign"]

/** The files of a part, which may be one itself. */
const filesOf = (root: string, part: string): ReadonlyArray<string> => {
  if (part.includes(".")) return [part]
  const entries = readdirSync(join(root, part), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
}

/**
 * SHA-256, in hex, over the names and contents of all files that a campaign's outcome comes from, whether they are committed
 * or not. Where it is the same, so is what a seed comes to.
 */
export const programHash = (root: string): string => {
  const digest = hashing.digest()
  for (const file of PARTS.flatMap((part) => filesOf(root, part)).toSorted()) {
    const content = hashing.digest()
    content.update(readFileSync(join(root, file), "utf8"))
    digest.update(`${file} ${content.hex()}\n`)
  }
  return digest.hex()
}
