import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { isoDay } from "../api/UtcDay.ts"
import { DAY } from "../arena/history/HistoryDay.ts"
import { CommandMisused } from "./CommandFailed.ts"
import { day } from "./CustodyStatement.ts"

/** A day of UTC that may be left out, as days since 1970. */
export const dayFlag = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withDescription(description),
    Flag.withMetavar("DAY"),
    Flag.filterMap(
      (text) => Option.map(Option.fromUndefinedOr(day.parse(text)), (at) => at / DAY),
      () => `Expected ${day.expected}`
    ),
    Flag.optional
  )

/** Refuses a period that ends before it begins. Its days are as people write them. */
export const inOrder = (from: string, to: string): Effect.Effect<void, CommandMisused> =>
  from <= to
    ? Effect.void
    : Effect.fail(new CommandMisused({ message: `--from ${from} is after --to ${to}: swap them.` }))

/** The days from the first to the last that are asked for, by {@link dayFlag}. */
export const daysOf = Effect.fnUntraced(function* (given: {
  readonly from: Option.Option<number>
  readonly to: Option.Option<number>
}) {
  const { from, to } = given
  if (Option.isSome(from) && Option.isSome(to)) yield* inOrder(isoDay(from.value), isoDay(to.value))
  return { from: Option.getOrElse(from, () => 0), to: Option.getOrElse(to, () => Infinity) }
})
