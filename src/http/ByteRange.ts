/** Ranges and preconditions of what never changes. RFC 9110, sections 13 and 14. */

/** Some bytes, from the first to before the last. */
export interface ByteRange {
  readonly from: number
  readonly end: number
}

const RANGE = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i

/**
 * The bytes that a `Range` header asks for: undefined where it asks for all, or in a way that is not served, such as
 * several ranges; `unsatisfiable` where there are none of them.
 */
export const rangeOf = (header: string | undefined, size: number): ByteRange | "unsatisfiable" | undefined => {
  const [, first, last] = RANGE.exec(header ?? "") ?? []
  if (first === undefined || last === undefined || (first === "" && last === "")) return undefined
  if (first === "") {
    const from = Math.max(0, size - Number(last))
    return from < size ? { from, end: size } : "unsatisfiable"
  }
  if (last !== "" && Number(last) < Number(first)) return undefined
  const end = last === "" ? size : Math.min(size, Number(last) + 1)
  return Number(first) < size ? { from: Number(first), end } : "unsatisfiable"
}

/** Whether an `If-None-Match` header names a strong tag, which is given with its quotes. */
export const namesTag = (header: string | undefined, tag: string): boolean =>
  header !== undefined &&
  (header.trim() === "*" || header.split(",").some((one) => one.trim().replace(/^W\//, "") === tag))
