import { Effect } from "effect"
import type { Scope } from "effect"
import { type BackupBeside, type MadeBackup, recoveryPoint, startBackup } from "./BackupBeside.ts"
import { loaded, portOf, startLoadGenerator, startProgram } from "./BenchServer.ts"
import { type BenchWorld, commitTo, fill } from "./BenchWorld.ts"
import { type Bench, type Case, playedOf } from "./Case.ts"
import { CONNECTIONS, type Contestant, marketOf } from "./CommitmentContest.ts"
import { type Cost, costRows, wholeRows, withCost } from "./Cost.ts"
import type { LoadResult } from "./HttpLoad.ts"
import { latencyRow } from "./LatencyRow.ts"
import type { Row, Target } from "./Row.ts"
import { ratioOf, spreadOf } from "./Sample.ts"
import { inTurns, QUICK, type Rounds } from "./Turns.ts"

const TRACING: Rounds = { count: 31, millis: 2_000, warmUp: 4_000 }

/** Each turn has several increments. */
const BACKUP: Rounds = { count: 15, millis: 6_000, warmUp: 4_000 }

/** The share of requests that are traced. */
const SHARE = "0.01"

/** What upkeep may cost: of the rate, and of the processor time of one, which varies less. */
interface Bounds {
  readonly rate: Target
  readonly time: Target
}

const TRACED: Bounds = { rate: { bound: 0.97, at: "least" }, time: { bound: 1.03, at: "most" } }
const BACKED: Bounds = { rate: { bound: 0.95, at: "least" }, time: { bound: 1.05, at: "most" } }
const RECENT: Target = { bound: 5_000, at: "most" }

type Measured = LoadResult & Cost

/** One turn beside a backup, with the processor time that the command took, in microseconds. */
type Backed = Measured & { readonly made: ReadonlyArray<MadeBackup>; readonly micros: number }

const contestant = Effect.fnUntraced(function* (
  { postgres }: Bench,
  market: string,
  settings: Readonly<Record<string, string>> = {}
) {
  const database = yield* postgres.create(market)
  const { pid, url } = yield* startProgram(postgres, database, settings)
  return { pid, database, port: portOf(url) } satisfies Contestant
})

const loading = Effect.fnUntraced(function* (
  { postgres }: Bench,
  world: BenchWorld
): Effect.fn.Return<(side: Contestant, millis: number, round: number) => Effect.Effect<Measured>, never, Scope.Scope> {
  const generator = yield* startLoadGenerator
  const calls = world.orderIds.map(commitTo)
  return (side, millis, round) =>
    withCost(
      postgres,
      side,
      loaded(generator, {
        port: side.port,
        millis,
        calls,
        connections: CONNECTIONS,
        tokens: world.tokens,
        seed: 1 + round
      })
    )
})

const rate = ({ perSecond }: LoadResult): number => perSecond

const compared = (
  what: string,
  peerName: string,
  ours: ReadonlyArray<Measured>,
  peer: ReadonlyArray<Measured>,
  bounds?: Bounds
): ReadonlyArray<Row> => [
  {
    key: "v",
    what: `durable commitments over HTTP, ${CONNECTIONS} connections, ${what}`,
    unit: "/s",
    ours: spreadOf(ours.map(rate)),
    peer: spreadOf(peer.map(rate)),
    peerName,
    ratio: ratioOf(ours.map(rate), peer.map(rate)),
    ...(bounds === undefined ? {} : { target: bounds.rate })
  },
  latencyRow("v", ours, peer),
  ...costRows({ key: "v", program: "server" }, ours, peer),
  ...wholeRows("v", ours, peer, bounds?.time)
]

/** Takes what it is sent, and answers as a collector does. */
const collector = Effect.acquireRelease(
  Effect.sync(() => {
    let requests = 0
    const take = async (request: Request): Promise<Response> => {
      requests += 1
      await request.arrayBuffer()
      return Response.json({})
    }
    const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: take })
    return { url: `http://127.0.0.1:${server.port}`, requests: () => requests, stop: () => server.stop(true) }
  }),
  ({ stop }) => Effect.promise(stop)
)

const tracing = Effect.fnUntraced(function* (bench: Bench, market: string, world: BenchWorld) {
  const { requests, url } = yield* collector
  const off = yield* contestant(bench, market)
  const again = yield* contestant(bench, market)
  const on = yield* contestant(bench, market, {
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_TRACES_SAMPLER_ARG: SHARE
  })
  const load = yield* loading(bench, world)
  const [plain = [], same = [], traced = []] = yield* inTurns(
    bench,
    bench.quick ? QUICK : TRACING,
    [off, again, on],
    load
  )
  if (requests() === 0 && !bench.quick) return yield* Effect.die(new Error("no traces were sent"))
  return [
    ...compared("one in a hundred traced", "not traced", traced, plain, TRACED),
    ...compared("not traced, on another server", "not traced", same, plain)
  ]
}, Effect.scoped)

const beside = (backup: BackupBeside, load: Effect.Effect<Measured>): Effect.Effect<Backed> =>
  Effect.map(backup.during(load), ({ made, micros, result }) => ({
    ...result,
    made,
    micros,
    beside: micros / result.answered
  }))

const backing = Effect.fnUntraced(function* (bench: Bench, market: string, world: BenchWorld) {
  const alone = yield* contestant(bench, market)
  const again = yield* contestant(bench, market)
  const backed = yield* contestant(bench, market)
  const backup = yield* startBackup(bench.postgres, backed.database)
  const load = yield* loading(bench, world)
  const rounds = bench.quick ? QUICK : BACKUP
  const turns: Array<Backed> = []
  const sides = [alone, again, backed]
  const [plain = [], same = []] = yield* inTurns(bench, rounds, sides, (side, millis, round) => {
    if (side !== backed) return load(side, millis, round)
    return Effect.tap(beside(backup, load(side, millis, round)), (turn) =>
      Effect.sync(() => void (round > 0 && turns.push(turn)))
    )
  })
  const made = turns.flatMap(({ made: some }) => some)
  const row = (what: string, unit: string, values: ReadonlyArray<number>, target?: Target): Row => ({
    key: "v",
    what,
    unit,
    ours: spreadOf(values),
    ...(target === undefined ? {} : { target })
  })
  return [
    ...compared("beside a backup each second", "without", turns, plain, BACKED),
    row(
      "  the oldest commit that no backup has yet",
      "ms",
      turns.map((turn) => recoveryPoint(turn.made)),
      RECENT
    ),
    row(
      "  an increment takes",
      "ms",
      made.map(({ endedAt, madeAt }) => endedAt - madeAt)
    ),
    row(
      "  processor time of one in the backup",
      "µs",
      turns.map(({ made: { length }, micros }) => micros / length)
    ),
    ...compared("without one, on another server", "without", same, plain)
  ].filter(({ ours }) => Number.isFinite(ours.median))
}, Effect.scoped)

const VARIANTS = { tracing, backup: backing }

/** What commitments cost more while requests are traced, or while a backup is made each second. */
export const upkeepCost: Case = {
  key: "v",
  title: "upkeep",
  variants: Object.keys(VARIANTS),
  run: Effect.fnUntraced(function* (bench) {
    bench.say("filling a market")
    const market = yield* bench.postgres.create()
    const world = yield* fill(bench.postgres, market, marketOf(bench))
    const played = playedOf(bench, Object.keys(VARIANTS))
    const rows = yield* Effect.forEach(Object.entries(VARIANTS), ([name, play]) =>
      played.includes(name) ? play(bench, market, world) : Effect.succeed([])
    )
    return rows.flat()
  })
}
