import { Result } from "effect"
import { fieldsOf, readStrike, type Strike } from "./Strike.ts"

/**
 * A strike that somebody wants after a step of a scenario. Steps are the groups that are recorded, counted from 1, and 0 is the
 * beginning: up to it everything is as it is without the strike.
 */
export interface GivenStrike {
  readonly after: number
  readonly strike: Strike
}

/** The last step after which a strike can be given, and how many can be. */
const LAST_STEP = 1_000_000_000
export const MAX_STRIKES = 1_000

const SHAPE = /^(\d{1,10}):([a-z_]+)((?::[a-z]+=[\w-]+)*)$/

/** A strike as a command has it, such as `120:delay:for=5000:by=2000`. */
const textOf = ({ after, strike: { kind, ...rest } }: GivenStrike): string =>
  [`${after}:${kind}`, ...Object.entries(rest).map(([name, value]) => `${name}=${String(value)}`)].join(":")

export const strikesText = (strikes: ReadonlyArray<GivenStrike>): string => strikes.map(textOf).join(",")

const valueOf = (text: string): unknown =>
  text === "true" || text === "false" ? text === "true" : /^-?\d+$/.test(text) ? Number(text) : text

const listed = (names: ReadonlyArray<string>): string =>
  names.length === 0 ? "no fields" : names.map((name) => `${name}=`).join(" and ")

const readOne = (text: string): Result.Result<GivenStrike, string> => {
  const [, after = "", kind = "", rest = ""] = SHAPE.exec(text) ?? []
  const step = Number(after)
  if (kind === "" || step > LAST_STEP)
    return Result.fail(`${text} is no strike: write 120:restart, or 120:delay:for=5000:by=2000`)
  const fields = rest
    .split(":")
    .filter((field) => field !== "")
    .map((field): [string, unknown] => {
      const [name = "", value = ""] = field.split("=")
      return [name, valueOf(value)]
    })
  const names = fields.map(([name]) => name)
  const known = fieldsOf(kind) ?? names
  const twice = names.find((name, index) => names.indexOf(name) < index)
  const strange = names.find((name) => !known.includes(name))
  if (twice !== undefined) return Result.fail(`${text}: give ${twice}= once`)
  if (strange !== undefined) return Result.fail(`${text}: ${kind} takes ${listed(known)}, not ${strange}=`)
  return readStrike({ kind, ...Object.fromEntries(fields) }, (field) => `${field}=`).pipe(
    Result.map((strike) => ({ after: step, strike })),
    Result.mapError((problem) => `${text}: ${problem}`)
  )
}

/** Strikes as a command has them, with commas between, or what is wrong with them. */
export const readStrikes = (text: string): Result.Result<ReadonlyArray<GivenStrike>, string> => {
  const all = text.split(",")
  return all.length > MAX_STRIKES
    ? Result.fail(`at most ${MAX_STRIKES} strikes can be given`)
    : Result.all(all.map(readOne))
}
