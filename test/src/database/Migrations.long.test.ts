import { describe, expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { fromUnits } from "../../../engine/money/Amount.ts"
import type { Source } from "../../../src/cli/EventLog.ts"
import { replayLog } from "../../../src/cli/Replaying.ts"
import { verify } from "../../../src/cli/Verifying.ts"
import { layerOf } from "../../../src/database/Database.ts"
import { migrate } from "../../../src/database/Migrations.ts"
import { registry } from "../../../src/database/migrations/Registry.ts"
import { itLive } from "../../lib/Effects.ts"
import { loadVersion } from "../../lib/FilledVersion.ts"
import { addParty, openOrder } from "../../lib/OperationFixture.ts"
import { TestServer } from "../../lib/TestServer.ts"

const FOLDER = join(import.meta.dir, "..", "..", "fixtures", "versions")
const FILES = readdirSync(FOLDER)

/** The world goes on where the version left it: a price that jumped would pause trading. */
const follow = (server: TestServer, now: number) =>
  server.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const prices = yield* sql<{ readonly asset: string; readonly price: bigint }>`
      SELECT DISTINCT ON (asset) asset, price FROM arena_medians ORDER BY asset, at DESC`
      server.world.now = now
      for (const { asset, price } of prices) server.world.prices.set(asset, fromUnits(price))
    })
  )

describe("Migrations of filled databases", () => {
  itLive("know at least three earlier versions", () =>
    Effect.sync(() => {
      expect(FILES.length).toBeGreaterThanOrEqual(3)
      expect(registry.at(-1)?.id).toBeGreaterThanOrEqual(Math.max(...FILES.map((file) => Number.parseInt(file, 10))))
    })
  )

  for (const file of FILES) {
    itLive(`take schema ${Number.parseInt(file, 10)} along: equal ledgers, equal hashes, and it goes on`, () =>
      Effect.gen(function* () {
        const { database, version } = yield* loadVersion(join(FOLDER, file))
        const source: Source = { _tag: "Database", url: Redacted.make(database.url) }
        const ran = yield* Effect.provide(migrate(), layerOf(database.config))
        expect(ran.map(({ id }) => id)).toEqual(registry.map(({ id }) => id).filter((id) => id > version.schema))
        const found = yield* replayLog(source)
        expect(found).toMatchObject({ ok: true, events: version.events, sum: version.sum })
        expect(found.state).toEqual({ derived: version.state, stored: version.state })
        expect(yield* verify(source)).toMatchObject({ ok: true, sum: version.sum })

        const server = yield* TestServer.makeOn(database)
        yield* follow(server, version.now)
        const party = yield* addParty({ server, ...(yield* openOrder(server)) }, "later@example.com")
        expect(party.commitmentId).toMatch(/^com_/)
        yield* server.tick(200_000)
        const after = yield* replayLog(source)
        expect(after.finding).toBeUndefined()
        expect(after.events + after.unprojected).toBeGreaterThan(version.events)
      }).pipe(Effect.orDie)
    )
  }
})
