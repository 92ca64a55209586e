import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { PERSONAL_TABLES } from "../../../src/App.ts"
import { exportEvents } from "../../../src/cli/Exporting.ts"
import { replayLog } from "../../../src/cli/Replaying.ts"
import { verify } from "../../../src/cli/Verifying.ts"
import { Direct } from "../../../src/database/BoundedClient.ts"
import { ErasureRepository } from "../../../src/erasure/ErasureRepository.ts"
import { Erasures } from "../../../src/erasure/Erasures.ts"
import { OPERATOR } from "../../../src/identity/accounts/AdminAccount.ts"
import { backUp } from "../../lib/BackupDrill.ts"
import { archived, arenaDay, journalArchiveIn, settledHalf } from "../../lib/BothArchives.ts"
import { itLive } from "../../lib/Effects.ts"
import { PASSWORD } from "../../lib/OperationFixture.ts"
import { SHORT_SLOTS, usd } from "../../lib/OpenedArena.ts"
import {
  filesOf,
  foundIn,
  NEVER_CLEAR,
  PLANTED,
  PLANTED_CONTACTS,
  type Planted,
  plantedPerson,
  rowsOf
} from "../../lib/PlantedPerson.ts"
import { PlayedLog } from "../../lib/PlayedLog.ts"
import { kycFacts } from "../../lib/rows/KycRows.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"
import { TestServer } from "../../lib/TestServer.ts"

const ALL = Object.keys(PLANTED) as ReadonlyArray<Planted>

interface Erased {
  readonly id: string
  readonly company_id: string
  readonly company_erased: boolean
  readonly erased_at: string
}

const register = (server: TestServer, email: string) =>
  Effect.map(
    server.post<{ readonly id: string }>("/api/v1/auth/register", { email, password: PASSWORD, company_name: "One" }),
    ({ json }) => json.id
  )

const erase = (server: TestServer, userId: string) =>
  Effect.flatMap(server.admin, (as) => server.post<Erased>(`/v1/users/${userId}/erasure`, undefined, { as }))

describe("An erasure", () => {
  itLive(
    "leaves no byte of a person in tables, journal, archives, exports and backups, and every hash holds",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const backups = join(folder, "backups")
        const server = yield* TestServer.make(SHORT_SLOTS)
        const log = new PlayedLog(server, journalArchiveIn(folder))
        const { admin, companyId, userId } = yield* plantedPerson(server)
        expect(ALL).toHaveLength(40)
        const bid = yield* arenaDay(server, (yield* server.user(`0x${"2".repeat(40)}`)).id)
        const kept = yield* register(server, "kept@example.com")
        expect(foundIn(yield* server.run(rowsOf)).toSorted()).toEqual(
          ALL.filter((name) => !NEVER_CLEAR.has(name)).toSorted()
        )
        const shown = yield* server.get(`/v1/companies/${companyId}`, userId)
        expect(shown.json).toMatchObject({ ...PLANTED_CONTACTS, tax_id: PLANTED.taxId })
        const me = yield* server.get<{ readonly tax_id: string }>("/api/v1/users/me", userId)
        expect(me.json.tax_id).toBe(PLANTED.taxId)
        expect(foundIn((yield* server.get("/v1/audit?act=kyc.reject", admin)).text)).toEqual(["reason"])
        yield* server.run(backUp(log, backups))
        const before = filesOf(join(backups, "keys"))
        expect([before.includes(userId), before.includes(kept)]).toEqual([true, true])
        const files = yield* archived(log, folder, settledHalf)
        // They have what stays, so what is not found is not there.
        expect([files.journal.includes("Quist Trading"), files.history.includes(bid)]).toEqual([true, true])
        expect([foundIn(files.journal), foundIn(files.history)]).toEqual([[], []])

        const { json, status } = yield* erase(server, userId)
        expect([status, json]).toMatchObject([200, { id: userId, company_erased: true }])
        yield* server.run(backUp(log, backups))
        const file = join(folder, "events.jsonl")
        yield* Effect.orDie(exportEvents(log.source, file))
        expect({
          tables: foundIn(yield* server.run(rowsOf)),
          exported: foundIn(readFileSync(file, "utf8")),
          backups: foundIn(filesOf(backups))
        }).toEqual({ tables: [], exported: [], backups: [] })
        // The journal's last row is never archived.
        yield* server.mint(admin, usd(1n))
        const all = yield* archived(log, folder)
        expect([all.journal.includes("UserErased"), foundIn(all.journal), foundIn(all.history)]).toEqual([true, [], []])
        const after = filesOf(join(backups, "keys"))
        expect([after.includes(userId), after.includes(kept)]).toEqual([false, true])

        expect((yield* server.get(`/v1/companies/${companyId}`, admin)).json).toMatchObject({
          tax_id: null,
          email: null,
          address: null
        })
        expect((yield* Effect.orDie(verify(log.source))).finding).toBeUndefined()
        const { ok, state } = yield* Effect.orDie(replayLog(log.source))
        expect([ok, state.derived]).toEqual([true, state.stored ?? ""])
      }),
    30_000
  )

  itLive("is recorded once without anything of the person, ends sign-ins, and answers the same again", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const admin = yield* server.admin
      const userId = yield* register(server, "gone@example.com")
      const token = yield* server.token(userId)
      const first = yield* erase(server, userId)
      const again = yield* erase(server, userId)
      expect([again.status, again.json]).toEqual([200, first.json])
      const me = yield* server.request("GET", "/api/v1/users/me", undefined, {
        headers: { authorization: `Bearer ${token}` }
      })
      expect(me.status).toBe(401)
      const login = { email: "gone@example.com", password: PASSWORD }
      expect((yield* server.post("/api/v1/auth/login", login)).status).toBe(401)
      expect((yield* server.get(`/v1/users/${userId}`, admin)).json).toMatchObject({
        email: `${userId}@erased.invalid`,
        status: "suspended",
        contact_name: null
      })
      const reactivated = yield* server.request("PUT", `/v1/users/${userId}/reactivate`, undefined, { as: admin })
      expect(reactivated.status).toBe(409)
      const audit = yield* server.get(`/v1/audit?act=user.erase&subject_id=${userId}`, admin)
      expect(audit.json).toMatchObject([{ actor_id: admin, before: null, after: { company_erased: true } }])
      expect(yield* register(server, "gone@example.com")).toMatch(/^usr_/)
    })
  )

  itLive("by another process ends what this one has in memory, once it is recorded", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const userId = yield* register(server, "elsewhere@example.com")
      const ask = server.get("/api/v1/users/me", userId)
      expect((yield* ask).status).toBe(200)
      const elsewhere = Effect.flatMap(ErasureRepository, ({ erase }) => erase(OPERATOR, userId, 1_000))
      yield* server.run(Effect.provide(elsewhere, ErasureRepository.layer(PERSONAL_TABLES)))
      yield* server.run(Effect.flatMap(Erasures, ({ record }) => record))
      expect((yield* ask).status).toBe(401)
    })
  )

  itLive("again forgets what was written since, and one of somebody added later goes through", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const [admin, userId] = [yield* server.admin, yield* register(server, "back@example.com")]
      const sql = server.service(SqlClient)
      const first = yield* erase(server, userId)
      yield* server.run(sql`UPDATE users SET contact_name = 'Back Again' WHERE id = ${userId}`)
      expect((yield* erase(server, userId)).json).toEqual(first.json)
      expect((yield* server.get(`/v1/users/${userId}`, admin)).json).toMatchObject({ contact_name: null })
      const later = `usr_${"7".repeat(24)}`
      yield* server.run(sql`
        INSERT INTO users (id, company_id, role, status, created_at)
        VALUES (${later}, ${first.json.company_id}, 'buyer', 'active', 0)`)
      expect((yield* erase(server, later)).status).toBe(200)
    })
  )

  itLive("is refused to the buyer and the seller of an order that was delivered and not paid whole", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const sql = server.service(SqlClient)
      const [buyer, seller] = [
        yield* register(server, "buyer@example.com"),
        yield* register(server, "seller@example.com")
      ]
      yield* server.run(sql`
        INSERT INTO purchase_orders (id, buyer_company_id, buyer_user_id, status, payment_status, fulfilment_status,
          amount, paid, terms, items, placed_at, updated_at, seller_ids, subtotals, fulfilled_at, received, due_at,
          due_amounts, due_payments)
        SELECT ${`pur_${"1".repeat(24)}`}, buyer.company_id, buyer.id, 'fulfilled', 'partially_paid', 'fulfilled',
          10, 4, 'net_30', 1, 1, 1, ARRAY[seller.company_id], ARRAY[10], ARRAY[1], ARRAY[4], ARRAY[1], ARRAY[10],
          ARRAY['pay_1']
        FROM users AS buyer, users AS seller WHERE buyer.id = ${buyer} AND seller.id = ${seller}`)
      for (const userId of [buyer, seller]) {
        const answer = yield* erase(server, userId)
        expect([answer.status, answer.text]).toEqual([409, expect.stringContaining("fulfilled and paid")])
      }
      yield* server.run(sql`UPDATE purchase_orders SET paid = 10, payment_status = 'paid'`)
      expect((yield* erase(server, buyer)).status).toBe(200)
    })
  )

  itLive("waits for the tables to follow the journal, and is refused while they do not", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      // As a command has it: what the server records meanwhile is nothing that it waits for.
      const sql = server.service(Direct)
      const userId = yield* register(server, "early@example.com")
      yield* server.mint(userId, usd(5n))
      const first = yield* erase(server, userId)
      expect([first.status, first.text]).toEqual([409, expect.stringContaining("pay them out")])
      yield* server.run(sql`UPDATE projection SET seq = seq - 1`)
      const repository = ErasureRepository.layer(PERSONAL_TABLES).pipe(Layer.provide(Layer.succeed(SqlClient, sql)))
      const elsewhere = Effect.flatMap(ErasureRepository, ({ erase: byCommand }) => byCommand(OPERATOR, userId, 1_000))
      expect(yield* Effect.flip(Effect.provide(elsewhere, repository))).toMatchObject({
        reason: expect.stringContaining("behind the journal")
      })
      yield* server.run(sql`UPDATE projection SET seq = seq + 1`)
    })
  )

  itLive("is refused for administrators and where money, or a record to be decided, is left", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const rich = yield* register(server, "rich@example.com")
      yield* server.mint(rich, usd(5n))
      const answer = yield* erase(server, rich)
      expect([answer.status, answer.text]).toEqual([409, expect.stringContaining("pay them out")])
      const awaiting = yield* register(server, "awaiting@example.com")
      yield* server.post("/v1/kyc", kycFacts, { as: awaiting })
      const undecided = yield* erase(server, awaiting)
      expect([undecided.status, undecided.text]).toEqual([409, expect.stringContaining("awaits review")])
      expect((yield* erase(server, yield* server.admin)).status).toBe(409)
      expect((yield* erase(server, "usr_nobody")).status).toBe(404)
    })
  )
})
