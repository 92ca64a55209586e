import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib"

/** Texts of fewer UTF-16 code units are kept as they are: PostgreSQL keeps them in the row itself. */
const PACKED_LENGTH = 2_000

/** The mark before a packed text. No text to pack begins with it. */
const MARK = "\t"

const OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/**
 * A text as it is stored: a long one as a tab, and its Zstandard frame in Base64. Rows of the journal repeat
 * themselves, so a sixth of them is left, and PostgreSQL's time for a row depends on its length.
 *
 * @param text - does not begin with a tab
 */
export const pack = (text: string): string =>
  text.length < PACKED_LENGTH ? text : MARK + zstdCompressSync(text, OPTIONS).toString("base64")

/** The text that {@link pack} was given. Other stored texts stay as they are, for the check of hashes to find. */
export const unpack = (stored: string): string => {
  if (!stored.startsWith(MARK)) return stored
  const base64 = stored.slice(MARK.length)
  const frame = Buffer.from(base64, "base64")
  // Reading skips whatever is not Base64.
  if (frame.toString("base64") !== base64) return stored
  try {
    return zstdDecompressSync(frame).toString()
  } catch {
    return stored
  }
}
