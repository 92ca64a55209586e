/** Makes the pages of docs/reference that come from the code, and the types of the clients: `bun scripts/generate-reference.ts [--check]`. */
import { join } from "node:path"
import { clientContractPage } from "./ClientContract.ts"

const isCheck = process.argv.includes("--check")

// The types come first: the command line, whose help is a page, imports the client, which may need what is new in them.
const types = clientContractPage()
if (!isCheck) await Bun.write(join(import.meta.dir, "..", types.path), types.text)

const { outdatedPages, writePages } = await import("./ReferencePages.ts")
const outdated = await outdatedPages()
const names = outdated.map(({ path }) => path).join(", ")
if (isCheck) {
  if (outdated.length > 0) {
    console.error(`not what the code says: ${names}. Run \`bun scripts/generate-reference.ts\`.`)
    process.exit(1)
  }
} else {
  await writePages(outdated)
}
console.log(outdated.length === 0 ? "every page is what the code says" : `written: ${names}`)
