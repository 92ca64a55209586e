import { Effect } from "effect"
import { loaded, portOf, startLoadGenerator, startProgram } from "./BenchServer.ts"
import { commitTo, fill } from "./BenchWorld.ts"
import { type Bench, type Case, playedOf } from "./Case.ts"
import type { LoadResult } from "./HttpLoad.ts"
import type { Row } from "./Row.ts"
import { ratioOf, spreadOf } from "./Sample.ts"
import { addSettledOrders } from "./SettledHistory.ts"
import { inTurns, roundsOf } from "./Turns.ts"

/** Settled orders. The last takes some five minutes and 10 GB to write. */
const SIZES = ["100", "10000", "100000", "1000000"]
const SMALL_SIZES = ["4", "8", "40"]

const CONNECTIONS = 64
const MARKET = { traders: 256, orders: 64, commitments: 0 }
const SMALL = { traders: 8, orders: 8, commitments: 0 }

const measure = Effect.fnUntraced(function* (bench: Bench) {
  const { postgres, quick, say } = bench
  const sizes = (quick ? SMALL_SIZES : playedOf(bench, SIZES)).map(Number)
  const market = yield* postgres.create()
  const world = yield* fill(postgres, market, quick ? SMALL : MARKET)
  const calls = world.orderIds.map(commitTo)
  const ports: Array<number> = []
  for (const size of sizes) {
    say(`writing ${size} settled orders`)
    const database = yield* postgres.create(market)
    yield* addSettledOrders(postgres, database, size)
    const server = yield* startProgram(postgres, database)
    ports.push(portOf(server.url))
  }
  const generator = yield* startLoadGenerator
  const found = yield* inTurns(bench, roundsOf(bench), ports, (port, millis, round) =>
    loaded(generator, { port, connections: CONNECTIONS, millis, calls, tokens: world.tokens, seed: 1 + round })
  )
  return { sizes, found }
})

/** Microseconds of the whole machine that a commitment takes. */
const cost = ({ perSecond }: LoadResult): number => 1e6 / perSecond

const rowsOf = (sizes: ReadonlyArray<number>, found: ReadonlyArray<ReadonlyArray<LoadResult>>): ReadonlyArray<Row> => {
  const costs = found.map((results) => results.map(cost))
  const [smallest = []] = costs
  return sizes.map((size, index): Row => {
    const ours = costs[index] ?? []
    const isLast = index === sizes.length - 1
    return {
      key: "g",
      what: `a commitment with ${size.toLocaleString("en-US")} settled orders`,
      unit: "µs",
      ours: spreadOf(ours),
      ...(index === 0 ? {} : { ratio: ratioOf(ours, smallest) }),
      ...(isLast ? { target: { bound: 1.2, at: "most" } } : {})
    }
  })
}

/** What a commitment costs when much has happened before. */
export const historySize: Case = {
  key: "g",
  title: "history",
  variants: SIZES,
  run: (bench) => Effect.map(measure(bench), ({ sizes, found }) => rowsOf(sizes, found))
}
