import { Effect } from "effect"
import type { Scope } from "effect"
import { join } from "node:path"
import { type ServerProcess, startServer } from "../../test/lib/ServerProcess.ts"
import { temporaryFolder } from "./BenchPostgres.ts"
import { bodyOf, startProgram } from "./BenchServer.ts"
import { type BenchWorld, commitTo, fill } from "./BenchWorld.ts"
import type { Bench, Case } from "./Case.ts"
import { KIB, MIB, residentBytes } from "./ResidentMemory.ts"
import { spreadOf } from "./Sample.ts"

interface Scale {
  readonly rounds: number
  readonly orders: number
  /** Milliseconds without a request before the memory of a new server is read. */
  readonly rest: number
  /** The same after a burst of requests: the server returns what that took once it has been free for a second. */
  readonly idle: number
}

const FULL: Scale = { rounds: 5, orders: 10_000, rest: 3_000, idle: 15_000 }
const QUICK: Scale = { rounds: 1, orders: 50, rest: 100, idle: 100 }

/** Rounds of the memory of many orders: each fills a database anew. */
const MEMORY_ROUNDS = 3

/** Few orders take as many commitments as many do, so that what remains is what an order costs. */
const FEW_ORDERS = 10
const TRADERS = 32
const CONCURRENCY = 32

const stopped = ({ send, ended }: ServerProcess): Effect.Effect<void> =>
  Effect.andThen(
    Effect.sync(() => send("SIGTERM")),
    Effect.flatMap(ended, ({ code, stderr }) => (code === 0 ? Effect.void : Effect.die(new Error(stderr))))
  )

interface Start {
  readonly seconds: number
  readonly bytes: number
}

/** One start on a data folder, until the address is printed and takes requests. */
const start = (dataDir: string, rest: number): Effect.Effect<Start> =>
  Effect.scoped(
    Effect.gen(function* () {
      const begun = performance.now()
      const server = yield* startServer({ DATA_DIR: dataDir })
      const seconds = (performance.now() - begun) / 1_000
      yield* Effect.sleep(rest)
      const bytes = residentBytes(server.pid)
      yield* stopped(server)
      return { seconds, bytes }
    })
  )

const starts = Effect.fnUntraced(function* ({
  rest
}: Scale): Effect.fn.Return<{ readonly cold: Start; readonly warm: Start }, never, Scope.Scope> {
  const dataDir = join(yield* temporaryFolder("start"), "data")
  const cold = yield* start(dataDir, 0)
  return { cold, warm: yield* start(dataDir, rest) }
}, Effect.scoped)

/** As many commitments as the larger market has orders, in turns over the orders and the traders. */
const commitAll = ({ url }: ServerProcess, { orderIds, tokens }: BenchWorld, commitments: number) =>
  Effect.forEach(
    Array.from({ length: commitments }, (_, index) => index),
    (index) =>
      bodyOf(
        url,
        commitTo(orderIds[index % orderIds.length] ?? ""),
        tokens[Math.floor(index / orderIds.length) % tokens.length] ?? ""
      ),
    { concurrency: CONCURRENCY, discard: true }
  )

/** Memory with that many open orders, before and after each of them was committed to and came to rest. */
const memoryWith = Effect.fnUntraced(function* ({ postgres }: Bench, orders: number, scale: Scale) {
  const database = yield* postgres.create()
  const world = yield* fill(postgres, database, { traders: TRADERS, orders, commitments: 0 })
  const server = yield* startProgram(postgres, database)
  yield* Effect.sleep(scale.rest)
  const before = residentBytes(server.pid)
  yield* commitAll(server, world, scale.orders)
  yield* Effect.sleep(scale.idle)
  const after = residentBytes(server.pid)
  yield* stopped(server)
  yield* postgres.drop(database)
  return { before, after }
}, Effect.scoped)

const measure = Effect.fnUntraced(function* (bench: Bench) {
  const scale = bench.quick ? QUICK : FULL
  const started: Array<{ readonly cold: Start; readonly warm: Start }> = []
  for (let round = 1; round <= scale.rounds; round++) {
    bench.say(`start ${round} of ${scale.rounds}`)
    started.push(yield* starts(scale))
  }
  const few: Array<number> = []
  const many: Array<{ readonly before: number; readonly after: number }> = []
  for (let round = 1; round <= (bench.quick ? 1 : MEMORY_ROUNDS); round++) {
    bench.say(`memory of ${scale.orders} orders`)
    few.push((yield* memoryWith(bench, FEW_ORDERS, scale)).after)
    many.push(yield* memoryWith(bench, scale.orders, scale))
  }
  const idle = many.map(({ after }, round) => (after - (few[round] ?? 0)) / (scale.orders - FEW_ORDERS) / KIB)
  return { scale, started, many, idle }
})

const mebibytes = (bytes: ReadonlyArray<number>) => spreadOf(bytes.map((each) => each / MIB))

/** How fast the program starts, and how much memory it and its orders take. */
export const startup: Case = {
  key: "e",
  title: "start and memory",
  run: (bench) =>
    Effect.map(measure(bench), ({ scale, started, many, idle }) => [
      {
        key: "e",
        what: "cold start: no data folder, initdb included",
        unit: "s",
        ours: spreadOf(started.map(({ cold }) => cold.seconds)),
        target: { bound: 4, at: "most" }
      },
      {
        key: "e",
        what: "warm start",
        unit: "s",
        ours: spreadOf(started.map(({ warm }) => warm.seconds)),
        target: { bound: 1.2, at: "most" }
      },
      {
        key: "e",
        what: "resident memory, empty",
        unit: "MiB",
        ours: mebibytes(started.map(({ warm }) => warm.bytes)),
        target: { bound: 150, at: "most" }
      },
      {
        key: "e",
        what: `  with ${scale.orders} open orders, just started`,
        unit: "MiB",
        ours: mebibytes(many.map(({ before }) => before))
      },
      {
        key: "e",
        what: `  with ${scale.orders} open orders, each committed to and idle`,
        unit: "MiB",
        ours: mebibytes(many.map(({ after }) => after))
      },
      {
        key: "e",
        what: `  an idle order: the difference to ${FEW_ORDERS} orders with as many commitments`,
        unit: "KiB",
        ours: spreadOf(idle),
        target: { bound: 4, at: "most" }
      }
    ])
}
