import { describe, expect } from "bun:test"
import { Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { rehearsal } from "../../../src/cluster/Rehearsal.ts"
import { Settings } from "../../../src/Config.ts"
import { itLive } from "../../lib/Effects.ts"
import { openedOn } from "../../lib/OpenedArena.ts"
import { testDatabase } from "../../lib/TestDatabase.ts"
import * as TestRuntime from "../../lib/TestRuntime.ts"
import { TestServer } from "../../lib/TestServer.ts"

const rehearsedOn = (url: string) =>
  rehearsal.pipe(
    Effect.provide(Layer.merge(Settings.layerOf({ APP_MODE: "sandbox", DATABASE_URL: url }), TestRuntime.layer))
  )

/** Everything that a takeover may change. */
const state = Effect.gen(function* () {
  const sql = yield* SqlClient
  return yield* sql`
    SELECT (SELECT count(*) FROM journal) AS rows, (SELECT seq FROM projection) AS seq, term, holder, serving_since,
      (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM companies) AS companies,
      (SELECT count(*) FROM api_clients) AS clients, (SELECT count(*) FROM idempotency_keys) AS keys
    FROM writer_term`
})

describe("The rehearsal of a takeover", () => {
  itLive("serves beside the one that writes, and changes nothing for it", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const { commit } = yield* openedOn(server)
      expect((yield* commit({}, undefined, "before")).status).toBe(200)
      yield* server.tick()
      const before = yield* server.run(state)
      // The order decides them: by the time that it is now, it has expired.
      expect(yield* rehearsedOn(server.databaseUrl)).toEqual({ isReady: true, bids: [410, 410, 410] })
      expect(yield* server.run(state)).toEqual(before)
      expect((yield* commit({}, undefined, "after")).status).toBe(200)
    })
  )

  itLive("makes nothing where nobody ever wrote", () =>
    Effect.gen(function* () {
      const { url } = yield* Effect.orDie(testDatabase)
      const exit = yield* Effect.exit(rehearsedOn(url))
      expect(Exit.isFailure(exit)).toBe(true)
    })
  )
})
