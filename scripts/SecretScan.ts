import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** The variable that names the folder where a run's processes write what they used and what was logged. */
export const SECRETS_FOLDER = "TEST_SECRETS"

/** Characters of the shortest text that counts as a secret. */
export const MIN_LENGTH = 12

/** The sandbox's mails are logged to be read, with the token that they carry; elsewhere they are sent. */
export const MAILED = /^(\{"message":")?\W*Mail to \S+: /

/** A secret that a test used. */
export interface UsedSecret {
  /** Such as `refresh_token`. */
  readonly what: string
  readonly value: string
}

/** What was logged. */
export interface LogLine {
  /** Whose log, such as `server`. */
  readonly from: string
  readonly text: string
}

/** A secret that is in a log. */
export interface Leak {
  readonly what: string
  readonly from: string
  /** The log's text around it, without the secret. */
  readonly excerpt: string
}

const SHOWN = 80

/** Every text's first characters, by which all of them are looked for at once. */
const byHead = (secrets: Iterable<UsedSecret>): ReadonlyMap<string, ReadonlyArray<UsedSecret>> => {
  const heads = new Map<string, Array<UsedSecret>>()
  for (const secret of secrets) {
    const head = secret.value.slice(0, MIN_LENGTH)
    const same = heads.get(head)
    if (same === undefined) heads.set(head, [secret])
    else same.push(secret)
  }
  return heads
}

/** The secrets that are in the logs, each once for each of the logs' lines. */
export const leaks = (secrets: Iterable<UsedSecret>, lines: Iterable<LogLine>): ReadonlyArray<Leak> => {
  const heads = byHead(secrets)
  const found: Array<Leak> = []
  for (const { from, text } of lines) {
    for (let at = 0; at + MIN_LENGTH <= text.length; at++) {
      const candidates = heads.get(text.slice(at, at + MIN_LENGTH))
      const leaked = candidates?.find(({ value }) => text.startsWith(value, at))
      if (leaked === undefined) continue
      const end = at + leaked.value.length
      const excerpt = `${text.slice(Math.max(0, at - SHOWN), at)}[${leaked.what}]${text.slice(end, end + SHOWN)}`
      found.push({ what: leaked.what, from, excerpt })
      at = end - 1
    }
  }
  return found
}

const linesOf = (folder: string, kind: string): ReadonlyArray<unknown> =>
  readdirSync(folder)
    .filter((name) => name.startsWith(`${kind}-`))
    .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"))
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as unknown)

/** What a run's processes left in the folder, and what is wrong with it. */
export const scan = (
  folder: string
): { readonly secrets: number; readonly lines: number; readonly leaks: ReadonlyArray<Leak> } => {
  const secrets = new Map((linesOf(folder, "secrets") as ReadonlyArray<UsedSecret>).map((one) => [one.value, one]))
  const lines = linesOf(folder, "log") as ReadonlyArray<LogLine>
  return { secrets: secrets.size, lines: lines.length, leaks: leaks(secrets.values(), lines) }
}
