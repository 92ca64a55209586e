import { Effect } from "effect"

/** The sum of a counter's series in Prometheus' text format, 0 where it has none yet. */
export const sumOf = (text: string, name: string): number =>
  text
    .split("\n")
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0)

const fetched = async (url: string): Promise<string> => {
  const response = await fetch(`${url}/metrics`)
  const text = await response.text()
  if (response.status !== 200) throw new Error(`/metrics answered ${response.status}: ${text}`)
  return text
}

/** What a server on this machine tells of itself. */
export const metricsText = (url: string): Effect.Effect<string> => Effect.promise(() => fetched(url))

/** What it has counted, of a counter by its name in docs/reference/metrics.md. */
export const counterOf = (url: string, name: string): Effect.Effect<number> =>
  Effect.map(metricsText(url), (text) => sumOf(text, name))
