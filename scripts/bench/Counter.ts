import { Effect } from "effect"

/** The sum of a counter's series in Prometheus' text format, 0 where it has none yet. */
export const sumOf = (text: string, name: string): number =>
  text
    .split("\n")
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0)

const counted = async (url: string, name: string): Promise<number> => {
  const response = await fetch(`${url}/metrics`)
  const text = await response.text()
  if (response.status !== 200) throw new Error(`/metrics answered ${response.status}: ${text}`)
  return sumOf(text, name)
}

/** What a server on this machine has counted, of a counter by its name in docs/reference/metrics.md. */
export const counterOf = (url: string, name: string): Effect.Effect<number> => Effect.promise(() => counted(url, name))
