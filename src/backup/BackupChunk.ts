/** Rows of a backup, in files that are named for their content. */

import { Effect } from "effect"
import { createHash } from "node:crypto"
import { constants, crc32, zstdCompressSync, zstdDecompressSync } from "node:zlib"
import { BackupFailed, BackupStore } from "./BackupStore.ts"

/** From this many characters on, a chunk ends with a line that a row's own content chooses. */
const MIN_CHARACTERS = 256 * 1024

/** With so many it ends whatever comes. */
const MAX_CHARACTERS = 4 * 1024 * 1024

/** One line in so many may be a chunk's last. */
const ENDING_LINES = 1_024

/** A chunk unpacks to at most so many bytes: {@link MAX_CHARACTERS} and one line of the longest row. */
const MAX_BYTES = 64 * 1024 * 1024

const OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

const FOLDER = "data"

/** The name of the chunk whose bytes have a hash. */
export const chunkName = (hash: string): string => `${FOLDER}/${hash.slice(0, 2)}/${hash}.zst`

/** The names of all chunks. */
export const chunkNames = Effect.gen(function* () {
  const { list } = yield* BackupStore
  const folders = (yield* list(FOLDER)).map((name) => `${FOLDER}/${name}`)
  const names = yield* Effect.forEach(folders, (folder) =>
    Effect.map(list(folder), (files) => files.map((file) => `${folder}/${file}`))
  )
  return names.flat()
})

/**
 * Parts lines in chunks. Where a chunk ends follows from the lines themselves, so that a table in which a few rows came
 * and went has the same chunks but for a few.
 */
export class ChunkWriter {
  #lines: Array<string> = []
  #characters = 0

  /** The lines of a chunk, if this is its last one. */
  add(line: string): ReadonlyArray<string> | undefined {
    this.#lines.push(line)
    this.#characters += line.length + 1
    const isLast = this.#characters >= MIN_CHARACTERS && crc32(line) % ENDING_LINES === 0
    return isLast || this.#characters >= MAX_CHARACTERS ? this.end() : undefined
  }

  /** The lines that are left, if any. */
  end(): ReadonlyArray<string> | undefined {
    const lines = this.#lines
    this.#lines = []
    this.#characters = 0
    return lines.length === 0 ? undefined : lines
  }
}

/** Keeps lines as a chunk, unless it is there. Returns its hash, and its length if it was written. */
export const putChunk = Effect.fnUntraced(function* (lines: ReadonlyArray<string>) {
  const store = yield* BackupStore
  const bytes = zstdCompressSync(lines.join("\n"), OPTIONS)
  const hash = hashOf(bytes)
  if ((yield* store.size(chunkName(hash))) === bytes.length) return { hash, written: 0 }
  yield* store.put(chunkName(hash), bytes)
  return { hash, written: bytes.length }
})

/** The lines of a chunk; fails unless they are those that were kept. */
export const getChunk = Effect.fnUntraced(function* (hash: string) {
  const store = yield* BackupStore
  const bytes = yield* store.get(chunkName(hash))
  const found = hashOf(bytes)
  if (found !== hash) {
    const message = `${chunkName(hash)} of ${store.place} was altered: it hashes to ${found}. Use another copy of the backup.`
    return yield* new BackupFailed({ message })
  }
  const text = yield* Effect.try({
    try: () => zstdDecompressSync(bytes, { maxOutputLength: MAX_BYTES }).toString(),
    catch: () => new BackupFailed({ message: `${chunkName(hash)} of ${store.place} cannot be unpacked.` })
  })
  return text.split("\n")
})
