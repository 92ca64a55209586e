import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { SimulationResult } from "../../engine/simulation/SimulationResult.ts"
import { reportData } from "./ReportData.ts"

const PAGE = join(import.meta.dir, "ReportPage.ts")
const STYLES = [Bun.resolveSync("uplot/dist/uPlot.min.css", import.meta.dir), join(import.meta.dir, "report.css")]

/** Nothing is loaded from anywhere, and nothing may be. */
const POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"

const bundled = async (): Promise<string> => {
  const { outputs, logs, success } = await Bun.build({ entrypoints: [PAGE], target: "browser", minify: true })
  const [output] = outputs
  if (!success || output === undefined) throw new AggregateError(logs, "the report's page cannot be bundled")
  return output.text()
}

/** Text that ends no element it stands in. */
const inScript = (text: string): string => text.replaceAll("</", String.raw`<\/`)

/**
 * A simulation as one page that needs no other file: prices, competition, collateral, yield and profit.
 *
 * @param result - with the prices of its orders
 * @param command - what runs the same simulation again
 */
export const simulationReport = async (result: SimulationResult, command: string): Promise<string> => {
  const data = JSON.stringify(reportData(result, command)).replaceAll("<", String.raw`\u003c`)
  const styles = STYLES.map((path) => readFileSync(path, "utf8")).join("\n")
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>Simulation ${result.seed} · Emporion</title>
<style>${styles}</style>
</head>
<body>
<main id="report"></main>
<noscript>This page draws its charts with a script that it carries itself.</noscript>
<script type="application/json" id="data">${data}</script>
<script type="module">${inScript(await bundled())}</script>
</body>
</html>
`
}
