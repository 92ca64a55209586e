/** Makes the pages of docs/reference that come from the code: `bun scripts/generate-reference.ts [--check]`. */
import { outdatedPages, writePages } from "./ReferencePages.ts"

const outdated = await outdatedPages()
const names = outdated.map(({ path }) => path).join(", ")
if (process.argv.includes("--check")) {
  if (outdated.length > 0) {
    console.error(`not what the code says: ${names}. Run \`bun scripts/generate-reference.ts\`.`)
    process.exit(1)
  }
} else {
  await writePages(outdated)
}
console.log(outdated.length === 0 ? "every page is what the code says" : `written: ${names}`)
