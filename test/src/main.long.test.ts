import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { dirname, join } from "node:path"
import { load, signIn } from "../lib/CommitmentLoad.ts"
import { itLive } from "../lib/Effects.ts"
import { checkRecovery } from "../lib/RecoveryCheck.ts"
import { embeddedDatabase, refusedStart, startServer } from "../lib/ServerProcess.ts"
import { ARENA_STREAM_PATH } from "../../src/api/ArenaStreamProtocol.ts"
import { commitmentsTold, connectStream } from "../lib/StreamClient.ts"
import { temporaryFolder } from "../lib/TemporaryFolder.ts"

const LIMIT = 120_000

/** A server that is told to stop has this long, in milliseconds. */
const STOP_LIMIT = 10_000

describe("a running server", () => {
  itLive(
    "shares neither its data folder nor its database, and stops in time with all that it acknowledged",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* temporaryFolder
        const server = yield* startServer({ DATA_DIR: dataDir })
        const traders = yield* signIn(server)
        const client = yield* connectStream(server.url + ARENA_STREAM_PATH)
        const { path } = embeddedDatabase(dataDir)
        const said = yield* Effect.all(
          [
            refusedStart({ DATA_DIR: dataDir }),
            refusedStart({
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
        expect(yield* client.closed).toBe(1001)
        expect(acknowledged).toBeGreaterThanOrEqual(200)

        const again = yield* startServer({ DATA_DIR: dataDir })
        yield* checkRecovery(again.url, dataDir, attempts, commitmentsTold(client))
      }),
    LIMIT
  )
})
