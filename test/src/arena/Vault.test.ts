import { describe, expect } from "bun:test"
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { VAULT } from "../../../engine/arena/Order.ts"
import { VAULT_DEPOSITS_STREAM } from "../../../engine/arena/VaultDeposits.ts"
import { decodeVaultDeposits } from "../../../engine/arena/VaultDeposits.ts"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"
import * as Rate from "../../../engine/money/Rate.ts"
import { Vault } from "../../../src/arena/Vault.ts"
import { VaultRepository } from "../../../src/arena/VaultRepository.ts"
import { itLive } from "../../lib/Effects.ts"
import { NO_FINDINGS, replayFindings } from "../../lib/RecordedState.ts"
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

  itLive("records when it closes and opens, so that a replay derives it", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const recorded = () =>
        server.run(
          Effect.flatMap(
            SqlClient,
            (sql) => sql<{ data: string }>`
            SELECT data FROM events WHERE stream = ${VAULT_DEPOSITS_STREAM} ORDER BY version`
          )
        )
      const isClosed = () => server.run(Effect.map(server.service(VaultRepository).deposits, ({ closed }) => closed))
      const closed = { ARENA_VAULT_DEPOSITS: "closed" }
      expect(yield* recorded()).toEqual([])
      yield* server.restart(closed)
      yield* server.restart(closed)
      expect(yield* isClosed()).toBe(true)
      expect(yield* recorded()).toHaveLength(1)
      expect(yield* replayFindings(server)).toEqual(NO_FINDINGS)
      yield* server.restart()
      expect(yield* isClosed()).toBe(false)
      expect((yield* recorded()).map(({ data }) => decodeVaultDeposits(data).closed)).toEqual([true, false])
      expect(yield* replayFindings(server)).toEqual(NO_FINDINGS)
    })
  )

  itLive("records at its next start what was closed beside the journal, whatever is asked for then", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const before = Effect.flatMap(
        SqlClient,
        (sql) => sql`
        INSERT INTO ledger_accounts (id, owner, asset, kind, closed)
        VALUES (${VAULT}, 'platform', 'USD', 'vault', true) ON CONFLICT (id) DO UPDATE SET closed = true`
      )
      yield* server.run(before)
      expect((yield* replayFindings(server)).differences).toHaveLength(1)
      yield* server.restart({ ARENA_VAULT_DEPOSITS: "closed" })
      expect(yield* replayFindings(server)).toEqual(NO_FINDINGS)
      yield* server.restart({ ARENA_VAULT_DEPOSITS: "open" })
      expect(yield* replayFindings(server)).toEqual(NO_FINDINGS)
      expect(yield* server.run(server.service(VaultRepository).deposits)).toEqual({ closed: false, version: 2 })
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
