import { Effect } from "effect"
import { startNodes } from "./BenchNodes.ts"
import { loaded, startLoadGenerator } from "./BenchServer.ts"
import { commitTo, fill } from "./BenchWorld.ts"
import type { Bench } from "./Case.ts"
import { MIB, residentBytes } from "./ResidentMemory.ts"
import type { Row } from "./Row.ts"
import { spreadOf } from "./Sample.ts"
import type { CollectClients, Collected, ConnectClients } from "./StreamClients.ts"
import { startWorker } from "./Worker.ts"

interface Scale {
  readonly nodes: number
  /** Stream clients at each node. */
  readonly clients: number
  /** Commitments a second, and for how many milliseconds. */
  readonly rate: number
  readonly millis: number
}

const FULL: Scale = { nodes: 3, clients: 3_334, rate: 20, millis: 15_000 }
const QUICK: Scale = { nodes: 2, clients: 10, rate: 50, millis: 200 }

const MARKET = { traders: 16, orders: 8, commitments: 0 }

/** Connections that commit. */
const CONNECTIONS = 8

/** Milliseconds that the last message may take to the last client. */
const PATIENCE = 30_000

/** Milliseconds until the tables have what was acknowledged. */
const PROJECTED = 1_000

const startClients = startWorker<ConnectClients | CollectClients, Collected>("StreamClients.ts")

/** What the journal has, as the tables show it. */
const recorded = ({ postgres }: Bench, database: string): Effect.Effect<number> =>
  Effect.map(
    postgres.query<{ readonly count: number }>(
      database,
      "SELECT count(*)::int AS count FROM events WHERE type = 'CommitmentSubmitted'"
    ),
    ([row]) => row?.count ?? 0
  )

/** Clients at every node, told what is committed at the one that writes: whether each is told all of it, and the same. */
export const nodeStreams = Effect.fnUntraced(function* (bench: Bench) {
  const scale = bench.quick ? QUICK : FULL
  bench.say(`${scale.nodes} nodes`)
  const database = yield* bench.postgres.create()
  const { orderIds, tokens } = yield* fill(bench.postgres, database, MARKET)
  const nodes = yield* startNodes(bench.postgres, database, scale.nodes)
  const all = yield* Effect.forEach(nodes, () => startClients)
  bench.say(`${scale.clients * scale.nodes} stream clients`)
  for (const [index, { place }] of nodes.entries()) {
    const connecting = { kind: "connect", port: place.port, path: "/ws/arena", clients: scale.clients } as const
    yield* all[index]?.ask({ ...connecting, isCompared: true }) ?? Effect.void
  }
  const before = yield* recorded(bench, database)
  bench.say(`${scale.rate} commitments a second`)
  yield* loaded(yield* startLoadGenerator, {
    port: nodes[0]?.place.port ?? 0,
    connections: CONNECTIONS,
    rate: scale.rate,
    millis: scale.millis,
    calls: orderIds.map(commitTo),
    tokens,
    seed: 1
  })
  yield* Effect.sleep(PROJECTED)
  const messages = (yield* recorded(bench, database)) - before
  const found = yield* Effect.forEach(all, (clients) => clients.ask({ kind: "collect", messages, millis: PATIENCE }), {
    concurrency: "unbounded"
  })
  const row = (what: string, unit: string, values: ReadonlyArray<number>, target?: Row["target"]): Row => ({
    key: "u",
    what,
    unit,
    ours: spreadOf(values),
    ...(target === undefined ? {} : { target })
  })
  return [
    row(
      `${messages} commitments to ${scale.clients * scale.nodes} stream clients at ${scale.nodes} nodes: share delivered`,
      "",
      found.map(({ delivered }) => delivered),
      { bound: 1, at: "least" }
    ),
    row(
      "  accounts of it that differ, beside the first",
      "",
      [new Set(found.flatMap(({ accounts }) => accounts)).size - 1],
      { bound: 0, at: "most" }
    ),
    row(
      "  connections that a node closed",
      "",
      found.map(({ closed }) => closed)
    ),
    row(
      "  memory of a node with its clients",
      "MiB",
      nodes.map(({ pid }) => residentBytes(pid) / MIB)
    )
  ] satisfies ReadonlyArray<Row>
}, Effect.scoped)
