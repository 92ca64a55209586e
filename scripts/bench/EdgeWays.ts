import { Effect } from "effect"
import { startNodes } from "./BenchNodes.ts"
import type { BenchPostgres } from "./BenchPostgres.ts"
import { portOf, startProgram } from "./BenchServer.ts"
import type { Bench } from "./Case.ts"
import type { Contestant } from "./CommitmentContest.ts"
import { type Cost, withCost } from "./Cost.ts"
import { processorMicros } from "./ProcessorTime.ts"
import type { Row } from "./Row.ts"
import { spreadOf } from "./Sample.ts"

/** What takes commitments, and the node between it and the callers. */
export interface Way extends Contestant {
  readonly edge?: number
}

/** The processor time of one, in the node between too. */
export type WayCost = Cost & { readonly edge: number }

/** Loads a way, with what each of the things answered took. */
export const measured = Effect.fnUntraced(function* <A extends { readonly answered: number }>(
  postgres: BenchPostgres,
  way: Way,
  loading: Effect.Effect<A>
): Effect.fn.Return<A & WayCost> {
  const edge = () => (way.edge === undefined ? 0 : (processorMicros([way.edge]) ?? Number.NaN))
  const before = edge()
  const found = yield* withCost(postgres, way, loading)
  return { ...found, edge: (edge() - before) / found.answered }
})

/** The line of what the node between takes for one. */
export const edgeRow = (through: ReadonlyArray<WayCost>): Row => ({
  key: "u",
  what: "  processor time of one in the node between",
  unit: "µs",
  ours: spreadOf(through.map(({ edge }) => edge))
})

/** One server alone, one node that nobody else joins, and a node that another one's callers reach, each on a market of its own. */
export const startWays = Effect.fnUntraced(function* ({ postgres }: Bench, market: string) {
  const [own, single, shared] = [
    yield* postgres.create(market),
    yield* postgres.create(market),
    yield* postgres.create(market)
  ]
  const server = yield* startProgram(postgres, own)
  const [node] = yield* startNodes(postgres, single, 1)
  const [writer, edge] = yield* startNodes(postgres, shared, 2)
  if (node === undefined || writer === undefined || edge === undefined) return yield* Effect.die(new Error("no nodes"))
  const ways: ReadonlyArray<Way> = [
    { port: portOf(server.url), pid: server.pid, database: own },
    { port: node.place.port, pid: node.pid, database: single },
    { port: edge.place.port, pid: writer.pid, database: shared, edge: edge.pid }
  ]
  return { ways, writer, edge }
})
