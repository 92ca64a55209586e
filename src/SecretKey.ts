import { Effect, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { SettingRefused } from "./Setting.ts"
import type { Reading } from "./Setting.ts"

/** The 32 bytes under which signing keys, webhook secrets and personal data are encrypted at rest. */
export type SecretKey = Redacted.Redacted<Uint8Array>

const LENGTH = 32

const parse = (text: string): SecretKey | undefined => {
  const isHex = /^[0-9a-fA-F]{64}$/.test(text)
  if (!isHex && !/^[0-9A-Za-z+/_-]{43}=?$/.test(text)) return undefined
  const bytes = Buffer.from(text, isHex ? "hex" : "base64")
  return bytes.length === LENGTH ? Redacted.make(new Uint8Array(bytes)) : undefined
}

/** `SECRET_KEY` as it is given: 64 hexadecimal digits, or base64 of 32 bytes. */
export const secretKey: Reading<SecretKey> = {
  expected: "32 random bytes, as 64 hexadecimal digits or in base64 (openssl rand -hex 32)",
  parse,
  secret: true
}

/** Distinct bytes that 32 random ones have but for one key in 10⁹. */
const MIN_DISTINCT = 20

const isText = (bytes: Uint8Array): boolean => bytes.every((byte) => byte >= 0x20 && byte < 0x7f)

/** Whether bytes may have been drawn at random: no zeros, no repeated or counted pattern, no readable text. */
export const looksRandom = (bytes: Uint8Array): boolean => {
  const steps = bytes.map((byte, at) => byte - (bytes[at - 1] ?? 0))
  return new Set(bytes).size >= MIN_DISTINCT && new Set(steps.slice(1)).size >= MIN_DISTINCT && !isText(bytes)
}

/** Creates the file whole or not at all, and never over an existing one. */
const createOnce = (folder: string, file: string): void => {
  const draft = join(folder, `secret.key.${process.pid}.${randomBytes(4).toString("hex")}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(draft, `${randomBytes(LENGTH).toString("hex")}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(draft, file)
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined)

const readOrCreate = (folder: string, file: string): string => {
  try {
    return readFileSync(file, "utf8")
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error
    createOnce(folder, file)
    return readFileSync(file, "utf8")
  }
}

/** Where the sandbox's own key is kept in a data folder. */
export const keptKeyFile = (folder: string): string => join(folder, "secret.key")

const inFolder = <A>(folder: string, work: () => A): Effect.Effect<A, SettingRefused> =>
  Effect.try({
    try: work,
    catch: (error) =>
      new SettingRefused({
        variable: "DATA_DIR",
        given: folder,
        expected: `a folder in which secret.key can be read and written (${codeOf(error)})`
      })
  })

const keptIn = Effect.fnUntraced(function* (folder: string, file: string): Effect.fn.Return<SecretKey, SettingRefused> {
  const text = yield* inFolder(folder, () => readOrCreate(folder, file))
  const key = parse(text.trim())
  if (key !== undefined) return key
  return yield* new SettingRefused({
    variable: "SECRET_KEY",
    given: undefined,
    expected: `64 hexadecimal digits in ${file}; restore the file, or remove it if nothing encrypted is to be kept`
  })
})

/** The sandbox's own key, made at the first start and kept in the data folder's `secret.key`, for its owner alone. */
export const keptSecretKey = Effect.fn("SecretKey.kept")((folder: string) => keptIn(folder, keptKeyFile(folder)))

const nextKeyFile = (folder: string): string => join(folder, "secret.key.next")

/** The key that is to take the place of the sandbox's own: made once, and kept beside it until it does. */
export const keptNextKey = Effect.fn("SecretKey.keptNext")((folder: string) => keptIn(folder, nextKeyFile(folder)))

/** Puts the next key in the place of the sandbox's own, in one step: a crash leaves the one or the other. */
export const adoptNextKey = Effect.fn("SecretKey.adoptNext")((folder: string) =>
  inFolder(folder, () => {
    renameSync(nextKeyFile(folder), keptKeyFile(folder))
    const directory = openSync(folder, "r")
    fsyncSync(directory)
    closeSync(directory)
  })
)
