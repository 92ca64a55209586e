/**
 * Fills a database by this version and keeps it in `test/fixtures/versions/`: `bun scripts/keep-version.ts`. Later
 * versions prove on it that they take it over. Run it for each release, and remove all but the last three.
 */
import { Effect } from "effect"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { keepVersion } from "../test/lib/FilledVersion.ts"

const folder = join(import.meta.dir, "..", "test", "fixtures", "versions")
mkdirSync(folder, { recursive: true })
const file = (schema: number): string => join(folder, `${String(schema).padStart(4, "0")}.jsonl.gz`)
const kept = await Effect.runPromise(Effect.scoped(keepVersion(file)))
console.log(`${file(kept.schema)}: ${kept.events} events`)
process.exit(0)
