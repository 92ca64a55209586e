import { ApiError, CATALOGUE, faulty, refusedBy } from "../api/ApiError.ts"
import { CURSOR_EXPECTED, tagOf } from "../api/Conventions.ts"

/** Where a caller says after which row a list goes on. */
type CursorField = "query.after" | "payload.after"

const UNAVAILABLE: ReadonlySet<unknown> = new Set(["Unavailable", "JournalUnavailable"])

const isUnwritten = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "isUnwritten" in error && error.isUnwritten === true

/**
 * The refusal that a failure or a defect stands for, over HTTP and on the fast lane alike; undefined where it is ours to
 * explain. `cut` is said where nobody knows whether what was begun took effect; undefined where nothing was.
 */
export const refusalOf = (error: unknown, cursor: CursorField, cut: string | undefined): ApiError | undefined => {
  const refused = refusedBy(error)
  if (refused !== undefined) return refused
  const tag = tagOf(error)
  if (tag === "UnknownCursor") return faulty([{ field: cursor, expected: CURSOR_EXPECTED }])
  if (!UNAVAILABLE.has(tag)) return undefined
  return new ApiError("unavailable", isUnwritten(error) ? undefined : cut)
}

/** What is said of a fault of ours, which an id finds in the logs. */
export const faultOf = (id: string): ApiError<"internal"> =>
  new ApiError("internal", `${CATALOGUE.internal.sentence} Quote the id ${id} to have it looked up.`)
