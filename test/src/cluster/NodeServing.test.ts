import { PgConnection } from "@effect/sql-pg"
import { describe, expect } from "bun:test"
import { Console, Deferred, Effect, Fiber, Layer } from "effect"
import { serving } from "../../../src/cluster/NodeServing.ts"
import { Settings } from "../../../src/Config.ts"
import { CompileAsUsual } from "../../../src/runtime/Compilation.ts"
import { itLive } from "../../lib/Effects.ts"
import { freePort } from "../../lib/FreePort.ts"
import { refusedStart } from "../../lib/ServerProcess.ts"
import { testDatabase } from "../../lib/TestDatabase.ts"
import * as TestRuntime from "../../lib/TestRuntime.ts"

const KEY = "5d".repeat(32)

const REFUSED =
  "emporion: The database has migration 9999_later, which this version does not know: start a newer version."

const serverOf = (url: string) => ({ DATABASE_URL: url, APP_MODE: "sandbox", SECRET_KEY: KEY })

const nodeOf = (url: string, inner: number) => ({
  ...serverOf(url),
  CLUSTER: "on",
  NODE_ADDRESS: `127.0.0.1:${inner}`,
  CLUSTER_SECRET: KEY,
  PUBLIC_URL: "http://emporion.example"
})

/** A database that a newer version has migrated. */
const newer = Effect.gen(function* () {
  const { config, url } = yield* testDatabase
  const connection = yield* PgConnection.make(config)
  yield* connection.query("INSERT INTO schema_migrations (id, name, checksum) VALUES (9999, 'later', 'x')", [], false)
  return url
}).pipe(Effect.orDie)

describe("A start on the database of a newer version", () => {
  itLive(
    "is refused by a server that is alone, and by a node before it serves anybody",
    () =>
      Effect.gen(function* () {
        const url = yield* newer
        const said = [yield* refusedStart(serverOf(url)), yield* refusedStart(nodeOf(url, yield* freePort))]
        expect(said).toEqual([REFUSED, REFUSED])
      }),
    60_000
  )
})

describe("A start on a database whose clock was set forward", () => {
  itLive(
    "is refused by a node before it serves anybody",
    () =>
      Effect.gen(function* () {
        const { config, url } = yield* Effect.orDie(testDatabase)
        const connection = yield* Effect.orDie(PgConnection.make(config))
        yield* Effect.orDie(connection.query("UPDATE sandbox_clock SET lead = 259200000", [], false))
        const port = yield* freePort
        expect(yield* refusedStart({ ...nodeOf(url, port), PORT: "0" })).toBe(
          [
            "emporion: A node of a cluster does not start like this.",
            "  sandbox clock: 259,200 s ahead of the machine's: nodes have the machines' time; start one server on this database without CLUSTER, or the nodes on another."
          ].join("\n")
        )
      }),
    60_000
  )
})

/** A node in this process, on a port of its own, that is told nothing but when its start is over. */
const nodeOn = (url: string, port: number, inner: number, isOver: Effect.Effect<void>) =>
  serving(({ message }) => Effect.die(new Error(message))).pipe(
    Effect.provideService(CompileAsUsual, isOver),
    // What a sandbox says at its start.
    Effect.provideService(Console.Console, Object.assign(Object.create(globalThis.console), { log: () => undefined })),
    Effect.provide(
      Layer.merge(
        TestRuntime.layer,
        Settings.layerOf({ ...nodeOf(url, inner), SANDBOX_TRADERS: "0", PORT: String(port) })
      )
    )
  )

const readinessOf = async (port: number): Promise<number> =>
  (await fetch(`http://127.0.0.1:${port}/health/ready`)).status

describe("A node's start", () => {
  itLive(
    "is over for the runtime once the node has prepared itself, just before it is ready",
    () =>
      Effect.gen(function* () {
        const { url } = yield* Effect.orDie(testDatabase)
        const [port, inner] = [yield* freePort, yield* freePort]
        const readiness = Effect.promise(() => readinessOf(port))
        const told = yield* Deferred.make<number>()
        const isOver = Effect.flatMap(readiness, (status) => Deferred.succeed(told, status))
        const node = yield* Effect.forkScoped(nodeOn(url, port, inner, Effect.asVoid(isOver)))
        expect(yield* Effect.raceFirst(Deferred.await(told), Fiber.join(node))).toBe(503)
        yield* Effect.repeat(Effect.delay(readiness, 20), { until: (status) => status === 200 })
      }),
    60_000
  )
})
