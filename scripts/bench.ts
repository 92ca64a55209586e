/**
 * Measures the program against what it is compared with, in turns on one machine, and prints one table:
 * `bun scripts/bench.ts [--only=a,b,…] [--variants=64,64-keyed,…] [--quick] [--json=out.json]`.
 *
 * Exits 0 whether targets are met or not, and 1 when a case breaks. Progress goes to standard error.
 */
import { Cause, Effect, Exit, Layer, References } from "effect"
import { writeFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { analyticsCost } from "./bench/AnalyticsCost.ts"
import { startBenchPostgres } from "./bench/BenchPostgres.ts"
import type { Bench, Case } from "./bench/Case.ts"
import { commerceRates } from "./bench/CommerceRates.ts"
import { commitmentLatency } from "./bench/CommitmentLatency.ts"
import { commitmentRate } from "./bench/CommitmentRate.ts"
import { creditScores } from "./bench/CreditScores.ts"
import { edgeCommitments } from "./bench/EdgeCommitments.ts"
import { engineDecisions } from "./bench/EngineDecisions.ts"
import { companyBots } from "./bench/CompanyBots.ts"
import { fastLaneRate } from "./bench/FastLaneRate.ts"
import { floodCost } from "./bench/FloodCost.ts"
import { historySize } from "./bench/HistorySize.ts"
import { dashboardLoad } from "./bench/DashboardLoad.ts"
import { describeMachine, machine } from "./bench/Machine.ts"
import { orderReads } from "./bench/OrderReads.ts"
import { readAfterWrite } from "./bench/ReadAfterWrite.ts"
import { residentBots } from "./bench/ResidentBots.ts"
import { isMet, type Row } from "./bench/Row.ts"
import { signingIn } from "./bench/SigningIn.ts"
import { simulatedEvents } from "./bench/SimulatedEvents.ts"
import { startup } from "./bench/Startup.ts"
import { streamFanout } from "./bench/StreamFanout.ts"
import { sustainedRate } from "./bench/SustainedRate.ts"
import { table } from "./bench/Table.ts"
import { upkeepCost } from "./bench/UpkeepCost.ts"
import { webhookRates } from "./bench/WebhookRates.ts"

const CASES: ReadonlyArray<Case> = [
  engineDecisions,
  commitmentRate,
  orderReads,
  streamFanout,
  startup,
  simulatedEvents,
  historySize,
  signingIn,
  creditScores,
  commerceRates,
  analyticsCost,
  fastLaneRate,
  residentBots,
  webhookRates,
  dashboardLoad,
  floodCost,
  sustainedRate,
  readAfterWrite,
  companyBots,
  commitmentLatency,
  edgeCommitments,
  upkeepCost
]

const USAGE = "bun scripts/bench.ts [--only a,b,…] [--variants 64,64-keyed,…] [--quick] [--json out.json]"

const namesIn = (list: string | undefined): ReadonlyArray<string> | undefined =>
  list?.split(",").map((name) => name.trim())

/** Dies of what is asked for and is not there. */
const known = (kind: string, asked: ReadonlyArray<string> = [], there: ReadonlyArray<string>): void => {
  const unknown = asked.filter((name) => !there.includes(name))
  if (unknown.length > 0) throw new Error(`no ${kind} ${unknown.join(", ")}: there are ${there.join(", ")}`)
}

const options = () => {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: "string" },
        variants: { type: "string" },
        quick: { type: "boolean", default: false },
        json: { type: "string" }
      }
    })
    const [keys, variants] = [namesIn(values.only), namesIn(values.variants)]
    known(
      "case",
      keys,
      CASES.map(({ key }) => key)
    )
    const cases = CASES.filter(({ key }) => keys?.includes(key) ?? true)
    known("variant", variants, [...new Set(cases.flatMap((one) => one.variants ?? []))])
    return { ...values, variants, cases }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`)
    process.exit(2)
  }
}

const { cases, json, quick, variants } = options()

/** A case's rows; none where it broke, which is told. */
const measured = (one: Case, bench: Omit<Bench, "say">) => {
  const say = (text: string): void => void process.stderr.write(`${one.key} ${one.title}: ${text}\n`)
  return Effect.scoped(one.run({ ...bench, say })).pipe(
    Effect.exit,
    Effect.map((exit) => {
      if (Exit.isSuccess(exit)) return exit.value
      say(`broke: ${Cause.pretty(exit.cause)}`)
      return undefined
    })
  )
}

/** Above it something else runs, of which the figures are a part. */
const QUIET_LOAD = 0.5

const cautions = (load: number): string =>
  [
    quick ? "; --quick: they mean nothing" : "",
    load > QUIET_LOAD ? "; something else runs on this machine: no figure is to be published" : ""
  ].join("")

const program = Effect.gen(function* () {
  const about = machine()
  const postgres = yield* startBenchPostgres
  const { version, durability } = postgres
  const found: Array<{ readonly key: string; readonly rows: ReadonlyArray<Row> | undefined }> = []
  for (const one of cases) found.push({ key: one.key, rows: yield* measured(one, { postgres, quick, variants }) })
  const rows = found.flatMap(({ rows }) => rows ?? [])
  const broken = found.filter(({ rows }) => rows === undefined).map(({ key }) => key)
  const settings = Object.entries(durability).map(([name, value]) => `${name} = ${value}`)
  process.stdout.write(
    [
      describeMachine(about),
      `database  PostgreSQL ${version}, ours and the peer's: ${settings.join(", ")}`,
      `figures   median of the rounds (least–most)${cautions(about.loadBefore)}`,
      "",
      table(rows),
      ...(broken.length === 0 ? [] : ["", `broken: ${broken.join(", ")}`]),
      ""
    ].join("\n")
  )
  if (json !== undefined) {
    const results = rows.map((row) => ({ ...row, met: isMet(row) ?? null }))
    const report = { machine: about, postgres: { version, durability }, quick, broken, rows: results }
    writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`)
  }
  return broken.length === 0 ? 0 : 1
})

const quietly = Layer.succeed(References.MinimumLogLevel, "Error")
process.exit(await Effect.runPromise(Effect.scoped(program).pipe(Effect.provide(quietly))))
