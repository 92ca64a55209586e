import { Data, Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { Settings } from "../Config.ts"
import * as RecordClock from "../database/RecordClock.ts"
import { databaseChecks, sandboxClockFindings, serverFindings, tableFindings } from "./DatabaseCheck.ts"
import type { CheckRow, Finding } from "./Finding.ts"
import { machineChecks, machineFindings } from "./MachineCheck.ts"
import { serviceChecks, serviceFindings } from "./ServicesCheck.ts"
import { settingsChecks } from "./SettingsCheck.ts"

/** Production, or a node of a cluster, is not started: a failure each line. */
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

const refused = (what: string, findings: ReadonlyArray<Finding>): StartRefused =>
  new StartRefused({ message: [`${what} does not start like this.`, ...findings.map(line)].join("\n  ") })

/** What was found is logged, or refused. */
const settled = Effect.fnUntraced(function* (what: string, findings: ReadonlyArray<Finding>) {
  yield* warned(findings)
  const failed = findings.filter(({ standing }) => standing === "fail")
  if (failed.length > 0) return yield* refused(what, failed)
})

/** The same in production alone. */
const inProduction = <R>(look: Effect.Effect<ReadonlyArray<Finding>, never, R>) =>
  Effect.gen(function* () {
    const { mode } = yield* Settings
    if (mode === "production") yield* settled("Production", yield* look)
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

/** Before a node of a cluster serves anybody, in a sandbox as well: its time has to be the machine's. */
export const node: Layer.Layer<never, StartRefused | SqlError, Settings | SqlClient> = Layer.effectDiscard(
  Effect.gen(function* () {
    if (yield* RecordClock.isKept) yield* settled("A node of a cluster", yield* sandboxClockFindings)
  })
)
