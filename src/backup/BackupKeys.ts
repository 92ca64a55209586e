/** The keys of the people that a place's backups are about. */

import { Effect } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { createHash } from "node:crypto"
import { keyName } from "../identity/secrets/KeyRotation.ts"
import * as Seal from "../identity/secrets/Seal.ts"
import { Secrets } from "../identity/secrets/Secrets.ts"
import { BackupFailed, BackupStore } from "./BackupStore.ts"

const FOLDER = "keys"

/** Files that the keys are spread over, so that a new one does not write all of them again. */
const FILES = 64

/** Files that are read or written at once. */
const CONCURRENCY = 8

const hashOf = (text: string): Buffer => createHash("sha256").update(text, "utf8").digest()

/** The file that somebody's key is in: two hexadecimal digits. */
const fileOf = (id: string): string => ((hashOf(id)[0] ?? 0) % FILES).toString(16).padStart(2, "0")

const purposeOf = (id: string): string => `backup-key/${id}`

/** Lines of an id and a sealed key, behind their own hash. */
const textOf = (lines: ReadonlyArray<string>): string => {
  const text = lines.toSorted().join("\n")
  return `${hashOf(text).toString("hex")}\n${text}`
}

const readLines = Effect.fnUntraced(function* (name: string) {
  const store = yield* BackupStore
  const [hash, ...lines] = new TextDecoder().decode(yield* store.get(name)).split("\n")
  if (hash === hashOf(lines.join("\n")).toString("hex")) return lines.filter((line) => line !== "")
  return yield* new BackupFailed({ message: `${name} of ${store.place} was altered. Use another copy of the backup.` })
})

const writeLines = Effect.fnUntraced(function* (name: string, lines: ReadonlyArray<string>) {
  const { put } = yield* BackupStore
  yield* put(name, new TextEncoder().encode(textOf(lines)))
})

const idOf = (line: string): string => line.slice(0, line.indexOf(" "))

/** The names of all files with keys, whichever `SECRET_KEY` they are sealed under. */
export const keyFiles = Effect.gen(function* () {
  const { list } = yield* BackupStore
  const folders = yield* list(FOLDER)
  const names = yield* Effect.forEach(folders, (folder) =>
    Effect.map(list(`${FOLDER}/${folder}`), (files) => files.map((file) => `${FOLDER}/${folder}/${file}`))
  )
  return names.flat()
})

/**
 * Whether a place has a file of keys under the `SECRET_KEY` of this name. It also has one, without keys, where everybody
 * was forgotten.
 */
export const hasKeys = Effect.fnUntraced(function* (name: string) {
  const { list } = yield* BackupStore
  return (yield* list(`${FOLDER}/${name}`)).length > 0
})

/** Reads every file of keys. Fails at the first that is not what was kept; answers how many there are. */
export const auditKeys = Effect.gen(function* () {
  const names = yield* keyFiles
  yield* Effect.forEach(names, readLines, { concurrency: CONCURRENCY, discard: true })
  return names.length
})

/** The keys under one `SECRET_KEY`, as they are in a place and as they are to be. */
export class BackupKeys {
  readonly #folder: string
  readonly #keys = new Map<string, Uint8Array>()
  readonly #boxes = new Map<string, string>()
  readonly #changed = new Set<string>()
  /** The files that the place has. */
  readonly #files: Set<string>

  /** @param files - the names of the files in the folder */
  constructor(folder: string, files: ReadonlyArray<string>) {
    this.#folder = folder
    this.#files = new Set(files)
  }

  /** Whether the place has all of its files, and no others. */
  get isThere(): Effect.Effect<boolean, BackupFailed, BackupStore> {
    return Effect.map(
      Effect.flatMap(BackupStore, ({ list }) => list(this.#folder)),
      (files) => files.length === this.#files.size && files.every((file) => this.#files.has(file))
    )
  }

  /** Somebody's key, if there is one. */
  get(id: string): Uint8Array | undefined {
    return this.#keys.get(id)
  }

  /** Takes a key that a place has. */
  load(id: string, key: Uint8Array, box: string): void {
    this.#keys.set(id, key)
    this.#boxes.set(id, box)
  }

  /** Takes a new key, which {@link save} keeps. */
  add(id: string, key: Uint8Array, box: string): void {
    this.load(id, key, box)
    this.#changed.add(fileOf(id))
  }

  /** Forgets people for good, once it is saved. */
  forget(ids: Iterable<string>): void {
    for (const id of ids) {
      this.#boxes.delete(id)
      if (this.#keys.delete(id)) this.#changed.add(fileOf(id))
    }
  }

  /** Writes the files that changed. */
  get save(): Effect.Effect<void, BackupFailed, BackupStore> {
    return Effect.suspend(() => {
      const files = new Map([...this.#changed].map((file) => [file, [] as Array<string>]))
      for (const [id, box] of this.#boxes) files.get(fileOf(id))?.push(`${id} ${box}`)
      return Effect.forEach(
        files,
        ([file, lines]) =>
          Effect.andThen(
            writeLines(`${this.#folder}/${file}`, lines),
            Effect.sync(() => {
              this.#changed.delete(file)
              this.#files.add(file)
            })
          ),
        { concurrency: CONCURRENCY, discard: true }
      )
    })
  }

  /** Forgets people also where their keys are sealed under another `SECRET_KEY`, of before. */
  static readonly forgetElsewhere = Effect.fnUntraced(function* (ids: ReadonlySet<string>) {
    const own = `${FOLDER}/${keyName(yield* Secrets)}/`
    for (const name of yield* keyFiles) {
      if (name.startsWith(own)) continue
      const lines = yield* readLines(name)
      const left = lines.filter((line) => !ids.has(idOf(line)))
      if (left.length < lines.length) yield* writeLines(name, left)
    }
  })
}

/** The keys of a place under the `SECRET_KEY` of now. */
export const loadKeys = Effect.fn("backup.loadKeys")(function* () {
  const secrets = yield* Secrets
  const { list, place } = yield* BackupStore
  const folder = `${FOLDER}/${keyName(secrets)}`
  const files = yield* list(folder)
  const keys = new BackupKeys(folder, files)
  const lines = yield* Effect.forEach(files, (file) => readLines(`${folder}/${file}`), { concurrency: CONCURRENCY })
  for (const line of lines.flat()) {
    const id = idOf(line)
    const box = line.slice(id.length + 1)
    const key = yield* Effect.mapError(
      secrets.open(purposeOf(id), Buffer.from(box, "base64")),
      () => new BackupFailed({ message: `The key of ${id} in ${place} does not open. Use another copy of the backup.` })
    )
    keys.load(id, key, box)
  }
  return keys
})

/** Draws a key for each of these who has none. */
export const drawKeys = Effect.fnUntraced(function* (keys: BackupKeys, ids: Iterable<string>) {
  const [random, secrets] = [yield* SecureRandom, yield* Secrets]
  for (const id of ids) {
    if (keys.get(id) !== undefined) continue
    const key = yield* random.randomBytes(Seal.KEY_LENGTH)
    keys.add(id, key, Buffer.from(yield* secrets.seal(purposeOf(id), key)).toString("base64"))
  }
})
