import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import fc from "fast-check"
import { TestClock } from "effect/testing"
import { statfsSync } from "node:fs"
import { tmpdir } from "node:os"
import { Settings } from "../../../src/Config.ts"
import {
  DiskGuard,
  type DiskSpace,
  ENOUGH,
  layer,
  RESERVE,
  stateOf,
  watching
} from "../../../src/database/DiskGuard.ts"
import { render } from "../../../src/http/MetricsRoute.ts"
import { itEffect, itLive } from "../../lib/Effects.ts"
import { makeFixtureOn, termsOf, tokenOf } from "../../lib/OperationFixture.ts"
import { RawLane } from "../../lib/RawLane.ts"
import { eventually } from "../../lib/ServerProcess.ts"
import { TestServer } from "../../lib/TestServer.ts"

const GIB = 1024 ** 3

const spaces = fc.record({
  total: fc.integer({ min: 1, max: 8 * GIB }),
  part: fc.double({ min: 0, max: 1, noNaN: true })
})

describe("A disk", () => {
  itEffect("is full below what is reserved, and until there is more than that", () =>
    Effect.sync(() => {
      fc.assert(
        fc.property(fc.array(spaces, { minLength: 1, maxLength: 30 }), (looks) => {
          let state: ReturnType<typeof stateOf> = "ok"
          for (const { part, total } of looks) {
            const free = Math.floor(total * part)
            const before = state
            state = stateOf({ total, free }, before)
            if (free < RESERVE) expect(state).toBe("full")
            else if (free >= ENOUGH) expect(state).not.toBe("full")
            else expect(state === "full").toBe(before === "full")
            if (state !== "full") expect(state).toBe(1 - free / total >= 0.8 ? "warned" : "ok")
          }
        })
      )
    })
  )

  itEffect("is looked at all the time", () =>
    Effect.scoped(
      Effect.gen(function* () {
        let space: DiskSpace = { total: 10 * GIB, free: GIB }
        const isFull = yield* watching(() => space)
        yield* TestClock.adjust(500)
        expect(isFull()).toBe(false)
        space = { total: 10 * GIB, free: RESERVE - 1 }
        yield* TestClock.adjust(500)
        expect(isFull()).toBe(true)
        space = { total: 10 * GIB, free: ENOUGH }
        yield* TestClock.adjust(500)
        expect(isFull()).toBe(false)
      })
    )
  )
})

describe("The disk of the embedded database", () => {
  const folder = tmpdir()
  const watched = layer.pipe(Layer.provide(Settings.layerOf({ DATA_DIR: folder })))

  itLive("is that of its data folder, and is shown", () =>
    Effect.gen(function* () {
      const { isFull } = yield* DiskGuard
      const context = yield* Effect.context<never>()
      const shown = yield* eventually("the free bytes", 5_000, () => {
        const free = Number(/^emporion_disk_free_bytes (\d+)/m.exec(render(context))?.[1] ?? 0)
        return free > 0 ? free : undefined
      })
      const { blocks, bsize } = statfsSync(folder)
      expect(shown).toBeLessThanOrEqual(blocks * bsize)
      expect(isFull()).toBe(shown < RESERVE)
    }).pipe(Effect.provide(watched))
  )
})

describe("A server whose disk is full", () => {
  itLive("refuses what writes and says so, gives tokens and reads, and goes on once there is room", () =>
    Effect.gen(function* () {
      const disk = { full: false }
      const guard = { isFull: () => disk.full }
      const server = yield* Effect.provideService(TestServer.make(), DiskGuard, guard)
      const fixture = yield* makeFixtureOn(server)
      const { userId } = fixture.mine
      const token = yield* tokenOf(fixture, userId)
      const lane = yield* RawLane.open(server.url, { headers: { authorization: `Bearer ${token}` } })
      const commit = (quantity: number) =>
        server.post<{ readonly message?: string }>("/api/arena/commitments", termsOf(fixture, quantity), {
          as: userId,
          key: "one"
        })
      // Companies are recorded in the background.
      const events = server.run(
        Effect.flatMap(
          SqlClient,
          (sql) => sql<{ readonly count: number }>`SELECT count(*)::int FROM events WHERE type !~ '^Company'`
        ).pipe(Effect.map(([row]) => row?.count ?? 0))
      )

      disk.full = true
      const before = yield* events
      const refused = yield* commit(1)
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"])
      expect(refused.json.message).toContain("disk is almost full")
      expect(yield* lane.call("commit", termsOf(fixture, 1))).toMatchObject({ code: "unavailable" })
      expect((yield* server.get("/api/arena/commitments/my", userId)).status).toBe(200)
      expect(yield* lane.call("balances", {})).not.toHaveProperty("code")
      server.forgetTokens()
      expect((yield* server.get("/v1/info", userId)).status).toBe(200)
      expect(yield* events).toBe(before)

      disk.full = false
      expect((yield* commit(1)).status).toBe(200)
      expect(yield* lane.call("commit", termsOf(fixture, 1))).not.toHaveProperty("code")

      disk.full = true
      const open = yield* events
      yield* Effect.exit(server.tick(3_600_000))
      expect(yield* events).toBe(open)
      disk.full = false
      yield* server.tick(1_000)
      expect(yield* events).toBeGreaterThan(open)
    })
  )
})
