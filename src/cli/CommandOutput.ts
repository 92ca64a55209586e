import { Console, Effect } from "effect"
import { Flag } from "effect/cli"

/** Asks for an answer that a program reads. */
export const json = Flag.Boolean("json").pipe(
  Flag.withDescription("Print one JSON object instead of text"),
  Flag.withDefault(false)
)

/** Prints a report as one or the other. */
export const print = (asJson: boolean, report: object, text: string): Effect.Effect<void> =>
  Console.log(asJson ? JSON.stringify(report) : text)
