import { Option } from "effect"
import { Flag } from "effect/cli"
import { DAY } from "../arena/history/HistoryDay.ts"
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
