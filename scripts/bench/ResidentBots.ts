import { Effect } from "effect"
import { addBots, HASTY } from "./BenchBots.ts"
import { startProgram } from "./BenchServer.ts"
import { fill } from "./BenchWorld.ts"
import type { Bench, Case } from "./Case.ts"
import { KIB, MIB, residentBytes } from "./ResidentMemory.ts"
import { spreadOf } from "./Sample.ts"

interface Scale {
  readonly rounds: number
  readonly bots: number
  /** Milliseconds without work before memory is read: the runtime gives freed memory back after ten seconds. */
  readonly rest: number
}

const FULL: Scale = { rounds: 3, bots: 1_000, rest: 30_000 }
const QUICK: Scale = { rounds: 1, bots: 20, rest: 100 }

/** As many companies as it takes for the plan's number of bots each, and orders for all bots to decide about. */
const MARKET = { traders: 32, orders: 4, commitments: 0 }

/** How long the bots may take to decide, in steps of milliseconds. */
const STEP = 250
const MAX_STEPS = 480

/** Waits until every bot has decided about every order. */
const decided = Effect.fnUntraced(function* ({ postgres }: Bench, database: string, bots: number) {
  for (let step = 0; step < MAX_STEPS; step++) {
    const [found] = yield* postgres.query<{ count: number }>(
      database,
      "SELECT count(*)::integer AS count FROM bot_decisions"
    )
    if ((found?.count ?? 0) >= bots * MARKET.orders) return
    yield* Effect.sleep(STEP)
  }
  return yield* Effect.die(new Error("the bots do not decide"))
})

/** Memory of the program with so many bots, once each has decided about each order and came to rest. */
const memoryWith = Effect.fnUntraced(function* (bench: Bench, bots: number, { rest }: Scale) {
  const { postgres } = bench
  const database = yield* postgres.create()
  const { traders } = yield* fill(postgres, database, MARKET)
  yield* addBots(postgres, database, traders, bots)
  const server = yield* startProgram(postgres, database, bench.quick ? HASTY : {})
  yield* decided(bench, database, bots)
  yield* Effect.sleep(rest)
  return residentBytes(server.pid)
}, Effect.scoped)

const measure = Effect.fnUntraced(function* (bench: Bench) {
  const scale = bench.quick ? QUICK : FULL
  const without: Array<number> = []
  const withBots: Array<number> = []
  for (let round = 1; round <= scale.rounds; round++) {
    bench.say(`round ${round} of ${scale.rounds}`)
    without.push(yield* memoryWith(bench, 0, scale))
    withBots.push(yield* memoryWith(bench, scale.bots, scale))
  }
  const more = withBots.map((bytes, round) => bytes - (without[round] ?? 0))
  return { scale, without, withBots, more }
})

/** What active bots take of memory. */
export const residentBots: Case = {
  key: "m",
  title: "resident bots",
  run: (bench) =>
    Effect.map(measure(bench), ({ more, scale, withBots, without }) => [
      {
        key: "m",
        what: `resident memory with ${scale.bots} active bots, each of which decided about ${MARKET.orders} orders`,
        unit: "MiB",
        ours: spreadOf(withBots.map((bytes) => bytes / MIB)),
        peer: spreadOf(without.map((bytes) => bytes / MIB)),
        peerName: "without bots"
      },
      {
        key: "m",
        what: "  the difference",
        unit: "MiB",
        ours: spreadOf(more.map((bytes) => bytes / MIB)),
        target: { bound: 64, at: "most" }
      },
      {
        key: "m",
        what: "  of one bot",
        unit: "KiB",
        ours: spreadOf(more.map((bytes) => bytes / scale.bots / KIB))
      }
    ])
}
