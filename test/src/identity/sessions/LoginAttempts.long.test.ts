import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { itLive } from "../../../lib/Effects.ts"
import { post, send, sendAsync } from "../../../lib/Requests.ts"
import { startServer } from "../../../lib/ServerProcess.ts"
import { temporaryFolder } from "../../../lib/TemporaryFolder.ts"

const LIMIT = 120_000

const WORKERS = 80
const LOGINS = 10

/** How long half of the right passwords may take among the wrong ones, in milliseconds, and the pause between two. */
const MOST = 1_000
const PAUSE = 500

const OWNER_AT = "203.0.113.7"

const forwarded = (address: string) => ({ "x-forwarded-for": address })

/** Guesses somebody's password from an address of its own, another one each time, until it is told to stop. */
const guesser = async (url: string, worker: number, isOver: () => boolean): Promise<number> => {
  let sent = 0
  for (; !isOver(); sent++) {
    const address = `198.${18 + (worker % 2)}.${worker}.${sent % 256}`
    const person = { email: `somebody${worker}.${sent}@example.com`, password: "not the right one" }
    await sendAsync(`${url}/api/v1/auth/login`, post(person, forwarded(address))).catch(() => undefined)
  }
  return sent
}

describe("LoginAttempts", () => {
  itLive(
    `let the right password in within a second among ${WORKERS} wrong ones, also after a restart`,
    () =>
      Effect.gen(function* () {
        const variables = { DATA_DIR: yield* temporaryFolder, TRUSTED_PROXIES: "127.0.0.0/8" }
        const login = Effect.fnUntraced(function* (url: string, email: string, password: string) {
          const began = performance.now()
          const { status } = yield* send(`${url}/api/v1/auth/login`, post({ email, password }, forwarded(OWNER_AT)))
          return { status, took: performance.now() - began }
        })
        const owner = yield* Effect.scoped(
          Effect.gen(function* () {
            const server = yield* startServer(variables)
            const { name, secret } = server.person
            expect(yield* login(server.url, name, secret)).toMatchObject({ status: 200 })
            return { email: name, password: secret }
          })
        )
        const { url } = yield* startServer(variables)
        const state = { isOver: false }
        const guessing = Promise.all(
          Array.from({ length: WORKERS }, (_, worker) => guesser(url, worker, () => state.isOver))
        )
        yield* Effect.sleep(2_000)
        const logins: Array<{ readonly status: number; readonly took: number }> = []
        for (let index = 0; index < LOGINS; index++) {
          logins.push(yield* login(url, owner.email, owner.password))
          yield* Effect.sleep(PAUSE)
        }
        state.isOver = true
        const guesses = (yield* Effect.promise(() => guessing)).reduce((sum, sent) => sum + sent, 0)
        expect(guesses).toBeGreaterThan(WORKERS)
        expect(logins.filter(({ status }) => status !== 200)).toEqual([])
        // Guesses, guessers and other tests share the machine: one login may have to wait for its processor.
        const half = logins.map(({ took }) => took).toSorted((one, other) => one - other)[LOGINS / 2]
        expect(half).toBeLessThan(MOST)
      }),
    LIMIT
  )
})
