import { Effect } from "effect"
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { startBenchPostgres, temporaryFolder } from "../bench/BenchPostgres.ts"
import { bodyOf, startProgram } from "../bench/BenchServer.ts"
import { commitTo, fill } from "../bench/BenchWorld.ts"
import { orderCalls, stock } from "../bench/CommerceWorld.ts"
import type { Call } from "../bench/HttpLoad.ts"

/** The files that one request of a kind passes. */
export interface FilesPassed {
  readonly what: string
  /** From the repository's root. */
  readonly files: ReadonlyArray<string>
}

const REQUESTS = 200

const POLL = "20 millis"

type Counts = ReadonlyArray<readonly [path: string, count: number]>

/** The counts of a program since they were asked for last. */
const countsOf = (pid: number, file: string): Effect.Effect<Counts> =>
  Effect.gen(function* () {
    process.kill(pid, "SIGUSR2")
    for (;;) {
      const found = yield* Effect.option(Effect.try(() => readFileSync(file, "utf8")))
      if (found._tag === "Some") {
        rmSync(file)
        return JSON.parse(found.value) as Counts
      }
      yield* Effect.sleep(POLL)
    }
  })

/** What a commitment and an order of products pass between the socket and the answer. */
export const filesPassed = Effect.gen(function* () {
  const postgres = yield* startBenchPostgres
  const database = yield* postgres.create()
  const traders = yield* fill(postgres, database, { traders: 8, orders: 4, commitments: 0 })
  const file = join(yield* temporaryFolder("files"), "counts.json")
  const program = yield* startProgram(postgres, database, {
    FILES_PASSED: file,
    BUN_OPTIONS: `--preload=${join(import.meta.dir, "Preload.ts")}`
  })
  const world = yield* stock(program.url, traders, { sellers: 4, products: 240, calls: 2 * REQUESTS })
  const [token = ""] = traders.tokens
  const [orderId = ""] = traders.orderIds

  const passed = Effect.fnUntraced(function* (what: string, calls: ReadonlyArray<Call>) {
    const ask = (call: Call) => bodyOf(program.url, call, call.token ?? token)
    // The first ones verify tokens and compile encoders.
    yield* Effect.forEach(calls.slice(0, REQUESTS), ask, { discard: true })
    yield* countsOf(program.pid, file)
    yield* Effect.forEach(calls.slice(REQUESTS), ask, { discard: true })
    const counts = yield* countsOf(program.pid, file)
    const files = counts.filter(([, count]) => count >= REQUESTS).map(([path]) => path)
    return { what, files: files.toSorted() } satisfies FilesPassed
  })

  return [
    yield* passed(
      "a commitment",
      Array.from({ length: 2 * REQUESTS }, () => commitTo(orderId))
    ),
    yield* passed("an order of ten products", orderCalls(world, 2 * REQUESTS))
  ]
})
