import { describe, expect } from "bun:test"
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { decodeProtectedHeader } from "jose"
import { SEEN_WITHIN } from "../../../src/identity/tokens/SigningKeys.ts"
import { ask } from "../../lib/Requests.ts"
import { onDatabase, runEmporion } from "../../lib/CliProcess.ts"
import { itLive } from "../../lib/Effects.ts"
import { type ServerProcess, startServer } from "../../lib/ServerProcess.ts"
import { testDatabase } from "../../lib/TestDatabase.ts"

const SECRET_KEY = "3b".repeat(32)

/** How much later than promised a loaded machine may be, in milliseconds. */
const LATE = 5_000
const POLL = 100

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

const request = (server: ServerProcess, path: string, init?: RequestInit) =>
  Effect.promise(() => ask(server.url, path, init))

const tokens = (server: ServerProcess, body: object): Effect.Effect<Tokens> =>
  request(server, "/api/v1/auth/token", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body)
  }).pipe(Effect.map(({ json }) => json as Tokens))

const login = (server: ServerProcess): Effect.Effect<Tokens> =>
  request(server, "/api/v1/auth/login", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: server.person.name, password: server.person.secret })
  }).pipe(Effect.map(({ json }) => json as Tokens))

const statusWith = (server: ServerProcess, token: string): Effect.Effect<number> =>
  request(server, "/api/v1/users/me", { headers: { authorization: `Bearer ${token}` } }).pipe(
    Effect.map(({ status }) => status)
  )

const kidOf = (token: string): string => decodeProtectedHeader(token).kid ?? ""

const published = (server: ServerProcess): Effect.Effect<ReadonlyArray<string>> =>
  request(server, "/.well-known/jwks.json").pipe(
    Effect.map(({ json }) => (json as { readonly keys: ReadonlyArray<{ readonly kid: string }> }).keys),
    Effect.map((keys) => keys.map(({ kid }) => kid).toSorted())
  )

/** Asks until the server publishes these, as it must within the promised time. */
const untilPublished = (server: ServerProcess, kids: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const wanted = kids.toSorted()
    const until = performance.now() + SEEN_WITHIN + LATE
    for (;;) {
      const found = yield* published(server)
      if (Bun.deepEquals(found, wanted) || performance.now() > until) return expect(found).toEqual(wanted)
      yield* Effect.sleep(POLL)
    }
  })

describe("emporion keys rotate", () => {
  itLive(
    "changes the key of a running server, and signs nobody out",
    () =>
      Effect.gen(function* () {
        const database = yield* testDatabase
        const env = onDatabase(database.url, SECRET_KEY)
        const server = yield* startServer(env)
        const before = yield* login(server)
        const old = kidOf(before.access_token)
        expect(yield* published(server)).toEqual([old])

        const foreign = yield* runEmporion(["keys", "rotate"], { env: onDatabase(database.url, "4c".repeat(32)) })
        expect([foreign.code, foreign.stdout]).toEqual([1, ""])
        expect(foreign.stderr).toContain("SECRET_KEY: expected the key under which")

        const rotated = yield* runEmporion(["keys", "rotate", "--json"], { env })
        expect([rotated.code, rotated.stderr]).toEqual([0, ""])
        const { retired, signs } = JSON.parse(rotated.stdout) as { readonly signs: string; readonly retired: string }
        expect(retired).toBe(old)
        expect(yield* statusWith(server, before.access_token)).toBe(200)
        yield* untilPublished(server, [old, signs])

        const { access_token: fresh } = yield* login(server)
        expect(kidOf(fresh)).toBe(signs)
        expect(yield* statusWith(server, fresh)).toBe(200)
        expect(yield* statusWith(server, before.access_token)).toBe(200)
        const refreshed = yield* tokens(server, {
          grant_type: "refresh_token",
          refresh_token: before.refresh_token
        })
        expect(kidOf(refreshed.access_token)).toBe(signs)

        const anHourAgo = Effect.flatMap(
          SqlClient,
          (sql) => sql`
            UPDATE signing_keys SET created_at = created_at - 3600000, retired_at = retired_at - 3600000
            WHERE kid = ${old}`
        )
        yield* Effect.provide(anHourAgo, PgClient.layerFrom(PgClient.make(database.config)))
        yield* untilPublished(server, [signs])
        expect(yield* statusWith(server, fresh)).toBe(200)
      }).pipe(Effect.orDie),
    90_000
  )
})
