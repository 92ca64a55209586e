import { Effect } from "effect"
import { bodyOf, loaded, portOf, startLoadGenerator, startProgram } from "./BenchServer.ts"
import { fill } from "./BenchWorld.ts"
import type { Bench, Case } from "./Case.ts"
import type { Call, LoadPlan, LoadResult } from "./HttpLoad.ts"
import { latencyRow } from "./LatencyRow.ts"
import { ratioOf, spreadOf } from "./Sample.ts"
import { inTurns, roundsOf } from "./Turns.ts"

/** People who sign in at once. */
const LOGINS = 50

/** Connections that ask for client credentials, and such that ask for something small. */
const CLIENTS = 64
const CALLERS = 64

/** Connections of everybody else while people sign in. */
const OTHERS = 8

const PASSWORD = "a password for the bench"
const MARKET = { traders: 64, orders: 1, commitments: 0 }

/** A small answer that anybody gets; a token that comes with it is verified nevertheless. */
const info: Call = { line: "GET /v1/info", body: "" }

const emailOf = (index: number): string => `bench-${index}@example.com`

const register = (index: number): Call => ({
  line: "POST /api/v1/auth/register",
  body: JSON.stringify({ email: emailOf(index), password: PASSWORD, company_name: `Bench ${index}` })
})

const login = (index: number): Call => ({
  line: "POST /api/v1/auth/login",
  body: JSON.stringify({ email: emailOf(index), password: PASSWORD })
})

const people = Array.from({ length: LOGINS }, (_, index) => index)

const run = Effect.fnUntraced(function* (bench: Bench) {
  const { postgres, say } = bench
  say("registering people")
  const database = yield* postgres.create()
  const { tokens } = yield* fill(postgres, database, MARKET)
  const program = yield* startProgram(postgres, database)
  yield* Effect.forEach(people, (index) => bodyOf(program.url, register(index), ""), { concurrency: 8 })
  const [generator, second] = [yield* startLoadGenerator, yield* startLoadGenerator]
  const port = portOf(program.url)
  const credentials = { grant_type: "client_credentials", client_id: program.client.name }
  const plan = (connections: number, calls: ReadonlyArray<Call>): Omit<LoadPlan, "millis" | "seed"> => ({
    port,
    connections,
    calls,
    tokens: []
  })
  const plans = {
    open: plan(CALLERS, [info]),
    verified: { ...plan(CALLERS, [info]), tokens },
    granted: plan(CLIENTS, [
      {
        line: "POST /api/v1/auth/token",
        body: JSON.stringify({ ...credentials, client_secret: program.client.secret })
      }
    ]),
    logins: plan(LOGINS, people.map(login)),
    others: { ...plan(OTHERS, [info]), tokens }
  }
  type Name = keyof typeof plans
  const measure = (name: Name, millis: number, round: number, by = generator) =>
    loaded(by, { ...plans[name], millis, seed: 1 + round })
  const both = (millis: number, round: number) =>
    Effect.all([measure("others", millis, round, second), measure("logins", millis, round)], { concurrency: 2 })
  const alone = (name: Name) => (millis: number, round: number) =>
    Effect.map(measure(name, millis, round), (result) => [result])
  const [open = [], verified = [], granted = [], quiet = [], busy = []] = yield* inTurns(
    bench,
    roundsOf(bench),
    [alone("open"), alone("verified"), alone("granted"), alone("others"), both],
    (one, millis, round): Effect.Effect<ReadonlyArray<LoadResult>> => one(millis, round)
  )
  return { open, verified, granted, quiet, busy }
})

type Rounds = ReadonlyArray<ReadonlyArray<LoadResult>>

/** Of what ran at the same time, one in each round. */
const one = (rounds: Rounds, which = 0): ReadonlyArray<LoadResult> =>
  rounds.flatMap((results) => results.slice(which, which + 1))

const rates = (rounds: Rounds, which = 0): ReadonlyArray<number> => one(rounds, which).map(({ perSecond }) => perSecond)

/** What tokens cost: to verify one, to get one as a client, and what everybody else feels of people who sign in. */
export const signingIn: Case = {
  key: "h",
  title: "signing in",
  run: (bench) =>
    Effect.map(run(bench), ({ busy, granted, open, quiet, verified }) => [
      {
        key: "h",
        what: `small answers with a token that was verified before, ${CALLERS} connections`,
        unit: "/s",
        ours: spreadOf(rates(verified)),
        peer: spreadOf(rates(open)),
        peerName: "the same without a token",
        ratio: ratioOf(rates(verified), rates(open)),
        target: { bound: 0.9, at: "least" }
      },
      {
        key: "h",
        what: `access tokens by client credentials, ${CLIENTS} connections`,
        unit: "/s",
        ours: spreadOf(rates(granted))
      },
      latencyRow("h", one(granted)),
      {
        key: "h",
        what: `logins with a password, ${LOGINS} at once`,
        unit: "/s",
        ours: spreadOf(rates(busy, 1))
      },
      latencyRow("h", one(busy, 1)),
      latencyRow("h", one(busy), one(quiet), {
        what: `  99 % of what ${OTHERS} other connections ask meanwhile within`,
        peerName: "without logins",
        target: { bound: 50, at: "most" }
      })
    ])
}
