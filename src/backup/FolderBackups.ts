import { Effect, Layer } from "effect"
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import { BackupFailed, BackupStore } from "./BackupStore.ts"

/** What a file is called until it is whole. */
const PART = ".part"

const doing = <A>(path: string, done: string, what: () => A): Effect.Effect<A, BackupFailed> =>
  Effect.try({
    try: what,
    catch: (error) =>
      new BackupFailed({ message: `${path} cannot be ${done}: ${error instanceof Error ? error.message : error}.` })
  })

const sync = (path: string): void => {
  const file = openSync(path, "r")
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Makes a folder with those above it, so that a crash does not lose them. */
const makeFolder = (folder: string): void => {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = folder; made !== dirname(first); made = dirname(made)) sync(dirname(made))
}

/** The file has its name only once it is whole and on the disk. */
const write = (path: string, bytes: Uint8Array): void => {
  makeFolder(dirname(path))
  writeFileSync(`${path}${PART}`, bytes, { mode: 0o600, flush: true })
  renameSync(`${path}${PART}`, path)
  sync(dirname(path))
}

const namesIn = (path: string, after = ""): ReadonlyArray<string> =>
  statSync(path, { throwIfNoEntry: false }) === undefined
    ? []
    : readdirSync(path)
        .filter((name) => name > after && !name.endsWith(PART))
        .toSorted()

/** Backups in a folder, for its owner alone. */
export const layer = (folder: string): Layer.Layer<BackupStore> =>
  Layer.succeed(
    BackupStore,
    BackupStore.of({
      place: folder,
      put: (name, bytes) => doing(join(folder, name), "written", () => write(join(folder, name), bytes)),
      get: (name) => doing(join(folder, name), "read", () => readFileSync(join(folder, name))),
      size: (name) =>
        doing(join(folder, name), "read", () => statSync(join(folder, name), { throwIfNoEntry: false })?.size),
      list: (name, after) => doing(join(folder, name), "read", () => namesIn(join(folder, name), after)),
      remove: (name) => doing(join(folder, name), "removed", () => rmSync(join(folder, name), { force: true }))
    })
  )
