import { Effect, Exit, Scope } from "effect"
import { spawn } from "node:child_process"
import { accessSync, constants, mkdtempSync, statfsSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { embeddedPool, layerOf } from "../../src/database/Database.ts"
import { startEmbeddedPostgres } from "../../src/database/EmbeddedPostgres.ts"
import { migrate } from "../../src/database/Migrations.ts"
import { placeIn } from "../../src/database/PostgresCluster.ts"
import { quiet } from "./Quiet.ts"

/** Where the tests find the PostgreSQL that the test command started for all of its processes: its socket's file. */
export const TEST_POSTGRES = "TEST_POSTGRES"

/**
 * Connections that the PostgreSQL of a run takes. Test databases have three each, but a server in a process of its own has
 * a whole pool, and files that start several nodes may meet on all processes of the run at once.
 */
const MAX_CONNECTIONS = 256

export interface TestPostgres {
  /** The socket's file. */
  readonly path: string
  /** What it has to say. */
  readonly log: string
  readonly stop: () => Promise<void>
}

/**
 * Removes the folder when this process ends, however it ends: a shell waits for the end of its input, which only this
 * process holds. It stops PostgreSQL first, on systems that do not do so by themselves.
 */
const removeAtEnd = (folder: string): void => {
  const script = `cat >/dev/null; pid=$(head -n 1 "$0/postgres/postmaster.pid" 2>/dev/null)
    [ -n "$pid" ] && kill -QUIT "$pid" 2>/dev/null
    for i in 1 2 3 4 5 6 7 8 9 10; do rm -rf "$0" 2>/dev/null; [ -e "$0" ] || exit 0; sleep 0.1; done`
  const reaper = spawn("sh", ["-c", script, folder], { detached: true, stdio: ["pipe", "ignore", "ignore"] })
  reaper.unref()
}

const start = Effect.fnUntraced(function* (dataDir: string, scope: Scope.Scope) {
  const server = startEmbeddedPostgres({ dataDir, durable: false, maxConnections: MAX_CONNECTIONS })
  const { connection } = yield* Scope.provide(server, scope)
  yield* migrate().pipe(Effect.provide(layerOf(embeddedPool(connection))))
  return connection.path
})

/** Memory that is mounted as a folder, on Linux. */
const MEMORY = "/dev/shm"

/** Bytes that a run's databases stay far below. */
const ROOM = 4 * 1024 ** 3

/**
 * Where the data of a run is put: in memory where there is room, since each test has a database of its own, made of
 * hundreds of files, and a file system of a disk takes a third of the suite's processor time for them.
 */
const dataFolder = (): string => {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= ROOM ? MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}

/** Starts a PostgreSQL without durability in a folder of its own, with the migrated schema in its database. */
export const startTestPostgres = async (): Promise<TestPostgres> => {
  const dataDir = mkdtempSync(join(dataFolder(), "emporion-test-pg-"))
  removeAtEnd(dataDir)
  const scope = Effect.runSync(Scope.make())
  const path = await Effect.runPromise(Effect.provide(start(dataDir, scope), quiet))
  return { path, log: placeIn(dataDir).log, stop: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}
