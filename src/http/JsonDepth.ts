/** How deep arrays and objects may stand in each other. */
export const MAX_DEPTH = 64

/** Texts up to this length are read without a scan: they cost little, however deep they nest. */
export const SMALL_LENGTH = 16_384

const QUOTE = 34
const BACKSLASH = 92

/** The end of a JSON string that begins after a quote; the end of the text if it has none. */
const endOfString = (text: string, begin: number): number => {
  for (let end = text.indexOf('"', begin); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1
    if (backslashes % 2 === 0) return end
  }
  return text.length
}

/**
 * Whether a JSON text nests deeper than {@link MAX_DEPTH}. A mebibyte of brackets costs the runtime's reader a fifth of
 * a second and fifty megabytes, so this scan comes first.
 */
export const isTooDeep = (text: string): boolean => {
  if (text.length <= SMALL_LENGTH) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at + 1)
    // [ and {, and ] and }, differ only in bit 5.
    else if ((code | 32) === 123) depth += 1
    else if ((code | 32) === 125) depth -= 1
    if (depth > MAX_DEPTH) return true
  }
  return false
}
