import { Effect } from "effect"
import { dirname } from "node:path"
import { USER } from "../../src/database/PostgresCluster.ts"
import type { BareBatchesPlan, WritePlan, Written } from "./BareBatches.ts"
import { portOf, startProgram } from "./BenchServer.ts"
import { commitTo, fill } from "./BenchWorld.ts"
import type { Bench, Case } from "./Case.ts"
import { type Cost, costRows, loggedRows, withCost } from "./Cost.ts"
import type { FastLanePlan, FastLaneResult } from "./FastLaneLoad.ts"
import type { Row } from "./Row.ts"
import { ratioOf, spreadOf } from "./Sample.ts"
import { inTurns, type Rounds, roundsOf } from "./Turns.ts"
import { startWorker, type Worker } from "./Worker.ts"

const CONNECTIONS = 16

/** Commitments in one message, and in one transaction of the bare loop. */
const BATCH = 100
const BARE_BATCH = 500

/** Milliseconds: a server compiles what a message needs for about as long. */
const WARM_UP = 15_000

/** Rounds that have hundreds of batches even at the lower rate, so that a hundredth of them is more than one. */
const CALM = { count: 5, millis: 6_000 }

/** The share of the bare loop's rate that is asked for. */
const ASKED = 0.5

const MARKET = { traders: 256, orders: 64, commitments: 0 }
const SMALL = { traders: 8, orders: 8, commitments: 0 }

type Waited = Pick<FastLaneResult, "p50" | "p99">
type Ours = FastLaneResult & Cost
type Bare = Written & Cost

/** The terms of the market's commitments, without the order. */
const terms = (): string => {
  const { order_id: _, ...rest } = JSON.parse(commitTo("").body) as Readonly<Record<string, unknown>>
  return JSON.stringify(rest).slice(1, -1)
}

/** Dies when anything was refused: a refusal is cheaper than what is measured. */
const committed = (
  generator: Worker<FastLanePlan, FastLaneResult>,
  plan: FastLanePlan
): Effect.Effect<FastLaneResult> =>
  Effect.flatMap(generator.ask(plan), (result) =>
    result.refusal === "" ? Effect.succeed(result) : Effect.die(new Error(`refused: ${result.refusal}`))
  )

const roundsFor = (bench: Bench): Rounds => {
  const usual = roundsOf(bench)
  return bench.quick ? usual : { ...usual, warmUp: WARM_UP }
}

const rate = ({ perSecond }: FastLaneResult | Written): number => perSecond

/**
 * The program and the bare loop on copies of one market, in turns; then the program at half of what it did, and both at
 * half of what it should do at least, in transactions of the same size.
 */
const contest = Effect.fnUntraced(function* (bench: Bench) {
  const { postgres, quick, say } = bench
  say("filling a market")
  const market = yield* postgres.create()
  const { orderIds, tokens } = yield* fill(postgres, market, quick ? SMALL : MARKET)
  const database = yield* postgres.create(market)
  const bareDatabase = yield* postgres.create(market)
  const program = yield* startProgram(postgres, database)
  const bare = yield* startWorker<BareBatchesPlan | WritePlan, Written>("BareBatches.ts")
  yield* bare.ask({ kind: "connect", host: dirname(postgres.path), user: USER, database: bareDatabase })
  const generator = yield* startWorker<FastLanePlan, FastLaneResult>("FastLaneGenerator.ts")
  const load = (millis: number, round: number, at: Pick<FastLanePlan, "rate">) =>
    withCost(
      postgres,
      { pid: program.pid, database },
      committed(generator, {
        ...at,
        port: portOf(program.url),
        connections: CONNECTIONS,
        batch: BATCH,
        millis,
        orderIds,
        tokens,
        terms: terms(),
        seed: round * CONNECTIONS
      })
    )
  const write = (millis: number, how: Pick<WritePlan, "batch" | "rate">) =>
    withCost(postgres, { pid: bare.pid, database: bareDatabase }, bare.ask({ kind: "write", millis, ...how }))
  const rounds = roundsFor(bench)
  const ours: Array<Ours> = []
  const written: Array<Bare> = []
  yield* inTurns(bench, rounds, ["ours", "bare"], (which, millis, round) =>
    which === "ours"
      ? Effect.map(load(millis, round, {}), (result) => void (round > 0 && ours.push(result)))
      : Effect.map(write(millis, { batch: BARE_BATCH }), (result) => void (round > 0 && written.push(result)))
  )
  const [half, asked] = [spreadOf(ours.map(rate)).median / 2, (spreadOf(written.map(rate)).median * ASKED) / 2]
  say("at half the rate")
  const usual = roundsOf(bench)
  const calmRounds = quick ? usual : { ...usual, ...CALM }
  const things = ["half", "asked", "bare"] as const
  const [atHalf = [], atAsked = [], bareAtAsked = []] = yield* inTurns(
    bench,
    calmRounds,
    things,
    (which, millis, round): Effect.Effect<Waited> =>
      which === "bare"
        ? write(millis, { batch: BATCH, rate: asked })
        : load(millis, round, { rate: which === "half" ? half : asked })
  )
  return { ours, bare: written, atHalf, atAsked, bareAtAsked }
}, Effect.scoped)

const PACED = `bare loop, ${BATCH} at once`

const latencyRows = (at: string, calm: ReadonlyArray<Waited>, paced: ReadonlyArray<Waited>): ReadonlyArray<Row> => [
  {
    key: "l",
    what: `  at ${at}, half of the batches are answered within`,
    unit: "ms",
    ours: spreadOf(calm.map(({ p50 }) => p50)),
    ...(paced.length === 0 ? {} : { peer: spreadOf(paced.map(({ p50 }) => p50)), peerName: PACED })
  },
  {
    key: "l",
    what: `  at ${at}, 99 % are answered within`,
    unit: "ms",
    ours: spreadOf(calm.map(({ p99 }) => p99)),
    ...(paced.length === 0 ? {} : { peer: spreadOf(paced.map(({ p99 }) => p99)), peerName: PACED }),
    target: { bound: 20, at: "most" }
  }
]

const rowsOf = ({
  atAsked,
  atHalf,
  bare,
  bareAtAsked,
  ours
}: Effect.Success<ReturnType<typeof contest>>): ReadonlyArray<Row> => [
  {
    key: "l",
    what: `durable commitments over /rpc in batches of ${BATCH}, ${CONNECTIONS} connections`,
    unit: "/s",
    ours: spreadOf(ours.map(rate)),
    peer: spreadOf(bare.map(rate)),
    peerName: `bare loop, ${BARE_BATCH} at once`,
    ratio: ratioOf(ours.map(rate), bare.map(rate)),
    target: { bound: ASKED, at: "least" }
  },
  ...costRows({ key: "l", program: "program" }, ours, bare),
  ...loggedRows("l", ours, bare),
  ...latencyRows("half that rate", atHalf, []),
  ...latencyRows("a quarter of the bare loop's", atAsked, bareAtAsked)
]

/** Acknowledged durable commitments a second over one socket each, against a loop that only writes their rows. */
export const fastLaneRate: Case = {
  key: "l",
  title: "the fast lane",
  run: (bench) => Effect.map(contest(bench), rowsOf)
}
