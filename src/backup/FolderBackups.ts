import { Effect, Layer, Predicate } from "effect"
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { BackupFailed, BackupStore } from "./BackupStore.ts"

/** What a file is called until it is whole. */
const PART = ".part"

/** @param what - ends early, as a failure, once the signal is given */
const doing = <A>(
  path: string,
  done: string,
  what: (signal: AbortSignal) => Promise<A>
): Effect.Effect<A, BackupFailed> =>
  Effect.tryPromise({
    try: what,
    catch: (error) =>
      new BackupFailed({ message: `${path} cannot be ${done}: ${error instanceof Error ? error.message : error}.` })
  })

const sync = async (path: string): Promise<void> => {
  const file = await open(path, "r")
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Makes a folder with those above it, so that a crash does not lose them. */
const makeFolder = async (folder: string): Promise<void> => {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = folder; made !== dirname(first); made = dirname(made)) await sync(dirname(made))
}

const writeWhole = async (path: string, bytes: Uint8Array): Promise<void> => {
  const file = await open(path, "w", 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The file has its name only once it is whole and on the disk, and never once nobody waits for it any more. */
const write = async (path: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> => {
  await makeFolder(dirname(path))
  signal.throwIfAborted()
  await writeWhole(`${path}${PART}`, bytes)
  signal.throwIfAborted()
  await rename(`${path}${PART}`, path)
  await sync(dirname(path))
}

/** Undefined where there is no such file. */
const ifThere = async <A>(found: Promise<A>): Promise<A | undefined> => {
  try {
    return await found
  } catch (error) {
    if (Predicate.hasProperty(error, "code") && error.code === "ENOENT") return undefined
    throw error
  }
}

const namesIn = async (path: string, after = ""): Promise<ReadonlyArray<string>> =>
  ((await ifThere(readdir(path))) ?? []).filter((name) => name > after && !name.endsWith(PART)).toSorted()

const SECOND = 1_000_000_000n

/** When names last came or went, in nanoseconds; undefined on file systems that may know only seconds, of which some have two. */
const stampOf = async (path: string): Promise<string | undefined> => {
  const found = await ifThere(stat(path, { bigint: true }))
  return found === undefined || found.mtimeNs % SECOND === 0n ? undefined : `${found.ino}/${found.mtimeNs}`
}

/** Backups in a folder, for its owner alone. */
export const layer = (folder: string): Layer.Layer<BackupStore> =>
  Layer.succeed(
    BackupStore,
    BackupStore.of({
      place: folder,
      put: (name, bytes) => doing(join(folder, name), "written", (signal) => write(join(folder, name), bytes, signal)),
      get: (name) => doing(join(folder, name), "read", (signal) => readFile(join(folder, name), { signal })),
      size: (name) => doing(join(folder, name), "read", async () => (await ifThere(stat(join(folder, name))))?.size),
      list: (name, after) => doing(join(folder, name), "read", () => namesIn(join(folder, name), after)),
      stamp: (name) => doing(join(folder, name), "read", () => stampOf(join(folder, name))),
      remove: (name) => doing(join(folder, name), "removed", () => rm(join(folder, name), { force: true }))
    })
  )
