import { Effect } from "effect"
import type { BenchWorld } from "./BenchWorld.ts"
import type { Bench } from "./Case.ts"
import { costRows } from "./Cost.ts"
import { edgeRow, measured, startWays, type WayCost } from "./EdgeWays.ts"
import type { FastLanePlan, FastLaneResult } from "./FastLaneLoad.ts"
import { BATCH, committed, CONNECTIONS, roundsFor, terms } from "./FastLaneRate.ts"
import type { Row, Target } from "./Row.ts"
import { ratioOf, spreadOf } from "./Sample.ts"
import { inTurns } from "./Turns.ts"
import { startWorker } from "./Worker.ts"

type Found = FastLaneResult & WayCost

const AS_GOOD: Target = { bound: 0.98, at: "least" }
const NEARLY: Target = { bound: 0.95, at: "least" }

const rate = ({ perSecond }: Found): number => perSecond

const rowsOf = (
  where: string,
  found: ReadonlyArray<Found>,
  alone: ReadonlyArray<Found>,
  target: Target
): ReadonlyArray<Row> => [
  {
    key: "u",
    what: `commitments over /rpc in batches of ${BATCH} at ${where}`,
    unit: "/s",
    ours: spreadOf(found.map(rate)),
    peer: spreadOf(alone.map(rate)),
    peerName: "one server alone",
    ratio: ratioOf(found.map(rate), alone.map(rate)),
    target
  },
  ...costRows({ key: "u", program: "server that writes" }, found, alone)
]

/** The batches of case l at one server alone, at one node, and through a node that does not write. */
export const edgeBatches = Effect.fnUntraced(function* (bench: Bench, market: string, world: BenchWorld) {
  bench.say("batches over /rpc")
  const generator = yield* startWorker<FastLanePlan, FastLaneResult>("FastLaneGenerator.ts")
  const { ways } = yield* startWays(bench, market)
  const { orderIds, tokens } = world
  const [alone = [], single = [], through = []] = yield* inTurns(
    bench,
    roundsFor(bench),
    ways,
    (way, millis, round): Effect.Effect<Found> =>
      measured(
        bench.postgres,
        way,
        committed(generator, {
          port: way.port,
          connections: CONNECTIONS,
          batch: BATCH,
          millis,
          orderIds,
          tokens,
          terms: terms(),
          seed: round * CONNECTIONS
        })
      )
  )
  return [
    ...rowsOf("one node that is to have others", single, alone, AS_GOOD),
    ...rowsOf("a node that does not write", through, alone, NEARLY),
    edgeRow(through)
  ]
}, Effect.scoped)
