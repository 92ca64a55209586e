import { Config, Data, Effect, Option, Result } from "effect"
import { existsSync, realpathSync, statSync } from "node:fs"
import { resolve } from "node:path"
import { type Amount, format, parse } from "../engine/money/Amount.ts"
import { isNetwork } from "./Network.ts"

/** A setting that was given wrongly or is missing. Its message is one line; the value of a secret is never in it. */
export class SettingRefused extends Data.TaggedError("SettingRefused")<{
  /** The variable's name, such as `PORT`. */
  readonly variable: string
  /** What was given: undefined when nothing was, or when it may not be shown. */
  readonly given: string | undefined
  /** What would be accepted, as the end of the sentence "expected …". */
  readonly expected: string
}> {
  override get message(): string {
    const found = this.given === undefined ? "" : `, not ${JSON.stringify(this.given.slice(0, GIVEN_SHOWN))}`
    return `${this.variable}: expected ${this.expected}${found}.`
  }
}

/** Characters of a wrong value that a refusal repeats. */
const GIVEN_SHOWN = 200

/** How one variable's text becomes a value: undefined means that it is refused. */
export interface Reading<A> {
  readonly expected: string
  readonly parse: (text: string) => A | undefined
  /** The text is never repeated. */
  readonly secret?: boolean
}

/** The text of a variable, trimmed; an empty one counts as unset. */
const textOf = (variable: string): Effect.Effect<string | undefined> =>
  Config.option(Config.String(variable)).pipe(
    Effect.orDie,
    Effect.map((found) => (Option.isSome(found) ? found.value.trim() || undefined : undefined))
  )

/** Reads a variable that may be absent. */
export const optional = Effect.fnUntraced(function* <A>(
  variable: string,
  reading: Reading<A>
): Effect.fn.Return<A | undefined, SettingRefused> {
  const text = yield* textOf(variable)
  if (text === undefined) return undefined
  const value = reading.parse(text)
  if (value !== undefined) return value
  const given = reading.secret === true ? undefined : text
  return yield* new SettingRefused({ variable, given, expected: reading.expected })
})

/** Reads a variable that has a default. */
export const withDefault = <A>(variable: string, reading: Reading<A>, value: A): Effect.Effect<A, SettingRefused> =>
  Effect.map(optional(variable, reading), (read) => read ?? value)

/** A whole number of the named unit, with both bounds included. */
export const integer = (min: number, max: number, unit: string): Reading<number> => ({
  expected: `a whole number of ${unit} from ${min} to ${max}`,
  parse: (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : undefined
    return value !== undefined && value >= min && value <= max ? value : undefined
  }
})

/** A part of one with six decimals at most, both bounds included, in 10⁻⁶. */
export const fraction = (max: Amount): Reading<Amount> => ({
  expected: `a decimal from 0 to ${format(max)}`,
  parse: (text) => {
    const value = Result.getOrUndefined(parse(text))
    return value !== undefined && value >= 0n && value <= max ? value : undefined
  }
})

/** A part of all. */
export const share: Reading<number> = {
  expected: "a number from 0 to 1, such as 0.01",
  parse: (value) => (/^(0|1|0?\.\d{1,9}|1\.0{1,9})$/.test(value) ? Number(value) : undefined)
}

/** One of the words, in any case. */
export const oneOf = <const W extends string>(...words: ReadonlyArray<W>): Reading<W> => ({
  expected: `one of ${words.join(", ")}`,
  parse: (text) => words.find((word) => word === text.toLowerCase())
})

/** A switch. */
export const onOff: Reading<boolean> = {
  expected: "on or off",
  parse: (text) => ({ on: true, off: false })[text.toLowerCase()]
}

/** Any text. */
export const text: Reading<string> = { expected: "a text", parse: (value) => value }

/** A folder that is there, as its real, absolute path. */
export const folder: Reading<string> = {
  expected: "a folder that is there",
  parse: (path) => (existsSync(path) && statSync(path).isDirectory() ? realpathSync(resolve(path)) : undefined)
}

/** Any text that is not to be shown. */
export const secretText = (min: number): Reading<string> => ({
  expected: `at least ${min} characters`,
  parse: (value) => (value.length >= min ? value : undefined),
  secret: true
})

/** An absolute URL of one of the protocols (each with its colon). It may carry a password and is not shown. */
export const url = (...protocols: ReadonlyArray<string>): Reading<URL> => ({
  expected: `a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`,
  parse: (value) => {
    const parsed = URL.canParse(value) ? new URL(value) : undefined
    return parsed !== undefined && protocols.includes(parsed.protocol) ? parsed : undefined
  },
  secret: true
})

/** A mail address. */
export const email: Reading<string> = {
  expected: "a mail address such as admin@example.com",
  parse: (value) => (/^[^\s@]+@[^\s@]+$/.test(value) && value.length <= 254 ? value : undefined)
}

/** Addresses and networks in CIDR notation, with commas between. */
export const networks: Reading<ReadonlyArray<string>> = {
  expected: "addresses or networks with commas between, such as 10.0.0.0/8, 192.168.1.7",
  parse: (value) => {
    const list = value.split(",").map((network) => network.trim())
    return list.every(isNetwork) ? list : undefined
  }
}

/** An origin is its own text: a scheme, a host and perhaps a port, and nothing more. */
const isOrigin = (origin: string): boolean =>
  /^https?:\/\//.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin

/** Origins of pages, with commas between. */
export const origins: Reading<ReadonlyArray<string>> = {
  expected: "origins with commas between, such as https://app.example.com, http://localhost:5173",
  parse: (value) => {
    const list = value.split(",").map((origin) => origin.trim())
    return list.every(isOrigin) ? list : undefined
  }
}
