import { expect } from "bun:test"
import { Effect } from "effect"
import { attempt, type Attempt, load, signIn } from "./CommitmentLoad.ts"
import { itLive } from "./Effects.ts"
import { familyOf, signalAll } from "./ProcessFamily.ts"
import { type Answer, post, sendAsync } from "./Requests.ts"
import { checkRecovery } from "./RecoveryCheck.ts"
import { postgresPid, type ServerProcess, startServer } from "./ServerProcess.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"

/** Longest that a request may take, in milliseconds. */
const ANSWER_LIMIT = 10_000

const WORKERS = 12
const MAX_REQUESTS = 3_000

interface Timed {
  readonly what: string
  readonly millis: number
  readonly answer: Answer | undefined
}

const timed = (what: string, url: string, init: RequestInit = {}) =>
  Effect.promise(async (): Promise<Timed> => {
    const began = performance.now()
    const answer = await sendAsync(url, init).catch(() => undefined)
    return { what, millis: performance.now() - began, answer }
  })

/** What else than commitments and mints is asked again and again. */
const asked = ({ client, person, url }: ServerProcess, token: string) => {
  const headers = { authorization: `Bearer ${token}` }
  const grant = { grant_type: "client_credentials", client_id: client.name, client_secret: client.secret }
  return [
    timed("commitments", `${url}/api/arena/commitments/my`, { headers }),
    timed("funds", `${url}/v1/funds`, { headers }),
    timed("me", `${url}/api/v1/users/me`, { headers }),
    timed("login", `${url}/api/v1/auth/login`, post({ email: person.name, password: person.secret })),
    timed("token", `${url}/api/v1/auth/token`, post(grant)),
    timed("ready", `${url}/health/ready`)
  ]
}

/** PostgreSQL is stopped under load for so many milliseconds, and continued. */
export const hangingDatabase = (millis: number): void =>
  itLive(
    `answers every request within ten seconds, and goes on by itself, when PostgreSQL hangs for ${millis / 1_000} s`,
    () =>
      Effect.gen(function* () {
        const dataDir = yield* temporaryFolder
        const server = yield* startServer({
          DATA_DIR: dataDir,
          ARENA_SLOT_SECONDS: "4",
          ARENA_COMMIT_WINDOW_SECONDS: "600"
        })
        const traders = yield* signIn(server)
        const token = traders[0]?.token ?? ""
        const postgres = familyOf(postgresPid(dataDir))
        const answers: Array<Timed> = []
        const run = { isOver: false, acknowledged: 0 }

        const others = Effect.gen(function* () {
          while (!run.isOver) {
            const found = yield* Effect.all(asked(server, token), { concurrency: "unbounded" })
            answers.push(...found)
            yield* Effect.sleep(250)
          }
        })
        const commitments = load({
          url: server.url,
          traders,
          name: "hang",
          workers: WORKERS,
          limit: MAX_REQUESTS,
          onEnd: ({ answer }) => void (run.acknowledged += answer?.status === 200 ? 1 : 0),
          isOver: () => run.isOver && run.acknowledged > 150
        })
        const hang = Effect.gen(function* () {
          while (run.acknowledged < 100) yield* Effect.sleep(20)
          signalAll(postgres, "SIGSTOP")
          yield* Effect.ensuring(
            Effect.sleep(millis),
            Effect.sync(() => signalAll(postgres, "SIGCONT"))
          )
          run.acknowledged = 0
          run.isOver = true
        })
        const [attempts] = yield* Effect.all([commitments, others, hang], { concurrency: "unbounded" })
        const slow = answers.filter(({ millis: took }) => took > ANSWER_LIMIT)
        expect(slow.map(({ millis: took, what }) => `${what}: ${took}`)).toEqual([])
        expect(Math.max(...attempts.map(({ millis: took = 0 }) => took))).toBeLessThan(ANSWER_LIMIT)
        const refused = [
          ...answers.flatMap(({ answer }) => (answer?.status === 200 ? [] : [answer])),
          ...attempts.flatMap(({ answer }) => (answer?.status === 200 ? [] : [answer]))
        ]
        expect(refused.length).toBeGreaterThan(0)
        const bare = refused.filter((answer) => answer?.status !== 503 || answer.headers.get("retry-after") === null)
        expect(bare.map((answer) => `${answer?.status} ${answer?.text}`)).toEqual([])
        // Every one without an answer of its own is sent again under its key: one result each.
        yield* untilSettled(server.url, attempts)
        yield* checkRecovery(server.url, dataDir, attempts, new Set())
      }),
    millis + 120_000
  )

/** Sends what was refused again until it is answered: what is still running is told so first. */
const untilSettled = Effect.fnUntraced(function* (url: string, attempts: ReadonlyArray<Attempt>) {
  for (let tries = 0; tries < 50; tries++) {
    const open = attempts.filter(({ answer }) => answer === undefined || answer.status >= 500 || answer.status === 409)
    if (open.length === 0) return
    yield* Effect.forEach(open, (one) => attempt(url, one), { concurrency: 8, discard: true })
    yield* Effect.sleep(200)
  }
})
