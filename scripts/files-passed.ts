/**
 * Says through which files a commitment and an order of products pass, from the socket to the answer:
 * `bun scripts/files-passed.ts [--json]`. The program runs as it ships but that each function of its own says that it is
 * entered; a file counts where each of many requests, one after the other, entered it.
 */
import { Effect } from "effect"
import { filesPassed } from "./files/FilesPassed.ts"

const passed = await Effect.runPromise(Effect.scoped(filesPassed))
if (process.argv.includes("--json")) console.log(JSON.stringify(passed, null, 2))
else {
  for (const { files, what } of passed) console.log(`${what}: ${files.length} files\n  ${files.join("\n  ")}`)
}
process.exit(0)
