import { Effect } from "effect"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Api } from "../../src/api/Api.ts"
import { DASHBOARD } from "../../src/dashboard/DashboardBundle.ts"
import { SIMULATOR } from "../../src/dashboard/SimulatorPage.ts"
import * as Documentation from "../../src/http/Documentation.ts"
import * as BunPageBundler from "../../src/runtime/bun/BunPageBundler.ts"
import { REPLAY_PAGE } from "../../src/cli/market/ReplayPage.tsx"
import { PageBundler } from "../../src/runtime/PageBundler.ts"
import { writePages } from "../../src/runtime/PageFolder.ts"
import { linesOnly, type SourceMapJson } from "./LineMap.ts"
import { PROGRAMS, ROOT, WRITTEN } from "./Program.ts"

/** Loaded from where npm put them: the one has machine code, the other is large and rarely needed. */
const EXTERNAL = ["@node-rs/argon2", "@aws-sdk/client-s3"]

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/** A text of ASCII alone takes half of the memory: outside of comments the bundler escapes everything itself. */
const keepToAscii = (folder: string): void => {
  for (const name of readdirSync(folder).filter((name) => name.endsWith(".js"))) {
    const text = readFileSync(join(folder, name), "utf8")
    const ascii = text.replace(/[^\0-\x7f]/g, escaped)
    if (ascii !== text) writeFileSync(join(folder, name), ascii)
  }
}

/** What the runtime has read of a map stays in its memory. */
const keepLines = (folder: string): void => {
  for (const name of readdirSync(folder).filter((name) => name.endsWith(".js.map"))) {
    const map = JSON.parse(readFileSync(join(folder, name), "utf8")) as SourceMapJson
    writeFileSync(join(folder, name), JSON.stringify(linesOnly(map)))
  }
}

/** What a browser loads: the dashboard, the simulation, and the page of a replay. */
const PAGES = [DASHBOARD, SIMULATOR, REPLAY_PAGE]

const pages = Effect.flatMap(PageBundler, ({ bundle }) => Effect.forEach(PAGES, bundle)).pipe(
  Effect.provide(BunPageBundler.layer)
)

/**
 * Bundles the programs into a folder, with the dashboard's pages and the API's document beside them. Its place is as deep in the project as the
 * sources that look for files of theirs. The maps name the sources in traces; the runtime reads them when something throws.
 */
export const bundlePrograms = async (folder: string): Promise<void> => {
  await Bun.build({
    entrypoints: Object.values(PROGRAMS).map((source) => join(ROOT, source)),
    outdir: folder,
    naming: { entry: "[name].js" },
    ...WRITTEN,
    splitting: true,
    external: EXTERNAL
  })
  keepToAscii(folder)
  keepLines(folder)
  for (const [name, bytes] of await Effect.runPromise(Documentation.files(Api)))
    writeFileSync(join(folder, name), bytes)
  for (const [index, bundled] of (await Effect.runPromise(pages)).entries()) {
    writePages(join(folder, PAGES[index]?.name ?? ""), bundled)
  }
}
