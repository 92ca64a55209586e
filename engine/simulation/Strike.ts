/** What a fault does to the world of a simulation. Times are in milliseconds. */

import { Predicate, Result, Schema, SchemaAST } from "effect"

const between = (minimum: number, maximum: number) =>
  Schema.Int.check(Schema.isBetween({ minimum, maximum })).annotate({
    description: `a whole number from ${minimum} to ${maximum}`
  })

/** As long as anything lasts. */
const DAY = 86_400_000
const duration = between(1, DAY)

/** What strikes. */
const Strike = Schema.Union([
  /** The next actor that writes dies: before its batch is sent, while it waits, or after the commit. */
  Schema.Struct({
    kind: Schema.Literal("crash_actor"),
    moment: Schema.Literals(["before", "waiting", "after"]).annotate({ description: "before, waiting or after" })
  }),
  /** The process ends with everything in memory; another one starts. */
  Schema.Struct({ kind: Schema.Literal("restart") }),
  /** The next transactions fail, or are written and their answers lost. */
  Schema.Struct({
    kind: Schema.Literal("fail_journal"),
    half: Schema.Boolean.annotate({ description: "true or false" }),
    times: between(1, 1_000)
  }),
  /** Every transaction takes this much longer, for a while. */
  Schema.Struct({ kind: Schema.Literal("slow_journal"), for: duration, by: duration }),
  /** Actors cannot read their history for a while. */
  Schema.Struct({ kind: Schema.Literal("blind_actors"), for: duration }),
  /** A part of the messages sent for a while arrive late, and so out of order. */
  Schema.Struct({ kind: Schema.Literal("delay"), for: duration, by: duration }),
  /** The messages sent for a while arrive twice. */
  Schema.Struct({ kind: Schema.Literal("duplicate"), for: duration, after: between(0, DAY) }),
  Schema.Struct({ kind: Schema.Literal("stall_oracle"), for: duration }),
  /** All prices are off by a factor, in 10⁻⁶, for a while. */
  Schema.Struct({ kind: Schema.Literal("spike_oracle"), for: duration, factor: between(1, 1_000_000_000) }),
  /** The clock is set forward, or back for a negative number of milliseconds. */
  Schema.Struct({ kind: Schema.Literal("jump_clock"), by: between(-30 * DAY, 30 * DAY) }),
  /** The vault takes no new deposits for a while. */
  Schema.Struct({ kind: Schema.Literal("close_vault"), for: duration })
])
export type Strike = typeof Strike.Type

type Fields = Readonly<Record<string, Schema.Top>>

const decode = Schema.decodeUnknownResult(Strike)

const KINDS: ReadonlyMap<unknown, Fields> = new Map(
  Strike.members.map(({ fields: { kind, ...fields } }) => [kind.literal, fields])
)

/** The names of what a kind takes; undefined for a kind that there is not. */
export const fieldsOf = (kind: string): ReadonlyArray<string> | undefined => {
  const fields = KINDS.get(kind)
  return fields === undefined ? undefined : Object.keys(fields)
}

const NO_KIND = `Expected a kind of ${[...KINDS.keys()].join(", ")}`

/** What keeps a strike's fields from being what its kind takes. */
const problemOf = (given: { readonly kind: unknown }, fields: Fields, named: (field: string) => string): string => {
  const names = Object.keys(fields)
  if (!names.every((name) => Predicate.hasProperty(given, name))) {
    return `${String(given.kind)} needs ${names.map(named).join(" and ")}`
  }
  const wrong = Object.entries(fields).filter(([name, field]) => !Schema.is(field)(Reflect.get(given, name)))
  return wrong.map(([name, { ast }]) => `${named(name)} takes ${SchemaAST.resolveDescription(ast)}`).join(", ")
}

/**
 * A strike as somebody else gives it, or what is wrong with it.
 *
 * @param named - how a field is written where the strike comes from
 */
export const readStrike = (
  given: unknown,
  named: (field: string) => string = (field) => field
): Result.Result<Strike, string> => {
  const fields = Predicate.hasProperty(given, "kind") ? KINDS.get(given.kind) : undefined
  if (!Predicate.hasProperty(given, "kind") || fields === undefined) return Result.fail(NO_KIND)
  return Result.mapError(decode(given), () => problemOf(given, fields, named))
}
