import type { Answer, Query, RowOf } from "../Contract.ts"
import type { Tone } from "../ui/Badge.tsx"

/** A request as it is listed. */
export type RequestRow = RowOf<"GET /v1/requests">

/** The parts of a commit's time. */
export type Phases = NonNullable<Answer<"GET /v1/requests/:id">["phases"]>

/** Where a request is shown, by its id in the log or its own id. */
export const requestPath = (id: string): string => `/requests/${encodeURIComponent(id)}`

/** The colour of a status. */
export const toneOf = (status: number): Tone => (status >= 500 ? "bad" : status >= 400 ? "wait" : "good")

/** A length in bytes: `412 B`, `3.4 KB`. Nothing where it is not known. */
export const bytesText = (bytes: number | null): string =>
  bytes === null ? "" : bytes < 1_000 ? `${bytes} B` : `${(bytes / 1_000).toFixed(1)} KB`

/** Why no body of a refused request is shown, by the length that it said; `null` where it said none. */
export const noBodyText = (bytes: number | null): string =>
  `None is kept: it ${bytes === null ? "had none, " : ""}was refused before it was read, has more than 8,192 characters, or is no JSON.`

/** The parts of a request's time that add up to it, in their order. */
export const phaseParts = (phases: Phases): ReadonlyArray<readonly [string, number]> => [
  ["Reading and checks", phases.checks_ms],
  ["Queue and decision", phases.decision_ms],
  ["Writing to the journal", phases.append_ms],
  ["Answer", phases.answer_ms]
]

/** A filter's choice of answers. */
export type Shown = "all" | "refused" | "2xx" | "4xx" | "5xx"

/** What is filtered by, as the person wrote it. */
export interface Filters {
  readonly shown: Shown
  readonly operation: string
  readonly path: string
  readonly code: string
}

const isGiven = (text: string): boolean => text.trim() !== ""

/** The query of these filters. */
export const queryOf = ({ code, operation, path, shown }: Filters): Query<"GET /v1/requests"> => ({
  ...(shown === "all" ? {} : { status: shown }),
  ...(isGiven(operation) ? { operation: operation.trim() } : {}),
  ...(isGiven(path) ? { path: path.trim() } : {}),
  ...(isGiven(code) ? { code: code.trim() } : {})
})
