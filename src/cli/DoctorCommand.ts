import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { existsSync } from "node:fs"
import { databaseFindings } from "../checks/DatabaseCheck.ts"
import { type Finding, finding } from "../checks/Finding.ts"
import { addressFinding, machineFindings } from "../checks/MachineCheck.ts"
import { serviceFindings } from "../checks/ServicesCheck.ts"
import { Settings } from "../Config.ts"
import { placeIn } from "../database/PostgresCluster.ts"
import * as BunServerRuntime from "../runtime/bun/BunServerRuntime.ts"
import { CommandFailed, explained } from "./CommandFailed.ts"
import { json, print } from "./CommandOutput.ts"
import { databaseSource, settingsBefore, workingOn } from "./CommandSource.ts"
import { withBar } from "./ReadingProgress.ts"
import { repair } from "./Repairing.ts"
import { repairText } from "./Reports.ts"
import { type DatabaseFlags, databaseFlags, journalFlags } from "./SourceFlags.ts"

const WIDTH = 13

/** Findings for a person, one a line. */
const findingsText = (findings: ReadonlyArray<Finding>): string =>
  findings.map(({ about, standing, text }) => `${standing.padEnd(6)}${about.padEnd(WIDTH)}${text}`).join("\n")

/** The database is looked at where there is one; a first start makes the embedded one. */
const database = Effect.fnUntraced(function* (given: DatabaseFlags) {
  const source = yield* databaseSource(given)
  const { dataDir } = yield* Settings
  if (source._tag === "DataDir" && !existsSync(placeIn(dataDir).cluster)) {
    return [finding("database", "ok", "none yet: the first start makes it")]
  }
  return yield* Effect.provide(databaseFindings, workingOn(source)).pipe(
    Effect.catch(({ message }) => Effect.succeed([finding("database", "fail", message)]))
  )
})

const examine = Effect.fnUntraced(function* (given: DatabaseFlags) {
  const source = yield* databaseSource(given)
  const everything = Effect.gen(function* () {
    return [
      ...(yield* machineFindings),
      yield* Effect.provide(addressFinding, BunServerRuntime.layer),
      ...(yield* serviceFindings),
      ...(yield* database(given))
    ]
  })
  return yield* Effect.provide(everything, settingsBefore(source)).pipe(
    Effect.catch((refused): Effect.Effect<ReadonlyArray<Finding>> =>
      Effect.succeed([finding("settings", "fail", `${refused.message} Nothing else is looked at before.`)])
    )
  )
})

const yes = Flag.Boolean("yes").pipe(Flag.withDescription("Really do it"), Flag.withDefault(false))

const repairCommand = Command.make(
  "repair",
  { ...journalFlags, yes, json },
  Effect.fnUntraced(function* (given) {
    const source = yield* explained(databaseSource(given))
    const report = yield* repair(source, given.yes).pipe(withBar("replaying"), explained)
    yield* print(given.json, report, repairText(report))
    if (report.done || report.differences.length === 0) return
    return yield* new CommandFailed({ message: "Nothing was changed. Add --yes to do it." })
  })
).pipe(
  Command.withShortDescription("Make the tables what the events make of them"),
  Command.withDescription(
    "Derives every state from the events again. Rewrites stored rows that were changed or lost, and deletes rows that " +
      "no event makes, in one transaction with a line in the audit log. Leaves the events and the journal alone. Refuses " +
      "while a server works on the database, or if the events were altered. Without --yes it says what it would do."
  ),
  Command.withExamples([
    { command: "emporion doctor repair", description: "What would be changed" },
    { command: "emporion doctor repair --yes", description: "Do it, with the server stopped" }
  ])
)

/** Looks whether a server can work here, and says what to do. */
export const doctorCommand = Command.make(
  "doctor",
  { ...databaseFlags, json },
  Effect.fnUntraced(function* (given) {
    const findings = yield* explained(examine(given))
    const failed = findings.filter(({ standing }) => standing === "fail").length
    yield* print(given.json, { ok: failed === 0, findings }, findingsText(findings))
    if (failed === 0) return
    const message = `${failed === 1 ? "One thing keeps" : `${failed} things keep`} the server from working: see the lines with fail.`
    return yield* new CommandFailed({ message })
  })
).pipe(
  Command.withShortDescription("Look whether the platform can run here, and say what to do"),
  Command.withDescription(
    "Looks at the settings, the data folder, the disk, the address to listen on, the mail server, identity provider and " +
      "Stripe where they are set, the database and its version, pending migrations, the clock, the signing key and the " +
      "breakers. Each line is ok, warn or fail, and says what to do. Changes nothing, and does not disturb a running server. The exit code is 1 if a line is fail."
  ),
  Command.withExamples([
    { command: "emporion doctor", description: "With the environment that the server is to have" },
    { command: "emporion doctor --json", description: "For a program: {ok, findings: [{about, standing, text}]}" }
  ]),
  Command.withSubcommands([repairCommand])
)
