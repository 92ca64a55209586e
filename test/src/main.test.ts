import { describe, expect } from "bun:test"
import { ConfigProvider, Effect } from "effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { explained, serving } from "../../src/Serving.ts"
import { itLive } from "../lib/Effects.ts"
import { refusedStart } from "../lib/ServerProcess.ts"
import { temporaryFolder } from "../lib/TemporaryFolder.ts"
import * as TestRuntime from "../lib/TestRuntime.ts"

const LIMIT = 120_000

const KEY = "ab".repeat(32)

/** What a start that cannot succeed is refused with, in this process: the program prints it behind its name. */
const refusedHere = (variables: Readonly<Record<string, string>>): Effect.Effect<string> => {
  const settings = { PORT: "0", RATE_LIMITS: "off", SANDBOX_TRADERS: "0", LOG_LEVEL: "warn", ...variables }
  return serving.pipe(
    Effect.provide(TestRuntime.layer),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(settings)),
    Effect.sandbox,
    Effect.flip,
    Effect.map((cause) => `emporion: ${explained(cause)}`),
    Effect.orDie
  )
}

describe("a start that cannot succeed", () => {
  itLive(
    "ends with 1 and one line that says what to change",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* temporaryFolder
        const said = yield* Effect.all(
          [
            refusedStart({ DATA_DIR: dataDir, PORT: "abc" }),
            refusedHere({ DATA_DIR: dataDir, DATABASE_URL: "postgres://someone@localhost/emporion" }),
            refusedHere({ DATA_DIR: dataDir, SECRET_KEY: "tooshort" }),
            refusedHere({ DATA_DIR: dataDir, APP_MODE: "production" }),
            refusedHere({ DATA_DIR: dataDir, APP_MODE: "production", SECRET_KEY: KEY, LOG_LEVEL: "none" }),
            refusedHere({
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
            "  RATE_LIMITS: off: callers have no limit, which is for benchmarks; set it to on, or leave it unset.\n" +
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
        expect(yield* refusedStart({ DATA_DIR: dataDir, PORT: String(other.port) })).toBe(
          `emporion: Cannot listen on 127.0.0.1:${other.port}: another program listens there. Set PORT and HOST to a free address.`
        )
        expect(existsSync(join(dataDir, "postgres"))).toBe(false)
      }),
    LIMIT
  )
})
