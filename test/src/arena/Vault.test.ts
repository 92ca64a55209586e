import { describe, expect } from "bun:test"
import { Effect, Result } from "effect"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"
import * as Rate from "../../../engine/money/Rate.ts"
import { Vault } from "../../../src/arena/Vault.ts"
import { itLive } from "../../lib/Effects.ts"
import { TestServer } from "../../lib/TestServer.ts"

const DAY = 86_400_000
const PRODUCTION = { APP_MODE: "production", ADMIN_EMAIL: "admin@example.com", PUBLIC_URL: "https://example.com" }

describe("Vault", () => {
  itLive("lets collateral earn from its lock on, the same over a restart", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const { now } = server.world
      const collateral = fromUnits(381n * ONE)
      const earned = () => server.service(Vault).accrual()(collateral, now, now + 30 * DAY)
      const before = earned()
      expect(before).toBe(fromUnits(1_799_374n))
      server.world.pass(DAY)
      yield* server.restart()
      expect(earned()).toBe(before)
    })
  )

  itLive("pays nothing in production, from the moment that it begins there", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const { now } = server.world
      const collateral = fromUnits(381n * ONE)
      const whole = server.service(Vault).accrual()(collateral, now, now + DAY)
      server.world.pass(DAY)
      yield* server.restart(PRODUCTION)
      const vault = server.service(Vault)
      expect(vault.accrual()(collateral, now, now + 30 * DAY)).toBe(whole)
      expect(vault.accrual()(collateral, now + DAY, now + 30 * DAY)).toBe(fromUnits(0n))
      const status = yield* Effect.orDie(vault.status)
      expect([status.apy, ...status.positions.map(({ apy }) => apy)]).toEqual([Rate.ZERO, Rate.ZERO, Rate.ZERO])
      const estimate = Result.getOrThrow(vault.estimate(fromUnits(10_000n * ONE), 30))
      expect([estimate.collateral, estimate.yield]).toEqual([collateral, fromUnits(0n)])
    })
  )
})
