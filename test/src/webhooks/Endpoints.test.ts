import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { DISABLED_AFTER } from "../../../engine/webhooks/EndpointHealth.ts"
import { isoUtc } from "../../../src/api/Timestamp.ts"
import { webhookHealth } from "../../../src/database/migrations/0041_webhook_health.ts"
import { DeliveryRepository, type KeptRecord } from "../../../src/webhooks/DeliveryRepository.ts"
import { Endpoints } from "../../../src/webhooks/Endpoints.ts"
import { withLayer } from "../../lib/Effects.ts"
import { NO_FINDINGS, replayFindings } from "../../lib/RecordedState.ts"
import { TestServer } from "../../lib/TestServer.ts"
import { NEW_WEBHOOK } from "../../lib/WebhookFixture.ts"

class Server extends Context.Service<Server, TestServer>()("test/Server") {}

const it = withLayer(Layer.effect(Server, TestServer.make()))

interface Answered {
  readonly id: string
  readonly secret: string
}

const made = Effect.gen(function* () {
  const server = yield* Server
  const user = yield* server.user()
  const { json } = yield* server.post<Answered>("/v1/webhooks", NEW_WEBHOOK, { as: user.id })
  const request = (method: string, path = "", body?: object) =>
    Effect.map(
      server.request<object>(method, `/v1/webhooks/${json.id}${path}`, body, { as: user.id }),
      (answer) => answer.json
    )
  return { ...json, server, request }
})

const deliveryOf = (id: string) => [
  `INSERT INTO webhook_events (id, seq, type, company_id, created_at, body)
   SELECT 'evt_' || '${id}', created_seq, 'webhook.test', company_id, 1, '{}' FROM webhooks WHERE id = '${id}'`,
  `INSERT INTO webhook_deliveries
     (id, webhook_id, company_id, event_id, event_seq, status, round, attempts, due_at, created_at, updated_at)
   SELECT 'whd_' || '${id}', id, company_id, 'evt_' || '${id}', created_seq, 'pending', 1, 0, 1, 1, 1
   FROM webhooks WHERE id = '${id}'`
]

/** An attempt at its delivery, and how it is after that. */
const attemptOn = (webhookId: string, failingSince: number | null): KeptRecord => ({
  delivery: {
    deliveryId: `whd_${webhookId}`,
    eventId: `evt_${webhookId}`,
    eventSeq: 1,
    body: "",
    round: 1,
    attempts: 0
  },
  webhookId,
  outcome: { startedAt: 1, endedAt: 2, status: 200 },
  sent: { url: NEW_WEBHOOK.url, headers: "{}", error: null, answer: "" },
  after: { status: "delivered", attempts: 1, dueAt: null },
  health: { failingSince }
})

const find = (id: string) => Effect.flatMap(Server, (server) => server.run(server.service(Endpoints).find(id)))

const NONE = { current: "", previous: [] }

describe("An endpoint", () => {
  it("has its secrets opened while it is enabled, and none after", () =>
    Effect.gen(function* () {
      const { id, request, secret } = yield* made
      const endpoint = { webhookId: id, url: NEW_WEBHOOK.url, failingSince: null }
      expect(yield* find(id)).toEqual({ ...endpoint, isEnabled: true, secrets: { current: secret, previous: [] } })
      yield* request("PATCH", "", { status: "disabled" })
      expect(yield* find(id)).toEqual({ ...endpoint, isEnabled: false, secrets: NONE })
      yield* request("DELETE")
      expect(yield* find(id)).toEqual({ ...endpoint, isEnabled: false, secrets: NONE })
      expect(yield* find("whk_unknown")).toBeUndefined()
    }))

  it("is disabled by the platform once, and only while it is enabled", () =>
    Effect.gen(function* () {
      const { id, request, server } = yield* made
      const since = server.world.now
      const disable = server.run(server.service(Endpoints).disableFailing(id, since))
      yield* Effect.all([disable, disable, disable], { concurrency: "unbounded" })
      expect(yield* request("GET")).toMatchObject({ status: "disabled", disabled_cause: "failing" })
      yield* request("PATCH", "", { status: "enabled" })
      expect(yield* request("GET")).toMatchObject({ status: "enabled", failing_since: null })
      yield* request("PATCH", "", { status: "disabled" })
      yield* disable
      expect(yield* request("GET")).toMatchObject({ disabled_cause: "requested" })
      yield* server.run(server.service(Endpoints).disableFailing("whk_unknown", since))
      expect(yield* replayFindings(server)).toEqual(NO_FINDINGS)
    }))

  it("fails since its first failure after it was enabled, in a row that its attempts alone write", () =>
    Effect.gen(function* () {
      const { id, request, server } = yield* made
      yield* server.run(
        Effect.flatMap(SqlClient, (sql) =>
          Effect.forEach(deliveryOf(id), (statement) => sql.unsafe(statement), { discard: true })
        )
      )
      const fails = (failingSince: number | null) =>
        server.run(
          Effect.flatMap(DeliveryRepository, ({ record }) => record([attemptOn(id, failingSince)])).pipe(
            Effect.provide(DeliveryRepository.layer)
          )
        )
      const failing = () => Effect.map(find(id), (endpoint) => endpoint?.failingSince)
      const { now } = server.world
      yield* fails(now + 5)
      yield* fails(now + 5)
      expect(yield* failing()).toBe(now + 5)
      yield* fails(null)
      expect(yield* failing()).toBe(null)
      yield* fails(now + 7)
      const run = (statements: ReadonlyArray<string>) =>
        server.run(Effect.flatMap(SqlClient, (sql) => Effect.forEach(statements, (one) => sql.unsafe(one))))
      // It was before webhooks began anew with another URL, which those of other tests have.
      const others = yield* run([`SELECT id, enabled_at FROM webhooks WHERE id <> '${id}'`])
      const downAndUp = Effect.gen(function* () {
        yield* run(webhookHealth.down as ReadonlyArray<string>)
        yield* run(webhookHealth.up)
        const rows = others.flat() as ReadonlyArray<{ readonly id: string; readonly enabled_at: bigint }>
        yield* run(rows.map((row) => `UPDATE webhooks SET enabled_at = ${row.enabled_at} WHERE id = '${row.id}'`))
      })
      yield* downAndUp
      expect(yield* failing()).toBe(now + 7)
      server.world.pass(60_000)
      yield* request("PATCH", "", { status: "disabled" })
      yield* request("PATCH", "", { status: "enabled" })
      expect(yield* failing()).toBe(null)
      yield* downAndUp
      expect(yield* failing()).toBe(null)
      yield* fails(server.world.now)
      expect(yield* request("GET")).toMatchObject({ failing_since: expect.any(String) })
      expect(yield* replayFindings(server)).toEqual(NO_FINDINGS)
    }))

  it("begins anew where it gets another URL, also for an attempt at the one before that ends after that", () =>
    Effect.gen(function* () {
      const { id, request, server } = yield* made
      yield* server.run(
        Effect.flatMap(SqlClient, (sql) =>
          Effect.forEach(deliveryOf(id), (statement) => sql.unsafe(statement), { discard: true })
        )
      )
      const since = server.world.now
      const fails = server.run(
        Effect.flatMap(DeliveryRepository, ({ record }) => record([attemptOn(id, since)])).pipe(
          Effect.provide(DeliveryRepository.layer)
        )
      )
      yield* fails
      server.world.pass(DISABLED_AFTER)
      expect(yield* request("PATCH", "", { description: "Ours" })).toMatchObject({ failing_since: isoUtc(since) })
      const url = "https://example.com/moved"
      expect(yield* request("PATCH", "", { url })).toMatchObject({ url, failing_since: null })
      expect((yield* find(id))?.failingSince).toBe(null)
      yield* fails
      yield* server.run(server.service(Endpoints).disableFailing(id, since))
      expect(yield* request("GET")).toMatchObject({ status: "enabled", failing_since: null })
      yield* server.run(server.service(Endpoints).disableFailing(id, server.world.now))
      expect(yield* request("GET")).toMatchObject({ status: "disabled", disabled_cause: "failing" })
      expect(yield* replayFindings(server)).toEqual(NO_FINDINGS)
    }))
})
