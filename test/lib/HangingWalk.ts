import { expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { embeddedPool, layerOf } from "../../src/database/Database.ts"
import { startEmbeddedPostgres } from "../../src/database/EmbeddedPostgres.ts"
import { migrate } from "../../src/database/Migrations.ts"
import { OPERATION_ROWS, requestOf, type Sent } from "./OperationRows.ts"
import { sendOperation } from "./OperationRequest.ts"
import { CATALOGUE } from "../../src/api/ApiError.ts"
import type { Answer } from "./Requests.ts"
import { eventually } from "./ServerProcess.ts"
import { makeFixtureOn, type Fixture, termsOf, tokenOf } from "./OperationFixture.ts"
import { type DeclaredOperation, OPERATIONS } from "./Operations.ts"
import { familyOf, signalAll } from "./ProcessFamily.ts"
import { type LaneFrame, RawLane } from "./RawLane.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"
import { TestServer } from "./TestServer.ts"

/** Longest that anything asked for may take, in milliseconds. */
const ANSWER_LIMIT = 10_000

/** The pause between two rounds of everything, and between two looks at what is still running. */
const PAUSE = 250

/** Times that a request is sent again until it is answered. */
const MAX_REPEATS = 100

/** An operation and its one request, made while the database answers. */
interface Prepared {
  readonly operation: DeclaredOperation
  readonly sent: Sent
  readonly key: string
  /** Known to the server before the database hangs. */
  readonly token: string | undefined
}

/** An answer. Without a status there was none, or the connection ended. */
interface Told {
  readonly status: number | undefined
  readonly message: string
  readonly retryAfter: number
}

/** What was asked for while the database hung, and what came of it. */
interface Asked extends Told {
  readonly what: string
  /** It changes nothing. */
  readonly reads: boolean
  readonly millis: number
}

/** A PostgreSQL of its own with two databases, its processes, and the way to count what was recorded. */
const makePostgres = Effect.gen(function* () {
  const dataDir = yield* temporaryFolder
  const { connection, pid } = yield* Effect.orDie(startEmbeddedPostgres({ dataDir }))
  const config = embeddedPool(connection)
  yield* Effect.orDie(migrate().pipe(Effect.provide(layerOf(config))))
  const database = { name: connection.database, config, url: "", client: layerOf(config) }
  const processes = Effect.map(Effect.orDie(pid), familyOf)
  return { database, processes }
})

const eventsOf = (server: TestServer): Effect.Effect<ReadonlyMap<string, number>> =>
  server.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = yield* sql<{ type: string; count: bigint }>`SELECT type, count(*) AS count FROM events GROUP BY type`
      return new Map(rows.map(({ count, type }) => [type, Number(count)]))
    })
  )

/** What was recorded since, by the type of event. */
const difference = (after: ReadonlyMap<string, number>, before: ReadonlyMap<string, number>) =>
  Object.fromEntries(
    [...after]
      .map(([type, count]) => [type, count - (before.get(type) ?? 0)] as const)
      .filter(([, count]) => count > 0)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
  )

const callerOf = (fixture: Fixture, { access, name }: DeclaredOperation) =>
  access?._tag === "Open"
    ? Effect.succeed(undefined)
    : tokenOf(fixture, OPERATION_ROWS[name]?.as === "admin" ? fixture.admin : fixture.mine.userId)

/** Everything that can be asked for, but what ends the caller's own sign-ins. */
const WALKED = OPERATIONS.filter(({ name }) => OPERATION_ROWS[name]?.ends !== true)

/** Every other one with a token that the server has seen: those of the rest have to be looked up. */
const prepare = (fixture: Fixture) =>
  Effect.forEach(WALKED, (operation, index) =>
    Effect.gen(function* () {
      fixture.server.forgetTokens()
      const sent = yield* requestOf(OPERATION_ROWS[operation.name], fixture, 10_000 + index)
      const token = yield* callerOf(fixture, operation)
      const headers = { authorization: `Bearer ${token ?? ""}` }
      if (token !== undefined && index % 2 === 0) {
        yield* fixture.server.request("GET", "/v1/info", undefined, { headers })
      }
      return { operation, sent, token, key: `walk-${index}` } satisfies Prepared
    })
  )

const ask = (fixture: Fixture, { key, operation, sent, token }: Prepared) =>
  sendOperation(fixture, operation, sent, token, operation.method === "POST" ? { "idempotency-key": key } : {})

/** Nothing came, or the end of the connection. */
const NOTHING = (cause: unknown): Told => ({ status: undefined, message: String(cause), retryAfter: 0 })

const timed = <E>(what: string, reads: boolean, told: Effect.Effect<Told, E>): Effect.Effect<Asked> =>
  Effect.suspend(() => {
    const began = performance.now()
    const ended = (found: Told): Asked => ({ what, reads, millis: performance.now() - began, ...found })
    return Effect.matchCause(told, { onSuccess: ended, onFailure: (cause) => ended(NOTHING(cause)) })
  })

const toldBy = ({ headers, json, status }: Answer): Told => ({
  status,
  message: String((json as { readonly message?: string } | undefined)?.message ?? ""),
  retryAfter: Number(headers.get("retry-after"))
})

const asked = (fixture: Fixture, prepared: Prepared): Effect.Effect<Asked> =>
  timed(prepared.operation.name, prepared.operation.method === "GET", Effect.map(ask(fixture, prepared), toldBy))

/** What is no operation of the contract. */
const PAGES = ["/dashboard", "/docs", "/openapi.json", "/metrics", "/nowhere"]

const visited = ({ server }: Fixture, path: string): Effect.Effect<Asked> =>
  timed(`GET ${path}`, true, Effect.map(server.get(path), toldBy))

/** A connection of a caller that the server does not know: it is opened, or refused. */
const connected = ({ server }: Fixture, token: string): Effect.Effect<Asked> =>
  timed(
    "GET /rpc",
    true,
    Effect.scoped(
      Effect.map(RawLane.open(server.url, { headers: { authorization: `Bearer ${token}` } }), ({ socket }) => ({
        status: socket.readyState === WebSocket.OPEN ? 200 : 503,
        message: CATALOGUE.unavailable.sentence,
        retryAfter: 1
      }))
    )
  )

/** What is asked for over `/rpc`, each once under an id where it takes one. */
const messagesOf = (fixture: Fixture): ReadonlyArray<readonly [string, unknown]> => [
  ["commit", { ...termsOf(fixture, 1.5), idempotency_id: "walk-commit" }],
  [
    "commitBatch",
    {
      items: [
        { ...termsOf(fixture, 1.25), idempotency_id: "walk-batch-1" },
        { ...termsOf(fixture, 1.75), idempotency_id: "walk-batch-2" }
      ]
    }
  ],
  ["myCommitments", {}],
  ["balances", {}],
  ["pauseAll", {}],
  ["cancelAfter", { timeout_seconds: 0 }],
  ["cancelOnDisconnect", { enabled: false }],
  ["liftKillSwitch", undefined]
]

type Exited = NonNullable<LaneFrame["exit"]>

interface Refusal {
  readonly _tag?: string
  readonly code?: string
  readonly message?: string
  readonly retry_after?: number
  readonly results?: ReadonlyArray<Refusal>
}

/** The refusal of a message, or of the first item of its batch. */
const refusalOf = ({ cause, value }: Exited): Refusal | undefined => {
  const whole = cause?.[0]?.error as Refusal | undefined
  return whole ?? (value as Refusal | undefined)?.results?.find(({ _tag }) => _tag === "Refused")
}

const READING: ReadonlySet<string> = new Set(["myCommitments", "balances", "authenticate"])

const called = (lane: RawLane, [name, payload]: readonly [string, unknown]): Effect.Effect<Asked> =>
  timed(
    `RPC ${name}`,
    READING.has(name),
    Effect.map(
      Effect.suspend(() => lane.ended(lane.ask(name, payload))),
      (exit) => {
        const refusal = refusalOf(exit)
        const status = refusal === undefined ? 200 : refusal.code === "unavailable" ? 503 : 409
        return { status, message: refusal?.message ?? "", retryAfter: refusal?.retry_after ?? 0 }
      }
    )
  )

/** A stream is answered once it says anything. */
const opened = (lane: RawLane, name: string): Effect.Effect<Asked> =>
  timed(
    `RPC ${name}`,
    true,
    Effect.suspend(() => {
      const id = lane.ask(name, {})
      return eventually(`the begin of ${name}`, ANSWER_LIMIT, () =>
        lane.frames.find(({ requestId }) => requestId === id)
      )
    }).pipe(
      Effect.map(({ exit }) => ({
        status: exit === undefined ? 200 : 503,
        message: exit === undefined ? "" : (refusalOf(exit)?.message ?? ""),
        retryAfter: exit === undefined ? 0 : (refusalOf(exit)?.retry_after ?? 0)
      }))
    )
  )

const laneOf = (fixture: Fixture) =>
  Effect.flatMap(tokenOf(fixture, fixture.mine.userId), (token) =>
    RawLane.open(fixture.server.url, { headers: { authorization: `Bearer ${token}` } })
  )

/** Everything, all at once. The tokens are new to the server. */
const round = (fixture: Fixture, prepared: ReadonlyArray<Prepared>, lane: RawLane, [first, second]: Tokens) =>
  Effect.all(
    [
      ...prepared.map((one) => asked(fixture, one)),
      ...PAGES.map((path) => visited(fixture, path)),
      ...messagesOf(fixture).map((message) => called(lane, message)),
      called(lane, ["authenticate", { access_token: first }]),
      opened(lane, "orders"),
      opened(lane, "subscribe"),
      connected(fixture, second)
    ],
    { concurrency: "unbounded" }
  )

/** Two access tokens for each round that there can be. */
type Tokens = readonly [string, string]

const tokensOf = ({ mine, ...fixture }: Fixture, rounds: number): Effect.Effect<ReadonlyArray<Tokens>> =>
  Effect.forEach(Array.from({ length: rounds }), () =>
    Effect.all([tokenOf(fixture, mine.userId), tokenOf(fixture, mine.userId)])
  )

const isKeyed = ({ answersSecret, method }: DeclaredOperation): boolean => method === "POST" && !answersSecret

const isOpen = (status: number | undefined): boolean => status === undefined || status === 503 || status === 409

/** Asks again until there is an answer; one that says that the first is still running is none. */
const untilAnswered = <A>(again: Effect.Effect<A>, statusOf: (answer: A) => number | undefined): Effect.Effect<A> =>
  Effect.gen(function* () {
    let answer = yield* again
    for (let tries = 0; tries < MAX_REPEATS && isOpen(statusOf(answer)); tries++) {
      yield* Effect.sleep(PAUSE)
      answer = yield* again
    }
    return answer
  })

/** The answers of what has a key, once each has one. */
const settled = (fixture: Fixture, prepared: ReadonlyArray<Prepared>) =>
  Effect.forEach(
    prepared.filter(({ operation }) => isKeyed(operation)),
    (one) =>
      Effect.map(
        untilAnswered(ask(fixture, one), ({ status }) => status),
        (answer) => ({ one, answer })
      ),
    { concurrency: 4 }
  )

/** What the keyed requests record where nothing hangs, and what the others may. */
const recordedNormally = Effect.gen(function* () {
  const server = yield* TestServer.make()
  const fixture = yield* makeFixtureOn(server)
  const prepared = yield* prepare(fixture)
  const lane = yield* laneOf(fixture)
  const before = yield* eventsOf(server)
  yield* settled(fixture, prepared)
  const [commit, batch, ...others] = messagesOf(fixture)
  for (const message of [commit, batch]) if (message !== undefined) yield* called(lane, message)
  const keyed = yield* eventsOf(server)
  for (const one of prepared.filter(({ operation }) => !isKeyed(operation))) yield* asked(fixture, one)
  for (const message of others) yield* called(lane, message)
  const all = yield* eventsOf(server)
  return { keyed: difference(keyed, before), others: difference(all, keyed) }
})

/** What the caller is told of something that may have taken effect, and of what was not begun. */
const WAYS_ON = [
  /is unknown: repeat it with the same Idempotency-Key after Retry-After, or look first\.$/,
  /is unknown: repeat it after Retry-After, or look first\.$/,
  /is unknown: send it again with the same idempotency_id after retry_after, or look first\.$/
]
const saysUnknown = ({ message }: Asked): boolean => WAYS_ON.some((way) => way.test(message))
const saysAgain = ({ message }: Asked): boolean =>
  message === CATALOGUE.unavailable.sentence || /^No (answer|snapshot) came in time: /.test(message)

/** Everything is asked for again and again while PostgreSQL is stopped. */
const whileStopped = Effect.fnUntraced(function* (
  fixture: Fixture,
  prepared: ReadonlyArray<Prepared>,
  postgres: ReadonlyArray<number>,
  stop: number
) {
  const tokens = yield* tokensOf(fixture, Math.ceil(stop / PAUSE))
  const lane = yield* laneOf(fixture)
  const found: Array<Asked> = []
  signalAll(postgres, "SIGSTOP")
  const until = performance.now() + stop
  yield* Effect.ensuring(
    Effect.gen(function* () {
      for (const fresh of tokens) {
        if (performance.now() > until) break
        found.push(...(yield* round(fixture, prepared, lane, fresh)))
        yield* Effect.sleep(PAUSE)
      }
    }),
    Effect.sync(() => signalAll(postgres, "SIGCONT"))
  )
  return { found, lane }
})

/**
 * PostgreSQL is stopped for so many milliseconds while everything that there is is asked for; then each request with a
 * key is repeated until it is answered, and what is recorded is what it would be if it had been asked for once.
 */
export const hangingWalk = Effect.fnUntraced(function* (stop: number) {
  const normally = yield* recordedNormally
  const { database, processes } = yield* makePostgres
  const fixture = yield* makeFixtureOn(yield* TestServer.makeOn(database))
  const prepared = yield* prepare(fixture)
  const before = yield* eventsOf(fixture.server)
  const { found, lane } = yield* whileStopped(fixture, prepared, yield* processes, stop)

  expect(found.filter(({ millis, status }) => millis > ANSWER_LIMIT || status === undefined)).toEqual([])
  const refused = found.filter(({ status }) => status === 503)
  expect(refused.filter(({ retryAfter }) => !(retryAfter >= 1))).toEqual([])
  expect(refused.filter((one) => !(saysAgain(one) || (!one.reads && saysUnknown(one))))).toEqual([])
  expect(refused.filter(saysUnknown).length).toBeGreaterThan(0)

  for (const { answer, one } of yield* settled(fixture, prepared)) {
    expect([one.operation.name, answer.status]).toEqual([
      one.operation.name,
      OPERATION_ROWS[one.operation.name]?.status ?? 200
    ])
    const again = yield* ask(fixture, one)
    expect([again.text, again.headers.get("idempotency-replayed")]).toEqual([answer.text, "true"])
  }
  for (const message of messagesOf(fixture)) {
    const { status } = yield* untilAnswered(called(lane, message), (answer) => answer.status)
    expect([message[0], status]).toEqual([message[0], 200])
  }
  const recorded = difference(yield* eventsOf(fixture.server), before)
  const once = Object.entries(normally.keyed).filter(([type]) => !(type in normally.others))
  expect(once.length).toBeGreaterThan(30)
  expect(once.map(([type]) => [type, recorded[type]])).toEqual(once)
  return found
})
