import { Data, Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { Settings } from "../Config.ts"
import { databaseChecks, serverFindings, tableFindings } from "./DatabaseCheck.ts"
import type { CheckRow, Finding } from "./Finding.ts"
import { machineChecks, machineFindings } from "./MachineCheck.ts"
import { serviceChecks, serviceFindings } from "./ServicesCheck.ts"
import { settingsChecks } from "./SettingsCheck.ts"

/** Production is not started: a failure each line. */
export class StartRefused extends Data.TaggedError("StartRefused")<{ readonly message: string }> {}

/** Every check: `doctor` tells what they find, and a start in production refuses or logs the same. */
export const checks: ReadonlyArray<CheckRow> = [
  ...settingsChecks,
  ...machineChecks,
  ...serviceChecks,
  ...databaseChecks
]

const line = ({ about, text }: Finding): string => `${about}: ${text}`

const warned = (findings: ReadonlyArray<Finding>): Effect.Effect<void> =>
  Effect.forEach(
    findings.filter(({ standing }) => standing === "warn"),
    (found) => Effect.logWarning(line(found)),
    { discard: true }
  )

const refused = (findings: ReadonlyArray<Finding>): StartRefused =>
  new StartRefused({ message: ["Production does not start like this.", ...findings.map(line)].join("\n  ") })

/** In production what was found is logged, or refused. */
const inProduction = <R>(look: Effect.Effect<ReadonlyArray<Finding>, never, R>) =>
  Effect.gen(function* () {
    const { mode } = yield* Settings
    if (mode !== "production") return
    const findings = yield* look
    yield* warned(findings)
    const failed = findings.filter(({ standing }) => standing === "fail")
    if (failed.length > 0) return yield* refused(failed)
  })

/** Before anything is touched: the settings and the machine. Services elsewhere are asked beside the start. */
export const machine: Layer.Layer<never, StartRefused, Settings> = Layer.effectDiscard(
  Effect.andThen(inProduction(machineFindings), Effect.forkScoped(inProduction(serviceFindings)))
)

/** Before the schema is touched: what the database tells of itself. */
export const server: Layer.Layer<never, StartRefused, Settings | SqlClient> = Layer.effectDiscard(
  inProduction(serverFindings)
)

/** Before anything is answered: what stands in the tables. */
export const tables: Layer.Layer<never, StartRefused, Settings | SqlClient> = Layer.effectDiscard(
  inProduction(tableFindings)
)
