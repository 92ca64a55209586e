import { Effect } from "effect"
import { dirname } from "node:path"
import { USER } from "../../src/database/PostgresCluster.ts"
import type { BareBatchesPlan, WritePlan, Written } from "./BareBatches.ts"
import { portOf, startProgram } from "./BenchServer.ts"
import { commitTo } from "./BenchWorld.ts"
import type { Bench, Case } from "./Case.ts"
import { fillBoth } from "./ConventionalMarket.ts"
import { type Cost, costRows, loggedRows, withCost } from "./Cost.ts"
import type { FastLanePlan, FastLaneResult } from "./FastLaneLoad.ts"
import type { Row, Target } from "./Row.ts"
import { ratioOf, spreadOf } from "./Sample.ts"
import { inTurns, type Rounds, roundsOf } from "./Turns.ts"
import { startWorker, type Worker } from "./Worker.ts"

export const CONNECTIONS = 16

/** Commitments in one message, and in one transaction of the bare loop. */
export const BATCH = 100
const BARE_BATCH = 500

/** Milliseconds: a server compiles what a message needs for about as long. */
const WARM_UP = 15_000

/** Rounds that have hundreds of batches even at the lower rate, so that a hundredth of them is more than one. */
const CALM = { count: 5, millis: 6_000 }

/** The share of the bare loop's rate at which the calmer of two loads is sent. */
const CALM_SHARE = 0.25

/** Commitments a second that come one by one. */
const SINGLE_RATE = 100

const MARKET = { traders: 256, orders: 128, commitments: 0 }
const SMALL = { traders: 8, orders: 8, commitments: 0 }

type Waited = Pick<FastLaneResult, "p50" | "p99">
type Ours = FastLaneResult & Cost
type Bare = Written & Cost

/** The terms of the market's commitments, without the order. */
export const terms = (): string => {
  const { order_id: _, ...rest } = JSON.parse(commitTo("").body) as Readonly<Record<string, unknown>>
  return JSON.stringify(rest).slice(1, -1)
}

/** Dies when anything was refused: a refusal is cheaper than what is measured. */
export const committed = (
  generator: Worker<FastLanePlan, FastLaneResult>,
  plan: FastLanePlan
): Effect.Effect<FastLaneResult> =>
  Effect.flatMap(generator.ask(plan), (result) =>
    result.refusal === "" ? Effect.succeed(result) : Effect.die(new Error(`refused: ${result.refusal}`))
  )

/** As others, after a longer warm-up. */
export const roundsFor = (bench: Bench): Rounds => {
  const usual = roundsOf(bench)
  return bench.quick ? usual : { ...usual, warmUp: WARM_UP }
}

const rate = ({ perSecond }: FastLaneResult | Written): number => perSecond

/** What is measured at fixed times. */
interface Pace {
  readonly what: string
  readonly batch: number
  /** Commitments a second. */
  readonly rate: number
  /** What the bare loop writes beside it. */
  readonly into: WritePlan["into"]
  readonly target: Target
}

/** Both sides, ready. Everything is measured with its cost. */
const startSides = Effect.fnUntraced(function* (bench: Bench) {
  const { postgres, quick, say } = bench
  say("filling a market")
  const { conventional: bareDatabase, ours: database, world } = yield* fillBoth(postgres, quick ? SMALL : MARKET)
  const { orderIds, tokens } = world
  const program = yield* startProgram(postgres, database)
  const bare = yield* startWorker<BareBatchesPlan | WritePlan, Written>("BareBatches.ts")
  yield* bare.ask({ kind: "connect", host: dirname(postgres.path), user: USER, database: bareDatabase })
  const generator = yield* startWorker<FastLanePlan, FastLaneResult>("FastLaneGenerator.ts")
  const load = (millis: number, round: number, at: Pick<FastLanePlan, "batch" | "rate">) =>
    withCost(
      postgres,
      { pid: program.pid, database },
      committed(generator, {
        ...at,
        port: portOf(program.url),
        connections: CONNECTIONS,
        millis,
        orderIds,
        tokens,
        terms: terms(),
        seed: round * CONNECTIONS
      })
    )
  const write = (millis: number, how: Pick<WritePlan, "batch" | "into" | "rate">) =>
    withCost(postgres, { pid: bare.pid, database: bareDatabase }, bare.ask({ kind: "write", millis, ...how }))
  return { load, write }
})

type Sides = Effect.Success<ReturnType<typeof startSides>>

/** As fast as they can: the program, the loop of rows, and the loop of a journal's rows. */
const atMost = Effect.fnUntraced(function* (bench: Bench, { load, write }: Sides) {
  const things = ["ours", "tables", "journal"] as const
  const ours: Array<Ours> = []
  const bare: Record<WritePlan["into"], Array<Bare>> = { tables: [], journal: [] }
  yield* inTurns(bench, roundsFor(bench), things, (which, millis, round) =>
    which === "ours"
      ? Effect.map(load(millis, round, { batch: BATCH }), (result) => void (round > 0 && ours.push(result)))
      : Effect.map(
          write(millis, { batch: BARE_BATCH, into: which }),
          (result) => void (round > 0 && bare[which].push(result))
        )
  )
  return { ours, ...bare }
})

/** The program and the bare loop at the same rate, in transactions of the same size. */
const paced = Effect.fnUntraced(function* (bench: Bench, { load, write }: Sides, { batch, into, rate, what }: Pace) {
  bench.say(what)
  const usual = roundsOf(bench)
  const rounds = bench.quick ? usual : { ...usual, ...CALM }
  const [ours = [], bare = []] = yield* inTurns(
    bench,
    rounds,
    [true, false],
    (isOurs, millis, round): Effect.Effect<Waited> =>
      isOurs ? load(millis, round, { batch, rate }) : write(millis, { batch, into, rate })
  )
  return { ours, bare }
})

const pacesFor = (ours: ReadonlyArray<Ours>, tables: ReadonlyArray<Bare>): ReadonlyArray<Pace> => [
  {
    what: "at half that rate",
    batch: BATCH,
    rate: spreadOf(ours.map(rate)).median / 2,
    into: "journal",
    target: { bound: 20, at: "most", goal: 10 }
  },
  {
    what: "at a quarter of the bare loop's",
    batch: BATCH,
    rate: spreadOf(tables.map(rate)).median * CALM_SHARE,
    into: "tables",
    target: { bound: 20, at: "most" }
  },
  {
    what: `one by one, ${SINGLE_RATE} a second`,
    batch: 1,
    rate: SINGLE_RATE,
    into: "journal",
    target: { bound: 10, at: "most" }
  }
]

const peerNameOf = (into: WritePlan["into"], batch: number): string =>
  into === "tables" ? `bare loop, ${batch} at once` : `journal alone, ${batch} a row`

const paceRows = (
  { batch, into, target, what }: Pace,
  ours: ReadonlyArray<Waited>,
  bare: ReadonlyArray<Waited>
): ReadonlyArray<Row> => {
  const row = (share: string, of: (one: Waited) => number): Row => ({
    key: "l",
    what: `  ${what}, ${share} answered within`,
    unit: "ms",
    ours: spreadOf(ours.map(of)),
    peer: spreadOf(bare.map(of)),
    peerName: peerNameOf(into, batch)
  })
  return [row("half are", ({ p50 }) => p50), { ...row("99 % are", ({ p99 }) => p99), target }]
}

const rateRow = (what: string, ours: ReadonlyArray<Ours>, bare: ReadonlyArray<Bare>): Row => ({
  key: "l",
  what,
  unit: "/s",
  ours: spreadOf(ours.map(rate)),
  peer: spreadOf(bare.map(rate)),
  ratio: ratioOf(ours.map(rate), bare.map(rate))
})

const rateRows = ({ journal, ours, tables }: Effect.Success<ReturnType<typeof atMost>>): ReadonlyArray<Row> => [
  {
    ...rateRow(`durable commitments over /rpc in batches of ${BATCH}, ${CONNECTIONS} connections`, ours, tables),
    peerName: peerNameOf("tables", BARE_BATCH),
    target: { bound: 1.7, at: "least" }
  },
  {
    ...rateRow("  the same against the least that is durable", ours, journal),
    peerName: peerNameOf("journal", BARE_BATCH)
  },
  ...costRows({ key: "l", program: "program" }, ours, tables),
  ...loggedRows("l", ours, tables)
]

/** As fast as they can, at half of that, at a quarter of the loop of rows, and one by one. */
const contest = Effect.fnUntraced(function* (bench: Bench) {
  const sides = yield* startSides(bench)
  const most = yield* atMost(bench, sides)
  const calm = yield* Effect.forEach(pacesFor(most.ours, most.tables), (pace) =>
    Effect.map(paced(bench, sides, pace), ({ bare, ours }) => paceRows(pace, ours, bare))
  )
  return [...rateRows(most), ...calm.flat()]
}, Effect.scoped)

/** Acknowledged durable commitments a second over one socket each, against a loop that only writes their rows. */
export const fastLaneRate: Case = {
  key: "l",
  title: "the fast lane",
  run: contest
}
