import { Effect } from "effect"
import type { RuntimeName } from "../../test/lib/Programs.ts"
import { loaded, portOf, startLoadGenerator, startProgram } from "./BenchServer.ts"
import { commitTo } from "./BenchWorld.ts"
import type { Bench } from "./Case.ts"
import { CONNECTIONS, type Contestant } from "./CommitmentContest.ts"
import type { Markets } from "./ConventionalMarket.ts"
import { costRows, withCost } from "./Cost.ts"
import { latencyRow } from "./LatencyRow.ts"
import type { Row } from "./Row.ts"
import { ratioOf, spreadOf } from "./Sample.ts"
import { inTurns, roundsOf } from "./Turns.ts"

const RUNTIMES: ReadonlyArray<RuntimeName> = ["deno", "bun"]

/** The commitments of case b on the program's two runtimes, each on a market of its own. */
export const commitmentsOnDeno = Effect.fnUntraced(function* (bench: Bench, { ours: market, world }: Markets) {
  const { postgres } = bench
  bench.say("the program on Deno and on Bun")
  const generator = yield* startLoadGenerator
  const sides = yield* Effect.forEach(RUNTIMES, (runtime) =>
    Effect.gen(function* () {
      const database = yield* postgres.create(market)
      const { pid, url } = yield* startProgram(postgres, database, {}, runtime)
      return { port: portOf(url), pid, database } satisfies Contestant
    })
  )
  const { orderIds, tokens } = world
  const [deno = [], bun = []] = yield* inTurns(bench, roundsOf(bench), sides, (side, millis, round) =>
    withCost(
      postgres,
      side,
      loaded(generator, {
        port: side.port,
        connections: CONNECTIONS,
        millis,
        calls: orderIds.map(commitTo),
        tokens,
        seed: 1 + round
      })
    )
  )
  const [ours, peer] = [deno, bun].map((rounds) => rounds.map(({ perSecond }) => perSecond))
  return [
    {
      key: "b",
      what: `durable commitments on Deno, ${CONNECTIONS} connections, ${orderIds.length} orders`,
      unit: "/s",
      ours: spreadOf(ours ?? []),
      peer: spreadOf(peer ?? []),
      peerName: "on Bun",
      ratio: ratioOf(ours ?? [], peer ?? [])
    },
    latencyRow("b", deno, bun),
    ...costRows({ key: "b", program: "server" }, deno, bun)
  ] satisfies ReadonlyArray<Row>
}, Effect.scoped)
