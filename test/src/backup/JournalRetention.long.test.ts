import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { join } from "node:path"
import { type CompanyUpdated, companyStream } from "../../../engine/company/CompanyEvent.ts"
import { ArchiveRepository } from "../../../src/backup/ArchiveRepository.ts"
import { archivingStep } from "../../../src/backup/JournalArchiving.ts"
import type { BackupStore } from "../../../src/backup/BackupStore.ts"
import * as FolderBackups from "../../../src/backup/FolderBackups.ts"
import { verify } from "../../../src/cli/Verifying.ts"
import { unavailableOrDie } from "../../../src/database/DatabaseError.ts"
import { HorizonRepository } from "../../../src/database/HorizonRepository.ts"
import { UnitOfWork } from "../../../src/database/UnitOfWork.ts"
import type { WriterTerm } from "../../../src/database/WriterTerm.ts"
import * as Retention from "../../../src/Retention.ts"
import { DeliveryRetentionRepository } from "../../../src/webhooks/DeliveryRetentionRepository.ts"
import { settled } from "../../lib/ArchivedLog.ts"
import { itLive } from "../../lib/Effects.ts"
import { type ArenaOrderJson, SHORT_SLOTS, usd } from "../../lib/OpenedArena.ts"
import { PlayedLog } from "../../lib/PlayedLog.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"
import { TestServer } from "../../lib/TestServer.ts"

const DAY = 86_400_000

/** A period of so many days, on each of which a company changes so often. */
const DAYS = 4
const CHANGES = 120

/** Events of one commit. */
const AT_ONCE = 4

/** Commitments to an order that is opened, and settled, in each period. */
const COMMITMENTS = 60

const profile = (name: string) => ({ name, taxId: null, email: null, phone: null, country: null, address: null })

/** The events of case n. */
const change = (server: TestServer, companyId: string, userId: string) =>
  server.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { append } = yield* UnitOfWork
      const stream = companyStream(companyId)
      const [head] = yield* sql<{ version: number }>`SELECT version FROM event_streams WHERE id = ${stream}`
      const [at, by, before] = [server.world.now, { userId, requestId: null, administers: false }, profile("Company")]
      for (let index = 0; index < CHANGES; index += AT_ONCE) {
        const entries = Array.from({ length: AT_ONCE }, (_, more) => {
          const after = profile(`Company ${index + more}`)
          const company = {
            profile: after,
            plan: "standard" as const,
            managedBy: null,
            createdAt: at,
            verifiedAt: null
          }
          const event: CompanyUpdated = { _tag: "CompanyUpdated", at, by, companyId, before, after, company }
          return { commands: [], event }
        })
        yield* append({ stream, version: (head?.version ?? 0) + index, entries })
      }
    })
  )

/** An order that takes commitments, and is settled. */
const compete = (server: TestServer, userId: string) =>
  Effect.gen(function* () {
    yield* server.tick()
    const { json } = yield* server.get<{ readonly orders: ReadonlyArray<ArenaOrderJson> }>(
      "/api/arena/orders?status=open",
      userId
    )
    const order = json.orders.find(({ asset_type: type }) => type === "fx")
    const terms = {
      order_id: order?.order_id,
      proposed_entry_price: order?.entry_price,
      expected_exit_price: Math.ceil((order?.entry_price ?? 0) * 1_050_000) / 1e6,
      quantity: Math.ceil((order?.quantity ?? 0) / 50)
    }
    for (let one = 0; one < COMMITMENTS; one++) {
      expect((yield* server.post("/api/arena/commitments", terms, { as: userId })).status).toBe(200)
    }
    yield* Effect.forEach([90_000, 61_000, 61_000], (millis) => server.tick(millis))
  })

/** What the events of a day leave behind: each was delivered, one in twenty after a failed attempt. */
const deliver = (log: PlayedLog, since: number) =>
  Effect.gen(function* () {
    yield* log.sql(
      `INSERT INTO webhook_events (id, seq, type, company_id, created_at, body)
       SELECT 'evt_' || seq, seq, 'company.updated', 'cmp_a', $2, repeat('x', 900)
       FROM events WHERE seq > $1 AND type = 'CompanyUpdated'`,
      [BigInt(since), BigInt(log.server.world.now)]
    )
    yield* log.sql(
      `INSERT INTO webhook_deliveries
         (id, webhook_id, company_id, event_id, event_seq, status, attempts, round, created_at, updated_at)
       SELECT 'whd_' || seq, 'enabled_0', 'cmp_a', id, seq, 'delivered', 1 + (seq % 20 = 0)::int, 1, created_at, created_at
       FROM webhook_events WHERE seq > $1`,
      [BigInt(since)]
    )
    yield* log.sql(
      `INSERT INTO webhook_attempts (delivery_id, round, n, started_at, duration_ms, url, headers, status)
       SELECT id, 1, n, created_at, 1, 'https://hook.example/', '{}', 200
       FROM webhook_deliveries CROSS JOIN LATERAL generate_series(1, attempts) AS n WHERE event_seq > $1`,
      [BigInt(since)]
    )
  })

const TABLES = ["journal", "events", "webhook_events", "webhook_deliveries", "webhook_attempts"]

const hot = (log: PlayedLog) =>
  Effect.map(
    log.sql<{ rows: number }>(
      `SELECT (${TABLES.map((table) => `(SELECT count(*) FROM ${table})`).join(" + ")})::int AS rows`
    ),
    ([row]) => row?.rows ?? 0
  )

/** What the server does once an hour. */
const passes = (log: PlayedLog, folder: string) =>
  log.server.run(
    Effect.gen(function* () {
      const step = archivingStep({ kept: 50, limit: Retention.STEP_ROWS, characters: 20_000, pageBytes: 20_000 })
      const { removeSome } = yield* DeliveryRetentionRepository
      const context = yield* Effect.context<ArchiveRepository | BackupStore | WriterTerm>()
      const journal = {
        kind: "journal",
        days: DAYS,
        step: (horizon: number) => step(horizon).pipe(Effect.provideContext(context), unavailableOrDie)
      }
      const deliveries: Retention.Retained = {
        kind: "deliveries",
        days: DAYS,
        step: (horizon, from) => removeSome(horizon, from, Retention.STEP_ROWS)
      }
      yield* Retention.pass(deliveries, Effect.void)
      yield* Retention.pass(journal, Effect.void)
    }).pipe(
      Effect.provide(
        Layer.mergeAll(
          DeliveryRetentionRepository.layer,
          HorizonRepository.layer,
          ArchiveRepository.layer,
          FolderBackups.layer(folder)
        )
      )
    )
  )

describe("Retention of the journal and of deliveries", () => {
  itLive(
    "leaves at most 1.1 times the rows of one period after ten, and verify goes through all of it",
    () =>
      Effect.gen(function* () {
        const server = yield* TestServer.make({ ...SHORT_SLOTS, ARENA_SLOT_SECONDS: "3600" })
        const log = new PlayedLog(server)
        const folder = join(yield* temporaryFolder, "archive")
        const user = yield* server.user(`0x${"1".repeat(40)}`)
        yield* server.mint(user.id, usd(1_000_000n))
        let onePeriod = 0
        let most = 0
        let since = 0
        for (let day = 1; day <= 10 * DAYS; day++) {
          server.world.pass(DAY)
          if (day % DAYS === 1) {
            yield* compete(server, user.id)
          }
          yield* change(server, user.companyId, user.id)
          yield* deliver(log, since)
          yield* settled(log)
          yield* passes(log, folder)
          const rows = yield* hot(log)
          if (day === DAYS) onePeriod = rows
          most = Math.max(most, rows)
          const [end] = yield* log.sql<{ seq: bigint }>("SELECT seq FROM projection")
          since = Number(end?.seq)
        }
        expect(onePeriod).toBeGreaterThan(4 * DAYS * CHANGES)
        expect(most).toBeLessThanOrEqual(1.1 * onePeriod)
        const report = yield* verify({ ...log.source, archive: folder })
        expect(report).toMatchObject({ ok: true, events: since, finding: undefined })
        const [horizon] = yield* log.sql<{ horizon: bigint }>(
          "SELECT horizon FROM retention_horizons WHERE class = 'journal'"
        )
        expect(Number(horizon?.horizon)).toBe(server.world.now - DAYS * DAY)
      }),
    240_000
  )
})
