import { expect } from "bun:test"
import { Effect } from "effect"
import { ARENA_STREAM_PATH } from "../../src/api/ArenaStreamProtocol.ts"
import { type Attempt, load, QUICK_ARENA, signIn } from "./CommitmentLoad.ts"
import { type Answer, post, send } from "./Requests.ts"
import { itLive } from "./Effects.ts"
import { leftBehind } from "./LedgerCheck.ts"
import { checkRecovery } from "./RecoveryCheck.ts"
import {
  embeddedDatabase,
  eventually,
  postgresPid,
  type ServerProcess,
  startAndKill,
  startServer
} from "./ServerProcess.ts"
import { commitmentsTold, connectStream } from "./StreamClient.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"

const LIMIT = 300_000

/** How long one step of a round may take, whatever else the machine does. */
const STEP_LIMIT = "90 seconds"

/** Says which step does not end. */
const within = <A, E, R>(step: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.timeoutOrElse(effect, {
    duration: STEP_LIMIT,
    orElse: () => Effect.die(new Error(`${step} has not ended in ${STEP_LIMIT}`))
  })

const WORKERS = 24
const MAX_REQUESTS = 3_000

/** From so many kills on, some order has had the time to settle. */
const SETTLING_KILLS = 8

/** How long the server may refuse requests after its database stopped, in milliseconds. */
const RECOVERY_LIMIT = 10_000

/** Acknowledgements that must follow before the next stop. */
const BETWEEN_STOPS = 100

/**
 * Kills the server some milliseconds after so many acknowledgements: each round at another moment of the write path, and
 * in every third round PostgreSQL with it.
 */
const loadAndKill = Effect.fnUntraced(function* (server: ServerProcess, dataDir: string, round: number) {
  const kill = () => {
    if (round % 3 === 2) process.kill(postgresPid(dataDir), "SIGKILL")
    server.send("SIGKILL")
  }
  let acknowledged = 0
  let lost = 0
  const attempts = yield* load({
    url: server.url,
    traders: yield* signIn(server),
    name: `round-${round}`,
    workers: WORKERS,
    limit: MAX_REQUESTS,
    onEnd: ({ answer }) => {
      if (answer === undefined) lost += 1
      if (answer?.status !== 200) return
      acknowledged += 1
      if (acknowledged === 50 + 13 * round) setTimeout(kill, 1.7 * round)
    },
    isOver: () => lost > 0
  })
  if (acknowledged < 50 + 13 * round) throw new Error(`only ${acknowledged} of ${attempts.length} were acknowledged`)
  expect((yield* server.ended).signal).toBe("SIGKILL")
  return attempts
})

/** Kills the server's first starts so many milliseconds after their beginning. */
export const killedStarts = (moments: ReadonlyArray<number>): void =>
  itLive(
    "starts after first starts that were killed at any moment",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* temporaryFolder
        for (const moment of moments) yield* startAndKill({ DATA_DIR: dataDir }, moment)
        const server = yield* startServer({ DATA_DIR: dataDir })
        let ended = 0
        const attempts = yield* load({
          url: server.url,
          traders: yield* signIn(server),
          name: "first",
          workers: 2,
          limit: 4,
          onEnd: () => void (ended += 1),
          isOver: () => ended >= 4
        })
        expect(attempts.map(({ answer }) => answer?.status)).toEqual([200, 200, 200, 200])
        yield* checkRecovery(server.url, dataDir, attempts, new Set())
      }),
    LIMIT
  )

/** Kills the server under load, again and again on one database. */
export const killedUnderLoad = (kills: number): void =>
  itLive(
    `loses nothing that it acknowledged or told, and keeps nothing by half, ${kills} times in a row`,
    () =>
      Effect.gen(function* () {
        const dataDir = yield* temporaryFolder
        const attempts: Array<Attempt> = []
        const heard = new Set<string>()
        let unknown = 0

        const round = Effect.fnUntraced(function* (number: number) {
          const server = yield* within(`start ${number}`, startServer({ ...QUICK_ARENA, DATA_DIR: dataDir }))
          expect(yield* leftBehind(embeddedDatabase(dataDir))).toBe(0)
          const found = yield* within(`look ${number}`, checkRecovery(server.url, dataDir, attempts, heard))
          unknown += found.unknown
          if (number === kills) return found.report
          const client = yield* connectStream(server.url + ARENA_STREAM_PATH)
          attempts.push(...(yield* within(`kill ${number}`, loadAndKill(server, dataDir, number))))
          for (const id of commitmentsTold(client)) heard.add(id)
          return found.report
        })

        for (let number = 0; number < kills; number++) yield* Effect.scoped(round(number))
        const { orders } = yield* round(kills)
        expect(unknown).toBeGreaterThanOrEqual(kills)
        expect(heard.size).toBeGreaterThan(kills)
        if (kills >= SETTLING_KILLS) expect(orders.get("settled")).toBeGreaterThan(0)
      }),
    LIMIT
  )

/** What a server can be asked beside commitments and mints. */
const READS = [
  "/api/arena/agent/status",
  "/api/arena/orders",
  "/api/arena/orders/ord_000000000000000000000000",
  "/api/arena/commitments/my",
  "/api/arena/yield/total",
  "/api/arena/yield/vault-stats",
  "/api/arena/machine-traders/stats",
  "/v1/funds",
  "/api/v1/users/me",
  "/health/ready"
]

/** Asks for everything but commitments and mints, until it is told to stop. */
const askForAll = Effect.fnUntraced(function* (server: ServerProcess, token: string, isOver: () => boolean) {
  const answers: Array<Answer> = []
  const { client, person, url } = server
  const grant = post({ grant_type: "client_credentials", client_id: client.name, client_secret: client.secret })
  const login = post({ email: person.name, password: person.secret })
  while (!isOver()) {
    for (const path of READS) answers.push(yield* send(url + path, { headers: { authorization: `Bearer ${token}` } }))
    answers.push(yield* send(`${url}/api/v1/auth/token`, grant), yield* send(`${url}/api/v1/auth/login`, login))
  }
  return answers
})

/** Stops PostgreSQL at once after so many acknowledgements, again when there were as many after that. */
class Outages {
  /** Milliseconds from each stop to the first acknowledgement by the server that was started after it. */
  readonly lasted: Array<number> = []
  readonly #dataDir: string
  readonly #wanted: number
  #stops = 0
  #stoppedAt = 0
  #stopped = 0
  #acknowledged = 0

  constructor(dataDir: string, wanted: number) {
    this.#dataDir = dataDir
    this.#wanted = wanted
  }

  readonly onEnd = ({ answer }: Attempt): void => {
    if (answer?.status !== 200) return
    if (this.lasted.length < this.#stops && this.#isBack()) {
      this.lasted.push(performance.now() - this.#stoppedAt)
      this.#acknowledged = 0
    }
    this.#acknowledged += 1
    if (this.#acknowledged < BETWEEN_STOPS || this.lasted.length < this.#stops || this.#stops === this.#wanted) return
    this.#stops += 1
    this.#stoppedAt = performance.now()
    this.#stopped = postgresPid(this.#dataDir)
    process.kill(this.#stopped, "SIGQUIT")
  }

  /** Whether there is another PostgreSQL than the one that was stopped. */
  #isBack(): boolean {
    const pid = postgresPid(this.#dataDir)
    return pid !== 0 && pid !== this.#stopped
  }

  readonly isOver = (): boolean =>
    (this.lasted.length === this.#wanted && this.#acknowledged >= BETWEEN_STOPS) ||
    (this.lasted.length < this.#stops && performance.now() - this.#stoppedAt > RECOVERY_LIMIT)
}

/** Stops PostgreSQL at once under load, so many times. */
export const stoppedDatabase = (stops: number): void =>
  itLive(
    "refuses by 503 with Retry-After at most, and recovers by itself, with all that was acknowledged",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* temporaryFolder
        const server = yield* startServer({ ...QUICK_ARENA, DATA_DIR: dataDir })
        const traders = yield* signIn(server)
        const client = yield* connectStream(server.url + ARENA_STREAM_PATH)
        const outages = new Outages(dataDir, stops)
        const { isOver, onEnd } = outages
        const [attempts, others] = yield* Effect.all(
          [
            load({ url: server.url, traders, name: "out", workers: WORKERS, limit: MAX_REQUESTS, onEnd, isOver }),
            askForAll(server, traders[0]?.token ?? "", isOver)
          ],
          { concurrency: "unbounded" }
        )
        expect(outages.lasted).toHaveLength(stops)

        const answers = [...attempts.map(({ answer }) => answer), ...others]
        const refused = answers.filter((answer) => answer === undefined || answer.status >= 500)
        // A short outage may refuse nobody: what waits for it is answered afterwards.
        expect(
          refused.filter(
            (answer) => answer?.status !== 503 || !/^[1-9]\d?$/.test(answer.headers.get("retry-after") ?? "")
          )
        ).toEqual([])
        const { report } = yield* checkRecovery(server.url, dataDir, attempts, commitmentsTold(client))
        yield* eventually("the stream tells every commitment", RECOVERY_LIMIT, () =>
          commitmentsTold(client).size === report.commitments.size ? true : undefined
        )
        expect(client.socket.readyState).toBe(WebSocket.OPEN)
      }),
    LIMIT
  )
