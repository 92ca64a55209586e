import { join } from "node:path"
import type { PageSource } from "../runtime/PageBundler.ts"
import { ICON, PAGE_POLICY } from "./DashboardPage.ts"
import type { Bundle } from "./PageAssets.ts"

const APP = join(import.meta.dirname, "app")

/** Its files find each other by their own address, so that they can lie in any folder of any host. */
export const NEXT_TO_EACH_OTHER = "./"

/** What the simulation in the browser is made of. */
export const SIMULATOR: PageSource = {
  name: "simulator",
  entries: [
    join(APP, "simulation", "SimulationMain.tsx"),
    join(APP, "simulation", "RecordingThread.ts"),
    join(APP, "styles", "Simulation.css")
  ],
  publicPath: NEXT_TO_EACH_OTHER
}

/** What a host says in a header is said in the page where nobody knows the host. Frames cannot be refused there. */
const POLICY = PAGE_POLICY.replace("; frame-ancestors 'none'", "")

/** The page, whose files lie below a path. `isStatic` is for a host that sends no header of ours. */
export const renderSimulator = (
  { entry, imported, styles, workers }: Bundle,
  path: string,
  isStatic: boolean
): string =>
  [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Simulation · Emporion</title>',
    ...(isStatic ? [`<meta http-equiv="Content-Security-Policy" content="${POLICY}">`] : []),
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="description" content="The arena of Emporion in a seeded world: play, step, rewind, and let faults strike.">',
    ...workers.map((name) => `<meta name="simulation-worker" content="${path}${name}">`),
    `<link rel="icon" href="${ICON}">`,
    ...styles.map((name) => `<link rel="stylesheet" href="${path}${name}">`),
    ...imported.map((name) => `<link rel="modulepreload" href="${path}${name}">`),
    `<script type="module" src="${path}${entry}"></script>`,
    '</head><body><div id="root"><main class="simulation"><h1>Simulation</h1></main></div>',
    "<noscript>The simulation needs JavaScript here. The command does not: npm run sim.</noscript></body></html>"
  ].join("")
