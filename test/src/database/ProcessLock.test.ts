import { describe, expect } from "bun:test"
import { PgClient } from "@effect/sql-pg"
import { Effect, Fiber, Layer, Schedule, Scope } from "effect"
import { ProcessLock } from "../../../src/database/ProcessLock.ts"
import { WriterAddress } from "../../../src/database/WriterTerm.ts"
import { itLive } from "../../lib/Effects.ts"
import { emptyDatabase, testDatabase } from "../../lib/TestDatabase.ts"

/** A process's lock on the database. */
const lockOn = (config: PgClient.PgPoolConfig, wait: number) =>
  ProcessLock.layer({ wait }).pipe(Layer.provide(PgClient.layer(config)), Layer.fresh)

const withClient = <A, E>(config: PgClient.PgPoolConfig, use: (sql: PgClient.PgClient) => Effect.Effect<A, E>) =>
  Effect.flatMap(PgClient.PgClient, use).pipe(Effect.provide(Layer.fresh(PgClient.layer(config))))

/** The connections that hold an advisory lock. */
const holders = (config: PgClient.PgPoolConfig) =>
  withClient(
    config,
    (sql) =>
      sql<{ pid: number }>`SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
  )

/** Ends the connection that holds the lock, as a crash of the server would; answers it. */
const breakLock = Effect.fnUntraced(function* (config: PgClient.PgPoolConfig) {
  const [holder] = yield* holders(config)
  yield* withClient(config, (sql) => sql`SELECT pg_terminate_backend(${holder?.pid ?? 0})`)
  return holder?.pid
})

/** Waits until another connection than the given one holds the lock. */
const untilTakenAgain = (config: PgClient.PgPoolConfig, before: number | undefined) =>
  holders(config).pipe(
    Effect.flatMap(([holder]) =>
      holder === undefined || holder.pid === before ? Effect.fail("not yet") : Effect.void
    ),
    Effect.retry(Schedule.spaced(20))
  )

describe("the process lock", () => {
  itLive("keeps a second process out and says who holds it", () =>
    Effect.gen(function* () {
      const { config } = yield* emptyDatabase
      yield* Layer.build(lockOn(config, 0))
      const error = yield* Effect.flip(Layer.build(lockOn(config, 0)))
      expect(error._tag).toBe("ProcessLockTaken")
      expect(error.message).toMatch(
        /^Another server works on this database \(emporion lock from this machine, connected since .+\): stop it first/
      )
    })
  )

  itLive("is given back at the end, to one that waits", () =>
    Effect.gen(function* () {
      const { config } = yield* emptyDatabase
      const scope = yield* Scope.make()
      yield* Layer.buildWithScope(lockOn(config, 0), scope)
      const second = yield* Effect.forkChild(Layer.build(lockOn(config, 5_000)))
      yield* Effect.sleep(30)
      yield* Scope.close(scope, yield* Effect.exit(Effect.void))
      yield* Fiber.join(second)
    })
  )

  itLive("does not keep out a process on another database", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* emptyDatabase, yield* emptyDatabase]
      yield* Layer.build(lockOn(one.config, 0))
      yield* Layer.build(lockOn(other.config, 0))
    })
  )

  itLive("is taken again after its connection was lost", () =>
    Effect.gen(function* () {
      const { config } = yield* emptyDatabase
      const lock = yield* Effect.provide(ProcessLock, yield* Layer.build(lockOn(config, 0)))
      const before = yield* breakLock(config)
      yield* untilTakenAgain(config, before)
      yield* Effect.repeat(lock.isHeld, { until: (held) => held, schedule: Schedule.spaced(5) })
      const error = yield* Effect.flip(Layer.build(lockOn(config, 0)))
      expect(error._tag).toBe("ProcessLockTaken")
    })
  )

  itLive("is lost for good when another process takes it meanwhile", () =>
    Effect.gen(function* () {
      const { config } = yield* emptyDatabase
      const first = yield* Effect.provide(ProcessLock, yield* Layer.build(lockOn(config, 0)))
      const second = yield* Effect.forkChild(Layer.build(lockOn(config, 10_000)))
      yield* Effect.sleep(200)
      yield* breakLock(config)
      yield* Fiber.join(second)
      const error = yield* Effect.flip(first.lost)
      expect(error._tag).toBe("ProcessLockTaken")
      expect(yield* first.isHeld).toBe(false)
    })
  )

  const heldBy = (config: PgClient.PgPoolConfig, address: string) =>
    Effect.flatMap(Layer.build(Layer.provide(lockOn(config, 0), Layer.succeed(WriterAddress, address))), (services) =>
      Effect.provide(ProcessLock, services)
    )

  const takenBy = (config: PgClient.PgPoolConfig, address: string) =>
    withClient(config, (sql) => sql`UPDATE writer_term SET address = ${address}, taken_at = clock_timestamp()`)

  itLive("is not taken again by a node that another one has replaced", () =>
    Effect.gen(function* () {
      const { config } = yield* testDatabase
      const lock = yield* heldBy(config, "10.0.0.1:7000")
      yield* takenBy(config, "10.0.0.2:7000")
      yield* breakLock(config)
      expect((yield* Effect.flip(lock.lost)).message).toContain("Another node writes on this database since")
      expect(yield* lock.isHeld).toBe(false)
      yield* Layer.build(lockOn(config, 1_000))
    })
  )

  itLive("is taken again by the node that took the last term", () =>
    Effect.gen(function* () {
      const { config } = yield* testDatabase
      yield* takenBy(config, "10.0.0.2:7000")
      const lock = yield* heldBy(config, "10.0.0.1:7000")
      yield* takenBy(config, "10.0.0.1:7000")
      const before = yield* breakLock(config)
      yield* untilTakenAgain(config, before)
      yield* Effect.repeat(lock.isHeld, { until: (held) => held, schedule: Schedule.spaced(5) })
    })
  )
})
