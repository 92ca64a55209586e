/** What a fault does to the world of a simulation. Times are in milliseconds. */

import { Predicate, Result, Schema } from "effect"

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** As long as anything lasts. */
const DAY = 86_400_000
const duration = between(1, DAY)

/** What strikes. */
const Strike = Schema.Union([
  /** The next actor that writes dies: before its batch is sent, while it waits, or after the commit. */
  Schema.Struct({
    kind: Schema.Literal("crash_actor"),
    moment: Schema.Literals(["before", "waiting", "after"])
  }),
  /** The process ends with everything in memory; another one starts. */
  Schema.Struct({ kind: Schema.Literal("restart") }),
  /** The next transactions fail, or are written and their answers lost. */
  Schema.Struct({ kind: Schema.Literal("fail_journal"), half: Schema.Boolean, times: between(1, 1_000) }),
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

const decode = Schema.decodeUnknownResult(Strike)

const KINDS: ReadonlyArray<unknown> = Strike.members.map(({ fields }) => fields.kind.literal)

const isKnown = (given: unknown): boolean =>
  !Predicate.hasProperty(given, "kind") || KINDS.some((kind) => kind === given.kind)

/** A strike as a module of somebody else's gives it, or what is wrong with it. */
export const readStrike = (given: unknown): Result.Result<Strike, string> =>
  isKnown(given)
    ? Result.mapError(decode(given), ({ message }) => message)
    : Result.fail(`Expected a kind of ${KINDS.join(", ")}`)
