/** Sealed texts in JSON as it is written: all other bytes stay, such as integers of any size. */

import { SEALED_PREFIX, sealedIn, withOpened } from "./SealedText.ts"

const STRING = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`

/** An object that has nothing but strings, as metadata is and an address; else a string. */
const PIECE = new RegExp(String.raw`\{${STRING}:${STRING}(?:,${STRING}:${STRING})*\}|${STRING}`, "g")

/** What every object in JSON begins with: a brace. */
const BRACE = 0x7b

const isObject = (json: string): boolean => json.charCodeAt(0) === BRACE

const isSealedPiece = (piece: string): boolean =>
  isObject(piece) ? piece.includes(`"${SEALED_PREFIX}`) : piece.startsWith(`"${SEALED_PREFIX}`)

/** The sealed texts of JSON, each once. What is JSON in a string of it has none. */
export const sealedInJson = (json: string): ReadonlySet<string> => {
  if (!json.includes(SEALED_PREFIX)) return new Set()
  return sealedIn((json.match(PIECE) ?? []).filter(isSealedPiece).map((piece): unknown => JSON.parse(piece)))
}

/** The JSON with its sealed texts replaced as {@link withOpened} replaces those of a value. */
export const withOpenedJson = (json: string, opened: ReadonlyMap<string, string>, unread: string | null): string =>
  json.replaceAll(PIECE, (piece) =>
    isSealedPiece(piece) ? JSON.stringify(withOpened(JSON.parse(piece), opened, unread)) : piece
  )

/** The value with each of its strings that is an object in JSON replaced. */
const mapped = (value: unknown, replaced: (json: string) => string): unknown => {
  if (typeof value === "string") return isObject(value) ? replaced(value) : value
  if (Array.isArray(value)) return value.map((one) => mapped(one, replaced))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapped(one, replaced)]))
}

/** The sealed texts in those strings of a value that are objects in JSON themselves. */
export const sealedInStrings = (value: unknown): ReadonlySet<string> => {
  const found = new Set<string>()
  mapped(value, (json) => {
    for (const text of sealedInJson(json)) found.add(text)
    return json
  })
  return found
}

/** The value with these strings' sealed texts replaced. */
export const withOpenedStrings = (
  value: unknown,
  opened: ReadonlyMap<string, string>,
  unread: string | null
): unknown => mapped(value, (json) => withOpenedJson(json, opened, unread))
