import { describe, expect } from "bun:test"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { join } from "node:path"
import { backUp, restoreTo } from "../../lib/BackupDrill.ts"
import { onDatabase } from "../../lib/CliProcess.ts"
import { commandHere } from "../../lib/CommandLine.ts"
import { itLive } from "../../lib/Effects.ts"
import { usd } from "../../lib/OpenedArena.ts"
import { PlayedLog } from "../../lib/PlayedLog.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"
import { TestServer } from "../../lib/TestServer.ts"

const DAY = 86_400_000

/** Sets a sandbox's clock forward: as far is kept, and what is recorded from then on bears its time. */
const setForward = (server: TestServer, by: number) =>
  Effect.andThen(
    server.run(Effect.flatMap(SqlClient, (sql) => sql`UPDATE sandbox_clock SET lead = lead + ${BigInt(by)}`)),
    Effect.sync(() => server.world.pass(by))
  )

describe("A backup of a sandbox whose clock is set forward", () => {
  itLive(
    "is full once the hours have passed there",
    () =>
      Effect.gen(function* () {
        const folder = join(yield* temporaryFolder, "backups")
        const server = yield* TestServer.make()
        const { id } = yield* server.user()
        server.world.now = yield* Clock.currentTimeMillis
        const kinds: Array<string> = []
        for (const days of [0, 30, 1, 0]) {
          yield* setForward(server, days * DAY)
          yield* server.mint(id, usd(5n))
          const args = ["backup", "--full-every", "24", "--json", folder]
          const { stdout } = yield* commandHere(args, onDatabase(server.databaseUrl))
          kinds.push(JSON.parse(stdout).kind)
        }
        expect(kinds).toEqual(["full", "full", "full", "increment"])
      }),
    60_000
  )
})

describe("The clock of a restored sandbox", () => {
  itLive(
    "goes on from what it said, and from the last record where the backup before it knew less",
    () =>
      Effect.gen(function* () {
        const folder = join(yield* temporaryFolder, "backups")
        const server = yield* TestServer.make()
        const log = new PlayedLog(server)
        const { id } = yield* server.user()
        server.world.now = yield* Clock.currentTimeMillis
        const mint = server.mint(id, usd(5n))
        const seqAfter = Effect.andThen(
          mint,
          Effect.map(backUp(log, folder), ({ seq }) => seq)
        )
        const before = yield* seqAfter
        yield* setForward(server, 30 * DAY)
        const month = yield* seqAfter
        yield* setForward(server, 60 * DAY)
        yield* mint
        const between = month + 1
        yield* setForward(server, 90 * DAY)
        const after = yield* seqAfter
        const expected = [
          [before, 0],
          [month, 30],
          [between, 90],
          [after, 180],
          ["latest", 180]
        ] as const
        for (const [to, days] of expected) {
          const { code, database, report, stderr } = yield* restoreTo(folder, String(to))
          expect([to, code, stderr]).toEqual([to, 0, ""])
          const { stdout } = yield* commandHere(["time", "show", "--json"], onDatabase(database.url))
          const { ahead_seconds: ahead, now } = JSON.parse(stdout)
          expect([to, Math.round((ahead * 1_000) / DAY)]).toEqual([to, days])
          expect(Date.parse(now)).toBeGreaterThanOrEqual(report?.recordedAt ?? Number.NaN)
          if (to !== "latest") continue
          const restored = yield* TestServer.makeOn(database)
          expect((yield* restored.mint(id, usd(5n))).status).toBe(200)
        }
      }),
    120_000
  )
})
