import { Effect, Fiber } from "effect"
import { startServer } from "../../test/lib/ServerProcess.ts"
import { portOf } from "./BenchServer.ts"
import { fill, variablesOf } from "./BenchWorld.ts"
import type { Bench, Case } from "./Case.ts"
import type { Probed, ProbePlan } from "./FloodProbe.ts"
import { FLOOD_KINDS, type Flooded, type FloodKind, type FloodPlan } from "./Floods.ts"
import { MIB, residentBytes } from "./ResidentMemory.ts"
import type { Row } from "./Row.ts"
import { percentile, spreadOf } from "./Sample.ts"
import { startWorker, type Worker } from "./Worker.ts"

const FLOOD_MILLIS = 20_000
const QUICK_MILLIS = 300

/** When the server is to be as it was, after a flood's end, in milliseconds, and how long is looked at that. */
const RECOVERY = 1_000

/** After so long without load the runtime has given back what it does not use, in milliseconds. */
const REST_MILLIS = 9_000

const EVERY = 25

/** Played first: it warms the server, and its own row tells what as many requests cost that are no flood. */
const ORDINARY: FloodKind = "ordinary requests"

/** Each of them reads less than its plan allows in a minute. */
const MARKET = { traders: 60, orders: 1, commitments: 0 }

/** What others felt of one flood. Milliseconds, and bytes. */
interface Felt {
  readonly kind: FloodKind
  readonly during: Probed
  readonly after: Probed
  readonly memory: number
  readonly flooded: Flooded
}

/** Only these, where the variable names some with `|` between, to look at one of them alone. */
const chosen = (): ReadonlyArray<FloodKind> => {
  const named = process.env["FLOODS"]?.split("|")
  const wanted = named === undefined ? FLOOD_KINDS : FLOOD_KINDS.filter((kind) => named.includes(kind))
  return [ORDINARY, ...wanted.filter((kind) => kind !== ORDINARY)]
}

const most = (pid: number, seen: { bytes: number }): Effect.Effect<never> =>
  Effect.sync(() => {
    seen.bytes = Math.max(seen.bytes, residentBytes(pid))
  }).pipe(Effect.delay(100), Effect.forever)

interface Parts {
  readonly client: Worker<FloodPlan, Flooded>
  readonly prober: Worker<ProbePlan, Probed>
  readonly pid: number
  readonly probe: Omit<ProbePlan, "times">
  readonly plan: Omit<FloodPlan, "kind">
}

const feel = Effect.fnUntraced(function* ({ client, pid, plan, probe, prober }: Parts, kind: FloodKind) {
  yield* Effect.sleep(plan.millis < FLOOD_MILLIS ? 0 : REST_MILLIS)
  const before = residentBytes(pid)
  const seen = { bytes: before }
  const watching = yield* Effect.forkChild(most(pid, seen))
  const [flooded, during] = yield* Effect.all(
    [client.ask({ ...plan, kind }), prober.ask({ ...probe, times: Math.floor(plan.millis / EVERY) })],
    { concurrency: "unbounded" }
  )
  yield* Fiber.interrupt(watching)
  yield* Effect.sleep(RECOVERY)
  const after = yield* prober.ask({ ...probe, times: Math.floor(Math.min(plan.millis, 2_000) / EVERY) })
  return { kind, during, after, memory: seen.bytes - before, flooded } satisfies Felt
})

const measure = Effect.fnUntraced(function* ({ postgres, quick, say }: Bench) {
  const database = yield* postgres.create()
  const world = yield* fill(postgres, database, MARKET)
  const variables = { ...variablesOf(postgres, database), RATE_LIMITS: "on", TRUSTED_PROXIES: "127.0.0.1" }
  const { pid, url } = yield* startServer(variables)
  const [token = "", ...tokens] = world.tokens
  const [orderId = ""] = world.orderIds
  const parts: Parts = {
    client: yield* startWorker<FloodPlan, Flooded>("FloodClient.ts"),
    prober: yield* startWorker<ProbePlan, Probed>("FloodProbe.ts"),
    pid,
    probe: { url, orderId, tokens, everyMillis: EVERY },
    plan: { port: portOf(url), token, orderId, millis: quick ? QUICK_MILLIS : FLOOD_MILLIS }
  }
  yield* parts.prober.ask({ ...parts.probe, times: 100 })
  const felt: Array<Felt> = []
  for (const kind of chosen()) {
    const found = yield* feel(parts, kind)
    const { closed, sent, told } = found.flooded
    say(`${kind}: ${sent} sent, ${closed} connections closed, ${told} bytes told, ${found.during.failed} probes failed`)
    felt.push(found)
  }
  return felt
})

const worst = ({ health, reads }: Probed, share: number): number =>
  Math.max(
    ...[health, reads].map((millis) =>
      percentile(
        millis.toSorted((a, b) => a - b),
        share
      )
    )
  )

const one = (value: number) => spreadOf([value])

const rowsOf = ({ after, during, kind, memory }: Felt, idle: Felt | undefined): ReadonlyArray<Row> => {
  const against = (share: number) =>
    idle === undefined ? {} : { peer: one(worst(idle.during, share)), peerName: "busy client" }
  return [
    {
      key: "p",
      what: `${kind}: 95 % of probes and reads`,
      unit: "ms",
      ours: one(worst(during, 0.95)),
      ...against(0.95),
      target: { bound: 100, at: "most" }
    },
    {
      key: "p",
      what: "  99 %",
      unit: "ms",
      ours: one(worst(during, 0.99)),
      ...against(0.99),
      target: { bound: 250, at: "most" }
    },
    {
      key: "p",
      what: "  memory added",
      unit: "MiB",
      ours: one(memory / MIB),
      ...(kind === ORDINARY ? {} : { target: { bound: 64, at: "most" } })
    },
    { key: "p", what: "  95 % a second after", unit: "ms", ours: one(worst(after, 0.95)) }
  ]
}

/** What others feel of somebody who sends more than may be sent, or takes and does not read. */
export const floodCost: Case = {
  key: "p",
  title: "floods",
  run: (bench) =>
    Effect.map(measure(bench), (felt) => {
      const idle = felt.find(({ kind }) => kind === "busy client")
      return felt.filter((each) => each !== idle).flatMap((each) => rowsOf(each, idle))
    })
}
