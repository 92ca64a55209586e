import { Effect } from "effect"
import { createHash } from "node:crypto"
import { lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** PostgreSQL names its socket after its port, even if it listens on no port. */
export const PORT = 5432

const NAME = `.s.PGSQL.${PORT}`

/** Bytes of a socket's path that every system takes: Linux 107, macOS 103. */
const PATH_LIMIT = 103

/** The file that clients connect to. */
export const socketFile = (folder: string): string => join(folder, NAME)

/** A folder for the socket of a data folder: inside it, or when that path is too long, a short one for temporary files. */
export const socketFolder = (dataDir: string, temporary = tmpdir()): string => {
  const inside = join(dataDir, "socket")
  if (Buffer.byteLength(socketFile(inside)) <= PATH_LIMIT) return inside
  const name = createHash("sha256").update(dataDir).digest("hex").slice(0, 16)
  return join(temporary, `emporion-${name}`)
}

/**
 * Makes the folder for its owner alone, because the socket admits everybody who reaches it. Refuses a folder that
 * somebody else put there. Removes what a killed server left in it.
 */
export const prepareSocketFolder = (folder: string): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const found = lstatSync(folder)
  const isOurs = found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid) && (found.mode & 0o077) === 0
  if (!isOurs) throw new Error(`${folder} belongs to another user or is open to others: remove it`)
  for (const name of readdirSync(folder)) if (name.startsWith(NAME)) rmSync(join(folder, name))
}

/** Removes the folder after the server's end, if it can be. */
export const removeSocketFolder = (folder: string): Effect.Effect<void> =>
  Effect.ignore(Effect.try(() => rmSync(folder, { recursive: true, force: true })))
