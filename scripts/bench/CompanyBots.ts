import { Effect } from "effect"
import { fromUnits, ONE } from "../../engine/money/Amount.ts"
import { addBots, botIdOf, EAGER, HASTY } from "./BenchBots.ts"
import { type LoadGenerator, portOf, startLoadGenerator, startProgram } from "./BenchServer.ts"
import { commitAt, fill } from "./BenchWorld.ts"
import type { Bench, Case } from "./Case.ts"
import { counterOf } from "./Counter.ts"
import type { Call, LoadPlan, LoadResult } from "./HttpLoad.ts"
import type { Row } from "./Row.ts"
import { spreadOf } from "./Sample.ts"
import { inTurns, roundsOf } from "./Turns.ts"

const FULL = { bots: 50, orders: 64 }
const QUICK = { bots: 10, orders: 4 }

const CONNECTIONS = 64

/** Below the sandbox's first price of the asset, so that a bot has reason to commit. */
const PRICE = fromUnits(ONE)

/** As an actor is restarted where others wrote first more often than it tries. */
const FAILURES = "emporion_bot_actor_failures_total"

/** More would meet the most commitments that one owner may hold on an order. */
const MAX_ROUNDS = 3

/** How long bots may take to decide, in steps of milliseconds. */
const STEP = 100
const MAX_STEPS = 3_000

interface Decided {
  readonly decisions: number
  readonly commits: number
  /** Seconds from the first to the last. */
  readonly seconds: number
}

const DECIDED = `
  SELECT count(*)::integer AS decisions, (count(*) FILTER (WHERE code = 'commit'))::integer AS commits,
    (coalesce(max(at) - min(at), 0) / 1000.0)::double precision AS seconds
  FROM bot_decisions`

/** Waits until every bot has decided about every order by itself. */
const decided = Effect.fnUntraced(function* ({ postgres }: Bench, database: string, expected: number) {
  for (let step = 0; step < MAX_STEPS; step++) {
    const [found] = yield* postgres.query<Decided>(database, DECIDED)
    if (found !== undefined && found.decisions >= expected) return found
    yield* Effect.sleep(STEP)
  }
  return yield* Effect.die(new Error("the bots do not decide"))
})

const evaluate = (botId: string, orderId: string): Call => ({
  line: `POST /api/arena/machine-traders/${botId}/evaluate`,
  body: JSON.stringify({ order_id: orderId })
})

const commitAs = (botId: string, orderId: string): Call => {
  const { body, line } = commitAt(orderId, PRICE)
  return { line, body: JSON.stringify({ ...(JSON.parse(body) as object), bot_id: botId }) }
}

/** The first refusals that were met are told: a load that is refused goes on. */
const loads = Effect.fnUntraced(function* (
  bench: Bench,
  generator: LoadGenerator,
  plan: Omit<LoadPlan, "connections" | "millis" | "seed">
) {
  const rounds = roundsOf(bench)
  const [results = []] = yield* inTurns(
    bench,
    { ...rounds, count: Math.min(rounds.count, MAX_ROUNDS) },
    [plan],
    (_, millis, round) => generator.ask({ ...plan, connections: CONNECTIONS, millis, seed: 1 + round })
  )
  for (const { refusal } of results) if (refusal !== "") bench.say(`refused: ${refusal}`)
  return results
})

const measure = Effect.fnUntraced(function* (bench: Bench) {
  const { postgres, quick, say } = bench
  const { bots, orders } = quick ? QUICK : FULL
  say("filling a market")
  const database = yield* postgres.create()
  const { orderIds, traders } = yield* fill(postgres, database, { traders: 4, orders, commitments: 0, price: PRICE })
  const company = traders.slice(0, 1)
  yield* addBots(postgres, database, company, bots, EAGER)
  const { url } = yield* startProgram(postgres, database, HASTY)
  say("bots decide by themselves")
  const alone = yield* decided(bench, database, bots * orders)
  const generator = yield* startLoadGenerator
  const each = (make: (botId: string, orderId: string) => Call) => ({
    port: portOf(url),
    tokens: company.map(({ token }) => token),
    calls: orderIds.flatMap((orderId) => Array.from({ length: bots }, (_, index) => make(botIdOf(index), orderId)))
  })
  say("bots are asked to evaluate")
  const evaluations = yield* loads(bench, generator, each(evaluate))
  say("bots commit over HTTP")
  const commitments = yield* loads(bench, generator, each(commitAs))
  return { bots, orders, alone, evaluations, commitments, failures: yield* counterOf(url, FAILURES) }
})

const NOBODY = { bound: 0, at: "most" } as const

const loadRows = (what: string, results: ReadonlyArray<LoadResult>): ReadonlyArray<Row> => [
  { key: "s", what, unit: "/s", ours: spreadOf(results.map(({ perSecond }) => perSecond)) },
  { key: "s", what: "  99 % are answered within", unit: "ms", ours: spreadOf(results.map(({ p99 }) => p99)) },
  { key: "s", what: "  refused", unit: "", ours: spreadOf(results.map(({ refused }) => refused)), target: NOBODY }
]

const rowsOf = ({
  alone,
  bots,
  commitments,
  evaluations,
  failures,
  orders
}: Effect.Success<ReturnType<typeof measure>>): ReadonlyArray<Row> => [
  {
    key: "s",
    what: `${bots} bots of one company decide by themselves about ${orders} orders, and commit ${alone.commits} times`,
    unit: "/s",
    ours: spreadOf([alone.decisions / alone.seconds])
  },
  ...loadRows(`evaluations that they are asked for, ${CONNECTIONS} connections`, evaluations),
  ...loadRows(`durable commitments of theirs over HTTP, ${CONNECTIONS} connections`, commitments),
  {
    key: "s",
    what: "  bots that had others write first more often than they try, in all of this",
    unit: "",
    ours: spreadOf([failures]),
    target: NOBODY
  }
]

/** Bots of one company, whose decisions all pay from its credits: who is overtaken tries again, and not for ever. */
export const companyBots: Case = {
  key: "s",
  title: "bots of one company",
  run: (bench) => Effect.map(measure(bench), rowsOf)
}
