import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, posix, relative, sep } from "node:path"
import { hashing } from "../SimulationPlatform.ts"

/** What is no program, and is read by one. */
const DATA = ["data/daily-rates-per-usd.csv", "package.json"]

/** Where the bytes of a simulation come from. */
const ENGINE = "engine"

/** What a campaign draws, and what it notes of it, and on its page. All that these import counts too. */
const NOTERS = ["BlockOutcome", "Campaign", "CampaignPage"].map((name) => `scripts/campaign/${name}.ts`)

const IMPORTED = /\b(?:from|import)\s*\(?\s*"(\.[^"]+\.ts)"/g

/** The programs of a folder, and not what else is there, such as what an editor keeps. */
const programsIn = (root: string, folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /^[^.].*\.ts$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))

/** Some programs, and all that they import of the project. */
const withImports = (root: string, files: ReadonlyArray<string>): ReadonlyArray<string> => {
  const found = new Set(files)
  // A set is walked to what is added on the way.
  for (const file of found) {
    for (const [, path = ""] of readFileSync(join(root, file), "utf8").matchAll(IMPORTED)) {
      const imported = posix.join(posix.dirname(file), path)
      if (existsSync(join(root, imported))) found.add(imported)
    }
  }
  return [...found]
}

/**
 * SHA-256, in hex, over the names and contents of all files that a campaign's outcome comes from, whether they are committed
 * or not. Where it is the same, so is what a seed comes to.
 */
export const programHash = (root: string): string => {
  const digest = hashing.digest()
  for (const file of [...DATA, ...withImports(root, [...programsIn(root, ENGINE), ...NOTERS])].toSorted()) {
    const content = hashing.digest()
    content.update(readFileSync(join(root, file), "utf8"))
    digest.update(`${file} ${content.hex()}\n`)
  }
  return digest.hex()
}
