import { isMet, type Row } from "./Row.ts"
import type { Spread } from "./Sample.ts"

const HEAD = ["", "measured", "Emporion", "peer", "ratio", "target"]

/** Three digits that say something, and whole numbers from a hundred on. */
export const shown = (value: number): string => {
  if (!Number.isFinite(value)) return "none"
  const size = Math.abs(value)
  if (size >= 100) return Math.round(value).toLocaleString("en-US")
  return String(Number(value.toPrecision(3)))
}

const spread = (found: Spread | undefined, unit = ""): string => {
  if (found === undefined) return ""
  const value = `${shown(found.median)}${unit}`
  return found.rounds === 1 ? value : `${value} (${shown(found.min)}–${shown(found.max)})`
}

const peerOf = ({ peer, peerName, unit }: Row): string =>
  peer === undefined ? "" : `${spread(peer, ` ${unit}`)}${peerName === undefined ? "" : ` ${peerName}`}`

const targetOf = (row: Row): string => {
  if (row.target === undefined) return ""
  const { bound, at, goal } = row.target
  const sign = at === "least" ? "≥" : "≤"
  const hoped = goal === undefined ? "" : `, goal ${shown(goal)}`
  return `${sign} ${shown(bound)}${hoped}: ${isMet(row) === true ? "met" : "not met"}`
}

const cells = (row: Row): ReadonlyArray<string> => [
  row.key,
  row.what,
  spread(row.ours, ` ${row.unit}`),
  peerOf(row),
  row.ratio === undefined ? "" : `${spread(row.ratio)}×`,
  targetOf(row)
]

/** The rows as one table of plain text, which is a table of Markdown too. */
export const table = (rows: ReadonlyArray<Row>): string => {
  const all = [HEAD, ...rows.map(cells)]
  const widths = HEAD.map((_, column) => Math.max(...all.map((line) => line[column]?.length ?? 0)))
  const line = (parts: ReadonlyArray<string>): string =>
    `| ${parts.map((part, column) => part.padEnd(widths[column] ?? 0)).join(" | ")} |`
  const [head = [], ...body] = all
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("\n")
}
