import { Clock, Effect, Layer, References } from "effect"
import { Command } from "effect/cli"
import type { SqlClient } from "effect/sql/SqlClient"
import { BREAKER_SCOPES } from "../../engine/arena/CircuitBreaker.ts"
import { BreakerRepository } from "../arena/BreakerRepository.ts"
import { Breakers } from "../arena/Breakers.ts"
import { CommandFailed, explained } from "./CommandFailed.ts"
import { json, print } from "./CommandOutput.ts"
import { databaseSource, workingOn } from "./CommandSource.ts"
import { recorded } from "./Recorded.ts"
import { type DatabaseFlags, databaseFlags } from "./SourceFlags.ts"

const onBreakers = <A, E>(given: DatabaseFlags, work: Effect.Effect<A, E, Breakers | SqlClient>) =>
  Effect.flatMap(databaseSource(given), (source) =>
    Effect.provide(
      work,
      Breakers.layer.pipe(Layer.provide(BreakerRepository.layer), Layer.provideMerge(workingOn(source)))
    )
  ).pipe(Effect.provideService(References.MinimumLogLevel, "Error"), explained)

const look = Effect.map(Breakers, (breakers) => ({ statuses: breakers.statuses(), latched: breakers.isLatched() }))

const statusCommand = Command.make(
  "status",
  { ...databaseFlags, json },
  Effect.fnUntraced(function* (given) {
    const report = yield* onBreakers(given, look)
    const lines = BREAKER_SCOPES.map((scope) => {
      const state = report.statuses[scope]
      return `${scope.padEnd(11)}${state}${scope === "global" && report.latched ? ", until it is reset" : ""}`
    })
    yield* print(given.json, report, lines.join("\n"))
  })
).pipe(
  Command.withShortDescription("List the circuit breakers"),
  Command.withDescription("Lists the last recorded state of the arena's circuit breakers."),
  Command.withExamples([{ command: "emporion breaker status" }])
)

const resetCommand = Command.make(
  "reset",
  { ...databaseFlags, json },
  Effect.fnUntraced(function* (given) {
    const before = yield* onBreakers(
      given,
      Effect.gen(function* () {
        const breakers = yield* Breakers
        if (breakers.isLatched()) {
          yield* breakers.reset("global", yield* Clock.currentTimeMillis)
          yield* recorded({ act: "breaker.reset", subjectId: "global" })
          return undefined
        }
        return breakers.statuses().global
      })
    )
    if (before !== undefined) {
      const message = `Nothing is to be reset: the global breaker is ${before}. Only a ledger that does not add up latches it; everything else closes by itself.`
      return yield* new CommandFailed({ message })
    }
    const text =
      "reset  the global breaker is half_open, in a running server within a price interval; it closes after 60 clean seconds"
    yield* print(given.json, { global: "half_open" }, text)
  })
).pipe(
  Command.withShortDescription("Reset the global breaker that a wrong ledger latched"),
  Command.withDescription(
    "Sets the global circuit breaker half-open after a ledger that does not add up has latched it: trading and " +
      "settling go on, and it closes after 60 clean seconds. A running server notices within a price interval. Find " +
      "the reason first, with emporion verify and the log: if the ledger still does not add up, it latches again."
  ),
  Command.withExamples([
    { command: "emporion verify", description: "First: is the log unaltered?" },
    { command: "emporion breaker reset" }
  ])
)

/** The arena's circuit breakers. */
export const breakerCommand = Command.make("breaker").pipe(
  Command.withShortDescription("Look at and reset the arena's circuit breakers"),
  Command.withDescription("Looks at the arena's circuit breakers, and resets the one that does not close by itself."),
  Command.withSubcommands([statusCommand, resetCommand])
)
