import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { load, signIn } from "../lib/CommitmentLoad.ts"
import { itLive } from "../lib/Effects.ts"
import { checkRecovery } from "../lib/RecoveryCheck.ts"
import { embeddedDatabase, type Ended, runToEnd, startServer } from "../lib/ServerProcess.ts"
import { listen } from "../lib/StreamListener.ts"
import { temporaryFolder } from "../lib/TemporaryFolder.ts"

const LIMIT = 120_000

/** A server that is told to stop has this long, in milliseconds. */
const STOP_LIMIT = 10_000

const KEY = "ab".repeat(32)

const sentence = ({ code, stdout, stderr }: Ended): string => {
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
  expect(stderr.endsWith("\n")).toBe(true)
  return stderr.slice(0, -1)
}

const refused = (variables: Readonly<Record<string, string>>) => Effect.map(runToEnd(variables), sentence)

describe("a start that cannot succeed", () => {
  itLive(
    "ends with 1 and one line that says what to change",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* temporaryFolder
        const said = yield* Effect.all(
          [
            refused({ DATA_DIR: dataDir, PORT: "abc" }),
            refused({ DATA_DIR: dataDir, DATABASE_URL: "postgres://someone@localhost/emporion" }),
            refused({ DATA_DIR: dataDir, SECRET_KEY: "tooshort" }),
            refused({ DATA_DIR: dataDir, APP_MODE: "production" }),
            refused({ DATA_DIR: dataDir, APP_MODE: "production", SECRET_KEY: KEY, LOG_LEVEL: "none" }),
            refused({
              DATA_DIR: dataDir,
              SECRET_KEY: KEY,
              APP_MODE: "sandbox",
              DATABASE_URL: "postgres://someone:hidden@127.0.0.1:1/emporion"
            })
          ],
          { concurrency: 2 }
        )
        const bytes = "32 random bytes, as 64 hexadecimal digits or in base64 (openssl rand -hex 32)"
        expect(said).toEqual([
          'emporion: PORT: expected a port from 0 (any free one) to 65535, not "abc".',
          "emporion: APP_MODE: expected sandbox or production, which must be said when DATABASE_URL is given.",
          `emporion: SECRET_KEY: expected ${bytes}.`,
          `emporion: SECRET_KEY: expected ${bytes}, which production requires.`,
          "emporion: Production does not start like this.\n" +
            "  RATE_LIMITS: off: anyone may ask without end, which is for benchmarks; set it to on, or leave it unset.\n" +
            "  SECRET_KEY: not random: make one with openssl rand -hex 32.",
          "emporion: No connection to DATABASE_URL (127.0.0.1:1/emporion): connect ECONNREFUSED 127.0.0.1:1. " +
            "Check that PostgreSQL runs there and takes this user."
        ])
      }),
    LIMIT
  )

  itLive(
    "touches no database when its port is taken",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* temporaryFolder
        const other = yield* Effect.acquireRelease(
          Effect.sync(() => Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() })),
          (server) => Effect.promise(() => server.stop(true))
        )
        expect(yield* refused({ DATA_DIR: dataDir, PORT: String(other.port) })).toBe(
          `emporion: Cannot listen on 127.0.0.1:${other.port}: another program listens there. Set PORT and HOST to a free address.`
        )
        expect(existsSync(join(dataDir, "postgres"))).toBe(false)
      }),
    LIMIT
  )
})

describe("a running server", () => {
  itLive(
    "shares neither its data folder nor its database, and stops in time with all that it acknowledged",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* temporaryFolder
        const server = yield* startServer({ DATA_DIR: dataDir })
        const traders = yield* signIn(server)
        const { commitments, closedWith } = yield* listen(server.url)
        const { path } = embeddedDatabase(dataDir)
        const said = yield* Effect.all(
          [
            refused({ DATA_DIR: dataDir }),
            refused({
              DATA_DIR: join(dataDir, "other"),
              APP_MODE: "sandbox",
              DATABASE_URL: `postgresql://emporion@localhost/emporion?host=${encodeURIComponent(dirname(path))}`
            })
          ],
          { concurrency: 2 }
        )
        expect(said[0]).toBe(
          `emporion: DATA_DIR ${dataDir} is in use by another server (process ${server.pid}): stop it, or choose another DATA_DIR.`
        )
        expect(said[1]).toMatch(
          /^emporion: Another server works on this database \(.*, connected since .*\): stop it first, or give this one a database of its own\.$/
        )

        let acknowledged = 0
        let lost = 0
        let toldAt = 0
        const attempts = yield* load({
          url: server.url,
          traders,
          name: "terminated",
          workers: 24,
          limit: 2_000,
          onEnd: ({ answer }) => {
            if (answer?.status === 200) acknowledged += 1
            else lost += 1
            if (acknowledged < 200 || toldAt > 0) return
            toldAt = performance.now()
            server.send("SIGTERM")
          },
          isOver: () => lost > 0
        })
        const { code, signal, stderr } = yield* server.ended
        expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: "" })
        expect(performance.now() - toldAt).toBeLessThan(STOP_LIMIT)
        expect(closedWith()).toBe(1001)
        expect(acknowledged).toBeGreaterThanOrEqual(200)

        const again = yield* startServer({ DATA_DIR: dataDir })
        yield* checkRecovery(again.url, dataDir, attempts, commitments)
      }),
    LIMIT
  )
})
