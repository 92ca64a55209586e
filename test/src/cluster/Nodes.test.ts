import { describe, expect } from "bun:test"
import { PgClient } from "@effect/sql-pg"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { make as makeAddress } from "effect/cluster/RunnerAddress"
import { make as makeRunner } from "effect/cluster/Runner"
import { RunnerStorage } from "effect/cluster/RunnerStorage"
import { SqlClient } from "effect/sql/SqlClient"
import { Nodes } from "../../../src/cluster/Nodes.ts"
import { sessionName } from "../../../src/database/NodeSessions.ts"
import { withLayer } from "../../lib/Effects.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

const it = withLayer(TestDatabase.layer)

const HERE = makeAddress("127.0.0.1", 7101)
const GONE = makeAddress("127.0.0.1", 7102)

/** Two nodes that are registered, and what is said of their health. */
const registered = () => {
  const health = new Map([
    [HERE.port, false],
    [GONE.port, true]
  ])
  const said = Deferred.makeUnsafe<void>()
  const storage = {
    getRunners: Effect.sync(() =>
      [HERE, GONE].map((address) => [
        makeRunner({ address, groups: ["writer"], weight: 1 }),
        health.get(address.port) === true
      ])
    ),
    setRunnerHealth: ({ port }: typeof HERE, isHealthy: boolean) =>
      Effect.sync(() => {
        health.set(port, isHealthy)
        if (health.get(HERE.port) === true && health.get(GONE.port) === false) {
          Deferred.doneUnsafe(said, Effect.void)
        }
      })
  } as unknown as RunnerStorage["Service"]
  return { storage, said: Deferred.await(said) }
}

const nodesOn = (storage: RunnerStorage["Service"]) =>
  Layer.build(Layer.fresh(Nodes.layer).pipe(Layer.provide(Layer.succeed(RunnerStorage, storage))))

describe("The nodes", () => {
  it("are alive as long as they have a session, and dead soon after", () =>
    Effect.gen(function* () {
      const { config } = yield* PgClient.PgClient
      const session = PgClient.layer({ ...config, applicationName: sessionName("127.0.0.1:7101"), minConnections: 1 })
      yield* Layer.build(session)
      const { said, storage } = registered()
      const context = yield* nodesOn(storage)
      yield* said
      const nodes = yield* Effect.provideContext(Nodes, context)
      expect([nodes.isAlive("127.0.0.1:7101"), nodes.isAlive("127.0.0.1:7102")]).toEqual([true, false])
    }))

  it("name the one that takes requests, until another one took its place", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const context = yield* nodesOn(registered().storage)
      const nodes = yield* Effect.provideContext(Nodes, context)
      const waiting = yield* Effect.forkChild(nodes.serving)
      yield* sql`UPDATE writer_term SET term = 7, holder = 'a', address = '10.0.0.7:7100', serving_since = now()`
      const writer = yield* Fiber.join(waiting)
      expect([writer.address, writer.term]).toEqual(["10.0.0.7:7100", 7n])
      expect(writer.servingSince?.getTime()).toBeGreaterThan(0)
      yield* sql`UPDATE writer_term SET term = 8, holder = 'b', address = '10.0.0.8:7100', serving_since = NULL`
      yield* writer.replaced
      expect(nodes.writer()).toEqual({ address: "10.0.0.8:7100", holder: "b", term: 8n, isServing: false })
      yield* sql`UPDATE writer_term SET serving_since = now()`
      expect((yield* nodes.serving).address).toBe("10.0.0.8:7100")
    }))

  it("have sessions whose names fit, however long an address is", () =>
    Effect.sync(() => {
      expect(sessionName("10.0.0.7:7100")).toBe("emporion node 10.0.0.7:7100")
      const long = `${"emporion.".repeat(20)}local:7100`
      expect(sessionName(long).length).toBeLessThan(64)
      expect(sessionName(long)).not.toBe(sessionName(`a${long}`))
    }))
})
