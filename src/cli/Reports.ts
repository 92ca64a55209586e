import type { Difference } from "../../engine/replay/StateDifference.ts"
import { STATE_TABLES } from "../../engine/replay/StateTable.ts"
import type { ExportReport } from "./Exporting.ts"
import type { RepairReport } from "./Repairing.ts"
import type { ReplayReport } from "./Replaying.ts"
import type { VerifyReport } from "./Verifying.ts"
import { eventName, findingText } from "./FindingText.ts"

/** Differences that are shown; the count tells of the rest. */
const SHOWN = 10

const count = (number: number, one: string, many: string = `${one}s`): string =>
  `${number.toLocaleString("en")} ${number === 1 ? one : many}`

const choicesText = ({ recomputed, unpublished }: VerifyReport["choices"]): string =>
  `${count(recomputed, "choice")} recomputed with the published keys; ` +
  `${count(unpublished, "key")} of live orders not published yet`

/** Lines about what the journal has behind the tables: none where it has nothing. */
const tailText = (report: VerifyReport | ReplayReport | ExportReport, what: string): ReadonlyArray<string> =>
  report.unprojected === 0
    ? []
    : [
        `journal  ${count(report.events, "event")} and ${count(report.unprojected, "journal entry", "journal entries")} ` +
          `behind them that the tables do not have yet: ${what}`
      ]

const historyText = ({ days, removed }: VerifyReport): ReadonlyArray<string> =>
  days === 0
    ? []
    : [
        `history  ${count(days, "day")} made anew: each file is what was sealed` +
          (removed === 0 ? "" : `; ${count(removed, "file")} not, whose recorded prices were removed at their age`)
      ]

/** A verification for a person. */
export const verifyText = (report: VerifyReport): string =>
  report.finding === undefined
    ? [
        `chains   ${count(report.events, "event")} in ${count(report.streams, "stream")}: no hash and no number is wrong`,
        `winners  ${choicesText(report.choices)}`,
        ...historyText(report),
        ...tailText(report, "their chains hold too"),
        `log      ${report.sum} at event ${report.events}`
      ].join("\n")
    : `altered  ${findingText(report.finding)}`

const differenceText = ({ table, key, column, expected, stored, event }: Difference): string => {
  const row = `${table} ${key}`
  if (event === undefined) return `${row}: no event makes this row; stored is ${stored}`
  const by = `of ${eventName(event)}`
  return column === undefined
    ? `${row}: the row ${by} is missing; expected is ${expected}`
    : `${row}: ${column} ${by} is expected to be ${JSON.stringify(expected)}, stored is ${JSON.stringify(stored)}`
}

/** A replay for a person. */
export const replayText = (report: ReplayReport): string => {
  if (report.finding !== undefined) return `differs  ${findingText(report.finding)}`
  const { derived, stored } = report.state
  const rows = STATE_TABLES.map((table) => `${table} ${report.rows[table].toLocaleString("en")}`).join(", ")
  const differences = report.differences.slice(0, SHOWN).map((one) => `differs  ${differenceText(one)}`)
  const more = report.differences.length - differences.length
  return [
    `events   ${count(report.events, "event")} in ${count(report.streams, "stream")} decided again as they are recorded`,
    `winners  ${choicesText(report.choices)}`,
    `rows     ${rows}`,
    `derived  ${derived}`,
    stored === undefined ? "stored   none: a file has no tables to compare with" : `stored   ${stored}`,
    ...(stored === undefined || !report.ok ? [] : ["same     the tables hold exactly what the events make"]),
    ...differences,
    ...(more > 0 ? [`differs  ${count(more, "row")} more`] : []),
    ...tailText(report, "decided again too, and not compared"),
    `log      ${report.sum} at event ${report.events}`
  ].join("\n")
}

/** An export for a person. */
export const exportText = (path: string, report: ExportReport): string =>
  report.finding === undefined
    ? [
        `written  ${count(report.events, "event")} to ${path}`,
        ...tailText(report, "they are not in the file"),
        `log      ${report.sum} at event ${report.events}`
      ].join("\n")
    : `altered  ${findingText(report.finding)}; ${path} ends before it`

/** A repair for a person. */
export const repairText = ({ differences, done, events, removed, unprojected, written }: RepairReport): string => {
  if (differences.length === 0) return `same     the tables hold exactly what the ${count(events, "event")} make`
  const more = differences.length - SHOWN
  return [
    ...differences.slice(0, SHOWN).map((one) => `differs  ${differenceText(one)}`),
    ...(more > 0 ? [`differs  ${count(more, "row")} more`] : []),
    `${done ? "written " : "to write"} ${count(written, "row")}`,
    `${done ? "removed " : "to remove"} ${count(removed, "row")}`,
    ...(unprojected > 0 ? [`behind   ${count(unprojected, "event")}, which the next start writes`] : [])
  ].join("\n")
}
