import { ApiError, CATALOGUE, faulty, refusedBy } from "../api/ApiError.ts"
import { CURSOR_EXPECTED, tagOf } from "../api/Conventions.ts"

/** The field in which a caller says after which row a list goes on. */
type CursorField = keyof typeof CURSOR_EXPECTED

const UNAVAILABLE: ReadonlySet<unknown> = new Set(["Unavailable", "JournalUnavailable"])

const isUnwritten = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "isUnwritten" in error && error.isUnwritten === true

/**
 * The refusal for a failure or a defect, the same over HTTP and on the fast lane; undefined if it is a fault of ours.
 * `cut` is the sentence for work whose outcome nobody knows; undefined if none began.
 */
export const refusalOf = (error: unknown, cursor: CursorField, cut: string | undefined): ApiError | undefined => {
  const refused = refusedBy(error)
  if (refused !== undefined) return refused
  const tag = tagOf(error)
  if (tag === "UnknownCursor") return faulty([{ field: cursor, expected: CURSOR_EXPECTED[cursor] }])
  if (!UNAVAILABLE.has(tag)) return undefined
  return new ApiError("unavailable", isUnwritten(error) ? undefined : cut)
}

/** The sentence for a fault of ours, which an id finds in the logs. */
export const faultOf = (id: string): ApiError<"internal"> =>
  new ApiError("internal", `${CATALOGUE.internal.sentence} Quote the id ${id} to have it looked up.`)
