import { Effect } from "effect"
import { fill, variablesOf } from "./BenchWorld.ts"
import type { RuntimeName } from "../../test/lib/Programs.ts"
import { ON_DENO } from "./BenchServer.ts"
import { type Bench, type Case, playedOf } from "./Case.ts"
import { latencyRow } from "./LatencyRow.ts"
import type { Row } from "./Row.ts"
import { ratioOf, spreadOf } from "./Sample.ts"
import type { CollectClients, Collected, ConnectClients, StallClients } from "./StreamClients.ts"
import type { PublishPlan, Published } from "./StreamPublishing.ts"
import type { AskHeld, StartStream } from "./StreamServer.ts"
import { inTurns } from "./Turns.ts"
import { startWorker, type Worker } from "./Worker.ts"

interface Scale {
  readonly clients: number
  /** Clients beside them that stop reading. */
  readonly stalled: number
  readonly besideRounds: number
  readonly rate: number
  readonly rounds: { readonly count: number; readonly millis: number; readonly warmUp: number }
  /** How often the highest rate is looked for, and how many rates are tried at most each time. */
  readonly climbs: number
  readonly steps: number
  readonly stepMillis: number
}

const FULL: Scale = {
  clients: 500,
  stalled: 40,
  besideRounds: 3,
  rate: 1_000,
  rounds: { count: 5, millis: 3_000, warmUp: 1_500 },
  climbs: 3,
  steps: 16,
  stepMillis: 1_500
}

const QUICK: Scale = {
  clients: 10,
  stalled: 2,
  besideRounds: 1,
  rate: 200,
  rounds: { count: 1, millis: 200, warmUp: 50 },
  climbs: 1,
  steps: 2,
  stepMillis: 100
}

const FIRST_RATE = 0.6
const STEP = 1.25

/** Beyond the last rate that held, smaller steps say where between two of the large ones it ends. */
const FINE_STEP = 1.06

/** After the last message is out, what takes longer than this to arrive counts as lost. */
const PATIENCE = 500

/** A publisher that takes longer than this share of its time does not keep up with the rate. */
const SLACK = 1.15

/** How the kernel's own buffers are filled for clients that do not read, until something waits in the program. */
const FILLING: PublishPlan = { kind: "publish", rate: 8_000, millis: 250 }
const MAX_FILLINGS = 40

/** How long the program takes to give back what it held for the ones before, in steps of milliseconds. */
const WAIT = 500
const MAX_WAITS = 60

type Clients = Worker<ConnectClients | StallClients | CollectClients, Collected>

/** Something that publishes, with clients of its own for each time. */
interface Stage {
  readonly port: number
  readonly path: string
  readonly publish: (plan: PublishPlan) => Effect.Effect<Published>
  /** What waits for its clients, in bytes. */
  readonly held: Effect.Effect<number>
}

const played = Effect.fnUntraced(function* (
  stage: Stage,
  clients: Clients,
  size: number,
  rate: number,
  millis: number
) {
  const { port, path } = stage
  yield* clients.ask({ kind: "connect", port, path, clients: size })
  const published = yield* stage.publish({ kind: "publish", rate, millis })
  const collected = yield* clients.ask({ kind: "collect", messages: published.messages, millis: PATIENCE })
  if (collected.delivered === 0) return yield* Effect.die(new Error("no client was told of anything"))
  return { ...collected, keptPace: published.millis <= millis * SLACK }
})

/** The same beside clients that stopped reading, and for which the program holds the first bytes when it begins. */
const playedBeside = Effect.fnUntraced(function* (stage: Stage, clients: Clients, scale: Scale, millis: number) {
  const { port, path } = stage
  for (let wait = 0; wait < MAX_WAITS && (yield* stage.held) > 0; wait++) yield* Effect.sleep(WAIT)
  yield* clients.ask({ kind: "stall", port, path, clients: scale.stalled })
  for (let filling = 0; filling < MAX_FILLINGS && (yield* stage.held) === 0; filling++) yield* stage.publish(FILLING)
  return yield* played(stage, clients, scale.clients, scale.rate, millis)
})

/** The highest of the rates that were kept and at which every client was told everything, before the first that was not. */
const highest = Effect.fnUntraced(function* (stage: Stage, clients: Clients, scale: Scale) {
  let held = 0
  let step = STEP
  for (let count = 0; count < scale.steps; count++) {
    const rate = held === 0 ? scale.rate * FIRST_RATE : held * step
    const { delivered, keptPace } = yield* played(stage, clients, scale.clients, rate, scale.stepMillis)
    if (delivered === 1 && keptPace) held = rate
    else if (held === 0 || step === FINE_STEP) break
    else step = FINE_STEP
  }
  return held
})

type Told = number | Published

const numberFrom = (told: Effect.Effect<Told>): Effect.Effect<number> =>
  Effect.map(told, (answer) => (typeof answer === "number" ? answer : 0))

const publishedFrom = (told: Effect.Effect<Told>): Effect.Effect<Published> =>
  Effect.map(told, (answer) => (typeof answer === "number" ? { messages: 0, millis: 0 } : answer))

/** The program's stream, on a database of its own. */
const programOn = Effect.fnUntraced(function* ({ postgres }: Bench, runtime: RuntimeName) {
  const database = yield* postgres.create()
  const { orderIds } = yield* fill(postgres, database, { traders: 1, orders: 1, commitments: 0 })
  const program = yield* startWorker<StartStream | PublishPlan | AskHeld, Told>("StreamServer.ts", { runtime })
  const variables = variablesOf(postgres, database)
  return {
    port: yield* numberFrom(program.ask({ kind: "start", variables, orderId: orderIds[0] ?? "" })),
    path: "/ws/arena",
    publish: (plan) => publishedFrom(program.ask(plan)),
    held: numberFrom(program.ask({ kind: "held" }))
  } satisfies Stage
})

const stages = Effect.fnUntraced(function* (bench: Bench) {
  const ours: Stage = yield* programOn(bench, "bun")
  const bare = yield* startWorker<{ readonly kind: "start" } | PublishPlan, Told>("StreamBare.ts")
  const theirs: Stage = {
    port: yield* numberFrom(bare.ask({ kind: "start" })),
    path: "/",
    publish: (plan) => publishedFrom(bare.ask(plan)),
    held: Effect.succeed(0)
  }
  return [ours, theirs] as const
})

const measure = Effect.fnUntraced(function* (bench: Bench) {
  const scale = bench.quick ? QUICK : FULL
  const clients: Clients = yield* startWorker<ConnectClients | StallClients | CollectClients, Collected>(
    "StreamClients.ts"
  )
  const both = yield* stages(bench)
  const [ours = [], theirs = []] = yield* inTurns(bench, scale.rounds, both, (stage, millis) =>
    played(stage, clients, scale.clients, scale.rate, millis)
  )
  const beside = [false, true]
  const [alone = [], crowded = []] = yield* inTurns(
    bench,
    { ...scale.rounds, count: scale.besideRounds },
    beside,
    (isBeside, millis) =>
      isBeside
        ? playedBeside(both[0], clients, scale, millis)
        : played(both[0], clients, scale.clients, scale.rate, millis)
  )
  const climbs: ReadonlyArray<Array<number>> = [[], []]
  for (let climb = 1; climb <= scale.climbs; climb++) {
    bench.say(`highest rate, ${climb} of ${scale.climbs}`)
    for (const [index, stage] of both.entries()) climbs[index]?.push(yield* highest(stage, clients, scale))
  }
  return { scale, ours, theirs, alone, crowded, ourRates: climbs[0] ?? [], theirRates: climbs[1] ?? [] }
}, Effect.scoped)

/** The stream on Deno and on Bun, in turns, and the highest rate of each. */
const measureDeno = Effect.fnUntraced(function* (bench: Bench) {
  const scale = bench.quick ? QUICK : FULL
  const clients: Clients = yield* startWorker<ConnectClients | StallClients | CollectClients, Collected>(
    "StreamClients.ts"
  )
  const both = [yield* programOn(bench, "deno"), yield* programOn(bench, "bun")]
  const [deno = [], bun = []] = yield* inTurns(bench, scale.rounds, both, (stage, millis) =>
    played(stage, clients, scale.clients, scale.rate, millis)
  )
  bench.say("highest rate on Deno and on Bun")
  const rates = yield* Effect.forEach(both, (stage) => highest(stage, clients, scale))
  return denoRows(scale, deno, bun, rates)
}, Effect.scoped)

const share = ({ delivered }: Collected): number => delivered
const middle = ({ p50 }: Collected): number => p50
const tail = ({ p99 }: Collected): number => p99

const denoRows = (
  scale: Scale,
  deno: ReadonlyArray<Collected>,
  bun: ReadonlyArray<Collected>,
  [denoRate = 0, bunRate = 0]: ReadonlyArray<number>
): ReadonlyArray<Row> => [
  {
    key: "d",
    what: `on Deno, ${scale.rate} messages/s to ${scale.clients} clients: share delivered`,
    unit: "",
    ours: spreadOf(deno.map(share)),
    peer: spreadOf(bun.map(share)),
    peerName: "on Bun"
  },
  latencyRow("d", deno, bun, { what: "  99 % arrive within" }),
  {
    key: "d",
    what: "  highest rate at which nothing is lost",
    unit: "/s",
    ours: spreadOf([denoRate]),
    peer: spreadOf([bunRate]),
    ratio: ratioOf([denoRate], [bunRate])
  }
]

const bunRows = (bench: Bench): Effect.Effect<ReadonlyArray<Row>> =>
  Effect.map(measure(bench), ({ scale, ours, theirs, alone, crowded, ourRates, theirRates }) => [
    {
      key: "d",
      what: `${scale.rate} messages/s to ${scale.clients} clients: share delivered`,
      unit: "",
      ours: spreadOf(ours.map(share)),
      peer: spreadOf(theirs.map(share)),
      peerName: "bare publish",
      target: { bound: 1, at: "least" }
    },
    {
      key: "d",
      what: "  half arrive within",
      unit: "ms",
      ours: spreadOf(ours.map(middle)),
      peer: spreadOf(theirs.map(middle))
    },
    latencyRow("d", ours, theirs, { what: "  99 % arrive within", target: { bound: 50, at: "most" } }),
    latencyRow("d", crowded, alone, {
      what: `  99 % arrive within, beside ${scale.stalled} that stop reading`,
      peerName: "without them",
      ratio: ratioOf(crowded.map(tail), alone.map(tail))
    }),
    {
      key: "d",
      what: "  and the share delivered",
      unit: "",
      ours: spreadOf(crowded.map(share)),
      target: { bound: 1, at: "least" }
    },
    {
      key: "d",
      what: "  highest rate at which nothing is lost",
      unit: "/s",
      ours: spreadOf(ourRates),
      peer: spreadOf(theirRates),
      ratio: ratioOf(ourRates, theirRates),
      target: { bound: 0.8, at: "least" }
    }
  ])
const VARIANTS = ["bun", ON_DENO]

/** Messages from their commit to 500 clients, against the runtime's bare publish, and on Deno. */
export const streamFanout: Case = {
  key: "d",
  title: "stream",
  variants: VARIANTS,
  run: Effect.fnUntraced(function* (bench) {
    const played = playedOf(bench, VARIANTS)
    return [
      ...(played.includes("bun") ? yield* bunRows(bench) : []),
      ...(played.includes(ON_DENO) ? yield* measureDeno(bench) : [])
    ]
  })
}
