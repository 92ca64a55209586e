import { readFileSync } from "node:fs"
import { join } from "node:path"

const STYLES = [Bun.resolveSync("uplot/dist/uPlot.min.css", import.meta.dir), join(import.meta.dir, "report.css")]

/** Nothing is loaded from anywhere, and nothing may be. */
const POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"

const bundled = async (page: string): Promise<string> => {
  const entrypoint = join(import.meta.dir, page)
  const { outputs, logs, success } = await Bun.build({ entrypoints: [entrypoint], target: "browser", minify: true })
  const [output] = outputs
  if (!success || output === undefined) throw new AggregateError(logs, `${page} cannot be bundled`)
  return output.text()
}

/** Text that ends no element it stands in. */
const inScript = (text: string): string => text.replaceAll("</", String.raw`<\/`)

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" }

const inText = (text: string): string => text.replaceAll(/[&<>]/g, (character) => ESCAPES[character] ?? "")

/**
 * One page that needs no other file.
 *
 * @param page - the script in this folder that draws the data
 */
export const reportShell = async (page: string, title: string, data: object): Promise<string> => {
  const json = JSON.stringify(data).replaceAll("<", String.raw`\u003c`)
  const styles = STYLES.map((path) => readFileSync(path, "utf8")).join("\n")
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${inText(title)} · Emporion</title>
<style>${styles}</style>
</head>
<body>
<main id="report"></main>
<noscript>This page draws its charts with a script that it carries itself.</noscript>
<script type="application/json" id="data">${json}</script>
<script type="module">${inScript(await bundled(page))}</script>
</body>
</html>
`
}
