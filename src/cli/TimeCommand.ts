import { DateTime, Effect, Layer, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { machineTime } from "../../engine/journal/TimeLead.ts"
import { databaseFacts } from "../database/DatabaseFacts.ts"
import { nodesNow } from "../database/NodeRepository.ts"
import { MAX_AHEAD, refusalOf } from "../sandbox/SandboxClock.ts"
import { SandboxClockRepository } from "../sandbox/SandboxClockRepository.ts"
import * as Setting from "../Setting.ts"
import { isoUtc } from "../api/Timestamp.ts"
import { CommandFailed, CommandMisused, explained } from "./CommandFailed.ts"
import { json, print } from "./CommandOutput.ts"
import { databaseSource, workingOn } from "./CommandSource.ts"
import { recorded } from "./Recorded.ts"
import { type DatabaseFlags, databaseFlags } from "./SourceFlags.ts"

/** How often it is looked how far the clock is. */
const POLL = "500 millis"

const UNITS = ["minutes", "hours", "days", "weeks", "months"] as const
type Unit = (typeof UNITS)[number]

const EXPECTED = `a whole number and one of ${UNITS.join(", ")}, such as 1 month`

const unit = Argument.String("unit").pipe(
  Argument.withDescription("minutes, hours, days, weeks or months; also without the s"),
  Argument.filterMap(
    (text) => Option.fromUndefinedOr(UNITS.find((one) => one === text || one === `${text}s`)),
    () => `Expected ${EXPECTED}`
  )
)

const count = Argument.Int("count").pipe(
  Argument.withDescription("How many of them"),
  Argument.filter(
    (given) => given > 0,
    () => `Expected ${EXPECTED}`
  )
)

const onClock = <A, E>(
  given: DatabaseFlags,
  work: Effect.Effect<A, E, SandboxClockRepository | Layer.Success<ReturnType<typeof workingOn>>>
) =>
  Effect.flatMap(databaseSource(given), (source) =>
    Effect.provide(work, Layer.provideMerge(SandboxClockRepository.layer, workingOn(source)))
  ).pipe(explained)

const look = Effect.gen(function* () {
  const { lead, until } = yield* (yield* SandboxClockRepository).find
  return { now: (yield* machineTime) + lead, lead, until }
})

type Look = Effect.Success<typeof look>

const report = ({ lead, now, until }: Look) => ({
  now: isoUtc(now),
  ahead_seconds: Math.floor(lead / 1_000),
  until: until === null ? null : isoUtc(until)
})

const textOf = ({ lead, now, until }: Look): string => {
  const ahead = lead === 0 ? "as the machine's" : `${Math.floor(lead / 1_000)} s ahead of the machine's`
  return `${isoUtc(now)}, ${ahead}${until === null ? "" : `, on its way to ${isoUtc(until)}`}`
}

const showCommand = Command.make(
  "show",
  { ...databaseFlags, json },
  Effect.fnUntraced(function* (given) {
    const found = yield* onClock(given, look)
    yield* print(given.json, report(found), textOf(found))
  })
).pipe(
  Command.withShortDescription("Show what a sandbox's clock says"),
  Command.withDescription("Shows what a sandbox's clock says, and how far it is ahead of the machine's."),
  Command.withExamples([{ command: "emporion time show" }])
)

const later = (now: number, much: number, of: Unit): number =>
  DateTime.toEpochMillis(DateTime.add(DateTime.makeUnsafe(now), { [of]: much }))

/** A database that is named by a URL may be anybody's. */
const modeOf = Effect.fnUntraced(function* (isNamed: boolean) {
  const mode = yield* Setting.optional("APP_MODE", Setting.oneOf("sandbox", "production"))
  if (mode === undefined && isNamed) {
    return yield* new CommandMisused({ message: "Set APP_MODE=sandbox if the database of this URL is a sandbox's." })
  }
  return mode ?? "sandbox"
})

const begin = Effect.fnUntraced(function* (much: number, of: Unit, isNamed: boolean) {
  const { now } = yield* look
  const until = later(now, much, of)
  const mode = yield* modeOf(isNamed)
  const { nodes } = yield* nodesNow
  const refusal = refusalOf({ mode, isCluster: nodes.length > 0, now, until })
  if (refusal !== undefined) return yield* new CommandFailed(refusal)
  if (!(yield* (yield* SandboxClockRepository).goOn(until))) {
    return yield* new CommandFailed({ message: "The clock is still being set forward: wait until it is there." })
  }
  yield* recorded({ act: "sandbox.set_clock", subjectId: "clock", after: { until: isoUtc(until) } })
  return until
})

/** Waits until it is there, as long as a server works on it. */
const arrived = Effect.gen(function* () {
  for (;;) {
    const found = yield* look
    if (found.until === null || (yield* databaseFacts).workedOnSince === undefined) return found
    yield* Effect.sleep(POLL)
  }
})

const NOBODY = ": no server works on this database, and the next one goes on as it starts"

const advanceCommand = Command.make(
  "advance",
  {
    count,
    unit,
    wait: Flag.Boolean("wait").pipe(
      Flag.withDescription("Wait until it is there. --no-wait: leave it to the server"),
      Flag.withDefault(true)
    ),
    ...databaseFlags,
    json
  },
  Effect.fnUntraced(function* (given) {
    const { _tag } = yield* explained(databaseSource(given))
    const isNamed = _tag === "Database"
    const found = yield* onClock(
      given,
      Effect.andThen(begin(given.count, given.unit, isNamed), given.wait ? arrived : look)
    )
    const left = given.wait && found.until !== null ? NOBODY : ""
    yield* print(given.json, report(found), textOf(found) + left)
  })
).pipe(
  Command.withShortDescription("Set a sandbox's clock forward"),
  Command.withDescription(
    `Sets the clock of a sandbox forward, at most ${MAX_AHEAD / 86_400_000} days at a time; it never goes back. The running server goes ` +
      "there in steps of an hour, and does what is due in each before the next: periods of subscriptions, payments, settlements of " +
      "orders, months of credits. Sign-ins end in that time, too. Where no server runs, the next one does it as it starts."
  ),
  Command.withExamples([
    { command: "emporion time advance 1 month" },
    { command: "emporion time advance 3 days --no-wait" }
  ])
)

const stopCommand = Command.make(
  "stop",
  { ...databaseFlags, json },
  Effect.fnUntraced(function* (given) {
    const found = yield* onClock(
      given,
      Effect.gen(function* () {
        const { arrive } = yield* SandboxClockRepository
        if (yield* arrive) yield* recorded({ act: "sandbox.stop_clock", subjectId: "clock" })
        return yield* look
      })
    )
    yield* print(given.json, report(found), textOf(found))
  })
).pipe(
  Command.withShortDescription("Stop a sandbox's clock on its way"),
  Command.withDescription(
    "Lets the clock of a sandbox that is being set forward stay where it came to. It never goes back."
  ),
  Command.withExamples([{ command: "emporion time stop" }])
)

/** The clock of a sandbox. */
export const timeCommand = Command.make("time").pipe(
  Command.withShortDescription("Look at a sandbox's clock, and set it forward"),
  Command.withDescription("Looks at the clock of a sandbox, and sets it forward."),
  Command.withSubcommands([showCommand, advanceCommand, stopCommand])
)
