import { describe, expect } from "bun:test"
import { Cause, Effect, Exit } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ensure } from "../../../../engine/journal/TableRow.ts"
import { RowWriter } from "../../../../src/database/RowWriter.ts"
import { AuditLog } from "../../../../src/identity/audit/AuditLog.ts"
import { itLive, withLayer } from "../../../lib/Effects.ts"
import { layerOf } from "../../../lib/TestIdentity.ts"
import { TestServer } from "../../../lib/TestServer.ts"

const by = { userId: "usr_admin", requestId: "request-1" }

describe("The audit log's list", () => {
  const it = withLayer(layerOf())

  it("has the newest first, by actor, subject and act, in pages", () =>
    Effect.gen(function* () {
      const { list, record } = yield* AuditLog
      for (const subjectId of ["one", "two", "three"]) {
        yield* record(by, {
          act: "user.suspend",
          subjectId,
          before: { status: "active" },
          after: { status: "suspended" }
        })
      }
      yield* record({ userId: "usr_other", requestId: undefined }, { act: "client.delete", subjectId: "one" })
      const page = { limit: 2, offset: 0 }
      const subjects = (found: { readonly entries: ReadonlyArray<{ readonly subjectId: string }> }) =>
        found.entries.map(({ subjectId }) => subjectId)
      const newest = yield* list({}, page)
      expect([subjects(newest), newest.total]).toEqual([["one", "three"], 4])
      expect(newest.entries[0]).toMatchObject({ actorId: "usr_other", before: undefined, requestId: undefined })
      expect(subjects(yield* list({}, { limit: 2, offset: 2 }))).toEqual(["two", "one"])
      expect(yield* list({}, { limit: 2, offset: 9 })).toEqual({ entries: [], total: 4, next: undefined })
      expect(subjects(yield* list({ act: "client.delete" }, page))).toEqual(["one"])
      expect(subjects(yield* list({ subjectId: "one", actorId: "usr_admin" }, page))).toEqual(["one"])
    }))
})

describe("The audit log", () => {
  const it = withLayer(layerOf())

  itLive("has what administrators mint for others, and the machine traders they register", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const admin = yield* server.admin
      const wallet = `0x${"7".repeat(40)}`
      const trader = yield* server.user(wallet)
      const fund = { type: "USD", symbol: "250.5" }
      yield* server.post("/v1/funds", { ...fund, owner: trader.id }, { as: admin, key: "once" })
      yield* server.post("/v1/funds", { ...fund, owner: trader.id }, { as: admin, key: "once" })
      yield* server.post("/v1/funds", { ...fund, owner: trader.id }, { as: trader.id })
      yield* server.post("/v1/funds", { ...fund, owner: admin }, { as: admin })
      const machine = {
        agent_id: "agent-1",
        agent_uri: "https://example.com/agent",
        wallet_address: wallet,
        capabilities: ["fx"],
        collateral_allocated: 100,
        specs: { model: "m", risk_tolerance: "low" }
      }
      yield* server.post("/api/arena/machine-traders", machine, { as: trader.id })
      yield* server.post("/api/arena/machine-traders", machine, { as: admin })
      const audit = yield* server.get<ReadonlyArray<unknown>>(`/v1/audit?actor_id=${admin}`, admin)
      expect(audit.json).toMatchObject([
        { act: "machine_trader.register", actor_id: admin, subject_id: wallet, after: { agent_id: "agent-1" } },
        { act: "funds.mint", actor_id: admin, subject_id: trader.id, after: { asset: "USD", units: "250.5" } }
      ])
      expect(audit.json).toHaveLength(2)
    })
  )

  it("takes what an event tells once, and as it was told first", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { write } = yield* RowWriter
      const told = (seq: number, actorId: string) =>
        ensure({
          table: "audit_log",
          values: [`${seq}`, "1", actorId, "company.verify", "told", null, '{"status":"verified"}', null]
        })
      for (const row of [told(7, "usr_1"), told(8, "usr_1"), told(7, "usr_2")]) yield* Effect.all(write([row]))
      const rows = yield* sql`SELECT actor_id, event_seq FROM audit_log WHERE subject_id = 'told' ORDER BY event_seq`
      expect(rows).toEqual([
        { actor_id: "usr_1", event_seq: 7n },
        { actor_id: "usr_1", event_seq: 8n }
      ])
    }).pipe(Effect.provide(RowWriter.layer)))

  it("takes no change, no removal and no emptying, from whomever", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { record } = yield* AuditLog
      yield* record(by, { act: "user.verify", subjectId: "kept" })
      const attacks = [
        sql`UPDATE audit_log SET actor_id = 'usr_else' WHERE subject_id = 'kept'`,
        sql`DELETE FROM audit_log WHERE subject_id = 'kept'`,
        sql`TRUNCATE audit_log`,
        sql`INSERT INTO audit_log (id, at, actor_id, act, subject_id) VALUES (1, 0, 'a', 'a.b', 'c')`
      ]
      for (const attack of attacks) {
        const exit = yield* Effect.exit(attack)
        expect(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "done").toMatch(/append-only|non-DEFAULT|GENERATED/)
      }
      const rows = yield* sql`SELECT actor_id FROM audit_log WHERE subject_id = 'kept'`
      expect(rows).toEqual([{ actor_id: "usr_admin" }])
    }))
})
