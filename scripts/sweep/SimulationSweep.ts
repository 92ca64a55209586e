import { availableParallelism } from "node:os"
import type { SimulationSpec } from "../../engine/simulation/Shrink.ts"
import type { SeedOutcome, ShrunkFailure } from "../ShrunkFailure.ts"
import { makeBar, type SimulationBar } from "../SimulationBar.ts"
import { type LoadedWorld, worldLine } from "../WorldLoading.ts"
import { MAX_JOBS } from "../../engine/simulation/SimulationArguments.ts"
import { SEED_WORKER, SeedWorkers } from "./SeedWorkers.ts"
import { failuresText, type SweepSpeed, type SweepSummary, summaryOf, sweepText } from "./SweepSummary.ts"

/** Many consecutive seeds of one specification, whose own seed is the first. */
export interface Sweep {
  readonly spec: SimulationSpec
  readonly seeds: number
  /** Workers side by side; one for each core unless said. */
  readonly jobs: number | undefined
  readonly json: boolean
  /** The world that the specification names, if it names one. */
  readonly world?: LoadedWorld | undefined
}

/** The exit codes of a process that a signal ends. */
const ENDED_BY = { SIGINT: 130, SIGTERM: 143 } as const

/** The specifications of consecutive seeds. */
const specsOf = function* ({ spec, seeds }: Sweep): Generator<SimulationSpec> {
  for (let index = 0; index < seeds; index++) yield { ...spec, seed: spec.seed + index }
}

/** Calls back at Ctrl-C or a request to end, once: another one ends the process without asking. */
const onSignal = (end: (code: number) => void): Disposable => {
  const signals = Object.entries(ENDED_BY).map(([name, code]) => ({ name, end: () => end(code) }))
  for (const { name, end } of signals) process.once(name, end)
  return {
    [Symbol.dispose]: () => {
      for (const { name, end } of signals) process.off(name, end)
    }
  }
}

/** Runs every seed, shows how far it is, and keeps what has come in `outcomes`. */
const runAll = async (
  sweep: Sweep,
  workers: SeedWorkers,
  bar: SimulationBar,
  outcomes: Array<SeedOutcome>
): Promise<void> => {
  let events = 0
  let failed = 0
  await workers.run(specsOf(sweep), (outcome) => {
    outcomes.push(outcome)
    events += outcome.events
    failed += outcome.violation === null ? 0 : 1
    bar.show(outcomes.length, sweep.seeds, { events: events.toLocaleString("en"), failed: String(failed) })
  })
}

const shrinkFirst = async (
  { spec }: Sweep,
  { failures: [first] }: SweepSummary,
  workers: SeedWorkers
): Promise<ShrunkFailure | undefined> => {
  if (first === undefined) return undefined
  if (process.stderr.isTTY) process.stderr.write(`making seed ${first.seed} smaller\n`)
  return workers.shrink({ ...spec, seed: first.seed }, first.violation)
}

const print = (
  { spec, json, world }: Sweep,
  summary: SweepSummary,
  speed: SweepSpeed,
  smaller: ShrunkFailure | undefined
): void => {
  const plain = {
    spec,
    ...(world && { world: world.hash }),
    ...summary,
    ...(smaller !== undefined && { smaller }),
    speed
  }
  console.log(json ? JSON.stringify(plain) : [sweepText(summary, speed), ...worldLine(world)].join("\n"))
  if (summary.failures.length > 0) console.error(failuresText(summary, smaller))
}

/**
 * Simulates consecutive seeds side by side and prints what came of them: how many, their events, one hash over all in
 * order, and each failure with the command that replays it. Answers the exit code: 1 where a rule did not hold in any,
 * 130 or 143 where a signal ended it. `script` is what the workers run.
 */
export const runSweep = async (sweep: Sweep, script: URL = SEED_WORKER): Promise<number> => {
  const jobs = Math.min(sweep.jobs ?? availableParallelism(), MAX_JOBS, sweep.seeds)
  const begun = performance.now()
  const workers = new SeedWorkers(jobs, { world: sweep.world?.world }, script)
  const bar = makeBar("{value}/{total} seeds | {events} events | {failed} failed")
  const outcomes: Array<SeedOutcome> = []
  const ended = Promise.withResolvers<number>()
  using _signals = onSignal(ended.resolve)
  const whole = async (): Promise<number> => {
    await runAll(sweep, workers, bar, outcomes)
    bar.stop()
    const seconds = (performance.now() - begun) / 1_000
    const summary = summaryOf(sweep.spec, outcomes)
    const smaller = await shrinkFirst(sweep, summary, workers)
    print(sweep, summary, { jobs, seconds, eventsPerSecond: summary.events / seconds }, smaller)
    return summary.failures.length === 0 ? 0 : 1
  }
  const stopped = async (): Promise<number> => {
    const code = await ended.promise
    bar.stop()
    console.error(`\nended after ${outcomes.length} of ${sweep.seeds} seeds`)
    const found = failuresText(summaryOf(sweep.spec, outcomes), undefined)
    if (found !== "") console.error(found)
    return code
  }
  try {
    return await Promise.race([whole(), stopped()])
  } finally {
    bar.stop()
    workers.stop()
  }
}
