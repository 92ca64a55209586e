import { Effect } from "effect"
import { loaded, portOf, startLoadGenerator, startProgram } from "./BenchServer.ts"
import { commitTo, fill } from "./BenchWorld.ts"
import type { Bench, Case } from "./Case.ts"
import { CONNECTIONS, marketOf } from "./CommitmentContest.ts"
import type { ReadAfterWritePlan, ReadAfterWriteResult } from "./ReadAfterWriteLoad.ts"
import { spreadOf } from "./Sample.ts"
import { shown } from "./Table.ts"
import { inTurns, type Rounds, roundsOf } from "./Turns.ts"
import { startWorker } from "./Worker.ts"

/** Of what the program commits at most. */
const SHARE = 1 / 4

/** Long enough that a hundredth of the reads is many. */
const CALM: Pick<Rounds, "count" | "millis"> = { count: 5, millis: 6_000 }

const found = (result: ReadAfterWriteResult): Effect.Effect<ReadAfterWriteResult> =>
  result.refused === 0
    ? Effect.succeed(result)
    : Effect.die(new Error(`${result.refused} requests were refused, the first with ${result.fault}`))

const measure = Effect.fnUntraced(function* (bench: Bench) {
  const { postgres, quick, say } = bench
  say("filling a market")
  const database = yield* postgres.create()
  const { orderIds, tokens } = yield* fill(postgres, database, marketOf(bench))
  const port = portOf((yield* startProgram(postgres, database)).url)
  const calls = orderIds.map(commitTo)
  const usual = roundsOf(bench)
  const generator = yield* startLoadGenerator
  say("at full rate")
  const most = yield* inTurns(bench, { ...usual, count: Math.min(usual.count, 3) }, [port], (_, millis, round) =>
    loaded(generator, { port, connections: CONNECTIONS, millis, calls, tokens, seed: 1 + round })
  )
  const rate = spreadOf(most.flat().map(({ perSecond }) => perSecond)).median * SHARE
  const reader = yield* startWorker<ReadAfterWritePlan, ReadAfterWriteResult>("ReadAfterWriteGenerator.ts")
  say(`${shown(rate)} a second`)
  const rounds = quick ? usual : { ...usual, ...CALM }
  const [results = []] = yield* inTurns(bench, rounds, [port], (_, millis) =>
    Effect.flatMap(reader.ask({ port, tokens, millis, rate, calls }), found)
  )
  for (const { fault } of results) if (fault !== "") say(fault)
  return { rate, results }
})

/** A caller reads what it was told is committed, at a quarter of the rate of case b. */
export const readAfterWrite: Case = {
  key: "r",
  title: "reads after writes",
  run: (bench) =>
    Effect.map(measure(bench), ({ rate, results }) => {
      const key = "r"
      const of = (figure: (result: ReadAfterWriteResult) => number) => spreadOf(results.map(figure))
      return [
        {
          key,
          what: `the caller's newest commitment read right after it was made, ${shown(rate)} a second asked for`,
          unit: "/s",
          ours: of(({ perSecond }) => perSecond)
        },
        { key, what: "  half of the reads are answered within", unit: "ms", ours: of(({ reads }) => reads.p50) },
        {
          key,
          what: "  99 % of the reads are answered within",
          unit: "ms",
          ours: of(({ reads }) => reads.p99),
          target: { bound: 25, at: "most" }
        },
        {
          key,
          what: "  reads that did not show it",
          unit: "",
          ours: of(({ missed }) => missed),
          target: { bound: 0, at: "most" }
        },
        {
          key,
          what: "  half of the commitments are answered within",
          unit: "ms",
          ours: of(({ writes }) => writes.p50)
        },
        { key, what: "  99 % of the commitments are answered within", unit: "ms", ours: of(({ writes }) => writes.p99) }
      ]
    })
}
