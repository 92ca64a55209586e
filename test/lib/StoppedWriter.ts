import { expect } from "bun:test"
import { PgClient } from "@effect/sql-pg"
import { Effect, Fiber } from "effect"
import type { Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ARENA_STREAM_PATH } from "../../src/api/ArenaStreamProtocol.ts"
import { onDatabase } from "./CliProcess.ts"
import { type Attempt, load, signIn } from "./CommitmentLoad.ts"
import { itLive } from "./Effects.ts"
import { checkLedger, checkLedgerToNow, leftBehind } from "./LedgerCheck.ts"
import { eventually, type ServerProcess, startServer } from "./ServerProcess.ts"
import { commitmentsTold, connectStream } from "./StreamClient.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"
import { testDatabase } from "./TestDatabase.ts"

const WORKERS = 16
const MAX_REQUESTS = 20_000

/** Longest that a session which asks nothing keeps the lock, with a margin, in milliseconds. */
const LOCK_LIMIT = 20_000

/** Longest until the stopped server's end, and until the stream told everything, in milliseconds. */
const END_LIMIT = 10_000

/** Every so many rounds the lock's session is left to time out; in the others it is ended. */
const SILENT_EVERY = 10

const LAST_WORD =
  /^emporion: (Another server (writes|works) on this database|The database lacks event \d+|The database answers as another one).*\n$/m

/** What a round, or all of them, came to. */
interface Found {
  /** Commitments that the stopped server acknowledged before it was stopped, and after it was continued. */
  before: number
  after: number
  /** Milliseconds from the continuation to the end of its process. */
  slowest: number
}

const lockHolders = Effect.flatMap(SqlClient, (sql) =>
  Effect.orDie(
    sql<{ pid: number }>`SELECT l.pid FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
      WHERE l.locktype = 'advisory' AND l.granted AND a.datname = current_database()
      AND a.application_name = 'emporion lock'`
  )
)

/** The lock is free: its session was ended, or ended by itself, because its process asks nothing. */
const freeLock = Effect.fnUntraced(function* (isLeftAlone: boolean) {
  const sql = yield* SqlClient
  const [holder] = yield* lockHolders
  expect(holder).toBeDefined()
  if (!isLeftAlone) yield* Effect.orDie(sql`SELECT pg_terminate_backend(${holder?.pid ?? 0})`)
  const until = performance.now() + LOCK_LIMIT
  while ((yield* lockHolders).length > 0) {
    if (performance.now() > until) return yield* Effect.die(new Error("the lock's session did not end"))
    yield* Effect.sleep(20)
  }
})

const idOf = ({ answer, path }: Attempt): ReadonlyArray<string> =>
  answer?.status === 200 && path.endsWith("/commitments")
    ? [(answer.json as { readonly data: { readonly commitment_id: string } }).data.commitment_id]
    : []

/** Under load the first server is stopped, a second one takes its place, and the first is continued. */
const replace = Effect.fnUntraced(function* (
  first: ServerProcess,
  second: Effect.Effect<ServerProcess, never, Scope.Scope>,
  config: PgClient.PgPoolConfig,
  round: number
) {
  const stopAt = 20 + ((round * 37) % 131)
  let acknowledged = 0
  let lost = 0
  let stopped = false
  let isGone = false
  const attempts: Array<Attempt> = []
  const loading = yield* Effect.forkChild(
    load({
      url: first.url,
      traders: yield* signIn(first),
      name: `round-${round}`,
      workers: WORKERS,
      limit: MAX_REQUESTS,
      onEnd: (one) => {
        attempts.push(one)
        if (one.answer === undefined) lost += 1
        if (one.answer?.status === 200) acknowledged += 1
        if (acknowledged >= stopAt && !stopped) {
          stopped = true
          setTimeout(() => first.send("SIGSTOP"), (round * 7.3) % 11)
        }
      },
      isOver: () => lost > 0 || isGone
    })
  )
  yield* eventually("enough acknowledgements", 3 * END_LIMIT, () => (stopped ? true : undefined))
  yield* Effect.sleep(30)
  yield* freeLock(round % SILENT_EVERY === SILENT_EVERY - 1)
  const next = yield* second
  const client = yield* connectStream(next.url + ARENA_STREAM_PATH)
  expect(yield* Effect.orDie(leftBehind(config))).toBe(0)
  const known = yield* Effect.orDie(checkLedger(config))
  const before = attempts.length

  const continued = performance.now()
  first.send("SIGCONT")
  const ending = yield* Effect.forkChild(Effect.map(first.ended, (ended) => ({ ...ended, at: performance.now() })))
  const other = yield* load({
    url: next.url,
    traders: yield* signIn(next),
    name: `second-${round}`,
    workers: 4,
    limit: 60,
    onEnd: () => {},
    isOver: () => false
  })
  const end = yield* Fiber.join(ending)
  isGone = true
  const slowest = end.at - continued
  yield* Fiber.join(loading)
  expect({ code: end.code, said: LAST_WORD.test(end.stderr) }).toEqual({ code: 1, said: true })

  const report = yield* Effect.orDie(checkLedgerToNow(config))
  expect(report.violations).toEqual([])
  yield* eventually("the second's stream tells every commitment since", END_LIMIT, () => {
    const told = commitmentsTold(client)
    return [...report.commitments.keys()].every((id) => known.commitments.has(id) || told.has(id)) ? true : undefined
  })
  const acked = [...attempts, ...other].flatMap(idOf)
  expect(acked.filter((id) => !report.commitments.has(id))).toEqual([])
  // What the first acknowledged after it was continued was written before it was stopped.
  expect(attempts.flatMap(idOf).filter((id) => !known.commitments.has(id))).toEqual([])
  const after = attempts.slice(before).flatMap(idOf).length
  return { next, found: { before: attempts.flatMap(idOf).length - after, after, slowest } satisfies Found }
})

/** A server is stopped under load, replaced, and continued, so many times in a row on one database. */
export const stoppedAndReplaced = (rounds: number): void =>
  itLive(
    `writes nothing after it was replaced, and its successor tells all that is there, ${rounds} times in a row`,
    () =>
      Effect.gen(function* () {
        const { config, url } = yield* testDatabase
        const dataDir = yield* temporaryFolder
        const start = startServer({ ...onDatabase(url), DATA_DIR: dataDir })
        const total: Found = { before: 0, after: 0, slowest: 0 }
        let server = yield* start
        for (let round = 0; round < rounds; round++) {
          const { found, next } = yield* Effect.provide(replace(server, start, config, round), PgClient.layer(config))
          server = next
          total.before += found.before
          total.after += found.after
          total.slowest = Math.max(total.slowest, found.slowest)
        }
        expect(total.before).toBeGreaterThan(rounds)
      }),
    rounds * 30_000
  )
