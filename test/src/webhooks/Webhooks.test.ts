import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { MOST_SIGNING } from "../../../engine/webhooks/SigningSecrets.ts"
import { MOST_WEBHOOKS } from "../../../engine/webhooks/WebhookDecision.ts"
import { isoUtc } from "../../../src/api/Timestamp.ts"
import { Endpoints } from "../../../src/webhooks/Endpoints.ts"
import { WebhookRepository } from "../../../src/webhooks/WebhookRepository.ts"
import { Webhooks } from "../../../src/webhooks/Webhooks.ts"
import { WebhookSecretRepository } from "../../../src/webhooks/WebhookSecretRepository.ts"
import { WebhookSecrets } from "../../../src/webhooks/WebhookSecrets.ts"
import { withLayer } from "../../lib/Effects.ts"
import { NO_FINDINGS, replayFindings } from "../../lib/RecordedState.ts"
import { TestServer } from "../../lib/TestServer.ts"
import { NEW_WEBHOOK } from "../../lib/WebhookFixture.ts"

class Server extends Context.Service<Server, TestServer>()("test/Server") {}

const it = withLayer(Layer.effect(Server, TestServer.make()))

const HOUR = 3_600_000

interface Answered {
  readonly id: string
  readonly secret: string
  readonly status: string
  readonly message: string
}

const create = (as: string, body: object = NEW_WEBHOOK) =>
  Effect.flatMap(Server, (server) => server.post<Answered>("/v1/webhooks", body, { as }))

const request = (as: string, method: string, path: string, body?: object) =>
  Effect.flatMap(Server, (server) => server.request<Answered>(method, `/v1/webhooks${path}`, body, { as }))

const someone = Effect.flatMap(Server, (server) => server.user())

/** What would sign a delivery now. */
const signing = (id: string) =>
  Effect.flatMap(Server, (server) =>
    Effect.map(server.run(server.service(Endpoints).find(id)), (endpoint) => endpoint?.secrets)
  )

const secretRows = (id: string) =>
  Effect.flatMap(Server, (server) =>
    server.run(
      Effect.flatMap(SqlClient, (sql) =>
        Effect.map(
          sql<{ readonly number: number; readonly sealed: Uint8Array }>`
            SELECT number, sealed FROM webhook_secrets WHERE webhook_id = ${id} ORDER BY number`,
          (rows) => rows.map(({ number, sealed }) => ({ number, text: Buffer.from(sealed).toString("latin1") }))
        )
      )
    )
  )

describe("Creating a webhook", () => {
  it("answers it with a secret of 32 bytes that nobody is told again", () =>
    Effect.gen(function* () {
      const { companyId, id: userId } = yield* someone
      const { json, status } = yield* create(userId, { ...NEW_WEBHOOK, events: ["order.paid", "order.created"] })
      expect(status).toBe(200)
      expect(json).toMatchObject({
        company_id: companyId,
        created_by: userId,
        url: NEW_WEBHOOK.url,
        events: ["order.created", "order.paid"],
        description: null,
        status: "enabled",
        failing_since: null,
        previous_secret_until: null
      })
      expect(json.id).toMatch(/^whk_[0-9a-z]{24}$/)
      expect(json.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
      const { secret, ...shown } = json
      expect((yield* request(userId, "GET", `/${json.id}`)).json).toEqual(shown as Answered)
      expect((yield* request(userId, "GET", "")).json).toEqual([shown] as never)
      expect(yield* signing(json.id)).toEqual({ current: secret, previous: [] })
      const [row] = yield* secretRows(json.id)
      expect(row?.text).not.toContain(secret)
      expect(row?.text).not.toContain(secret.slice(6, 20))
    }))

  it("is refused where nothing can be sent to the URL", () =>
    Effect.gen(function* () {
      const { id } = yield* someone
      const refused = [
        ["http://example.com", "payload.url: Expected a URL that starts with https://"],
        ["https://10.0.0.5/", "payload.url: Expected a public address: 10.0.0.5 is a private address"],
        ["https://[::1]/", "payload.url: Expected a public address: ::1 is a loopback address"]
      ] as const
      for (const [url, message] of refused) {
        expect((yield* create(id, { ...NEW_WEBHOOK, url })).json).toMatchObject({
          message,
          code: "invalid_request"
        } as never)
      }
      const { json } = yield* create(id)
      expect((yield* request(id, "PATCH", `/${json.id}`, { url: "https://127.1/" })).status).toBe(400)
    }))

  it(`is refused beyond ${MOST_WEBHOOKS}, also to many at once, until one is deleted`, () =>
    Effect.gen(function* () {
      const user = yield* someone
      const server = yield* Server
      const caller = { userId: user.id, companyId: user.companyId, isAdmin: false }
      const settings = { ...NEW_WEBHOOK, description: null }
      const creating = Effect.exit(Effect.flatMap(Webhooks, (webhooks) => webhooks.create(caller, settings)))
      const own = Webhooks.layer.pipe(
        Layer.provide(Layer.merge(WebhookRepository.layer, WebhookSecrets.layer)),
        Layer.provide(WebhookSecretRepository.layer)
      )
      yield* server.run(
        Effect.forEach(Array.from({ length: MOST_WEBHOOKS - 2 }), () => creating, { concurrency: "unbounded" })
      )
      // Each with turns of its own, as two processes have them.
      const outcomes = yield* server.run(
        Effect.forEach(Array.from({ length: 5 }), () => Effect.provide(creating, Layer.fresh(own)), {
          concurrency: "unbounded"
        })
      )
      expect(outcomes.filter(({ _tag }) => _tag === "Failure")).toHaveLength(3)
      const refused = yield* create(user.id)
      expect([refused.status, refused.json.message]).toEqual([
        409,
        "The company has 100 webhooks, the most there can be: delete one first."
      ])
      const { headers, json } = yield* server.get<ReadonlyArray<Answered>>("/v1/webhooks?limit=2&offset=99", user.id)
      expect([json.length, headers.get("x-total-count")]).toEqual([1, "100"])
      yield* request(user.id, "DELETE", `/${json[0]?.id}`)
      expect((yield* create(user.id)).status).toBe(200)
    }))
})

describe("A webhook", () => {
  it("is seen by its company and administrators alone", () =>
    Effect.gen(function* () {
      const [mine, other, server] = [yield* someone, yield* someone, yield* Server]
      const { json } = yield* create(mine.id)
      const paths = [
        ["GET", ""],
        ["PATCH", ""],
        ["DELETE", ""],
        ["POST", "/secret/rotate"],
        ["GET", "/deliveries"],
        ["POST", "/retry"]
      ] as const
      for (const [method, path] of paths) {
        const body = method === "PATCH" ? {} : path === "/retry" ? { since: "2026-01-01T00:00:00Z" } : undefined
        const { json: refusal, status } = yield* request(other.id, method, `/${json.id}${path}`, body)
        expect([status, refusal.message]).toEqual([404, `There is no webhook ${json.id} of yours.`])
      }
      const admin = yield* server.admin
      expect((yield* request(admin, "GET", `/${json.id}`)).status).toBe(200)
      expect((yield* request(admin, "POST", `/${json.id}/secret/rotate`)).status).toBe(404)
      expect((yield* request(admin, "PATCH", `/${json.id}`, { status: "disabled" })).json.status).toBe("disabled")
      const { json: written } = yield* server.get(`/v1/audit?subject_id=${json.id}`, admin)
      expect(written).toMatchObject([{ act: "webhook.change", actor_id: admin }])
    }))

  it("keeps metadata, which a change merges and a list is filtered by", () =>
    Effect.gen(function* () {
      const { id: userId } = yield* someone
      const made = yield* create(userId, { ...NEW_WEBHOOK, metadata: { team: "billing", empty: "", none: null } })
      const { id } = made.json
      expect(made.json).toHaveProperty("metadata", { team: "billing" })
      yield* create(userId, { ...NEW_WEBHOOK, metadata: { team: "sales" } })
      const patched = yield* request(userId, "PATCH", `/${id}`, { metadata: { region: "eu", team: null } })
      expect([patched.status, patched.json]).toMatchObject([200, { metadata: { region: "eu" } }])
      expect((yield* request(userId, "PATCH", `/${id}`, { status: "disabled" })).json).toMatchObject({
        metadata: { region: "eu" },
        status: "disabled"
      })
      const listed = (pair: string) =>
        Effect.map(request(userId, "GET", `?metadata=${pair}`), ({ json }) =>
          (json as unknown as ReadonlyArray<Answered>).map((one) => one.id)
        )
      expect([yield* listed("region:eu"), yield* listed("team:billing")]).toEqual([[id], []])
      const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, "v"]))
      expect((yield* request(userId, "PATCH", `/${id}`, { metadata: many })).status).toBe(422)
      expect((yield* request(userId, "PATCH", `/${id}`, { metadata: null })).json).toMatchObject({ metadata: {} })
    }))

  it("is changed, disabled and enabled, and deleted for good", () =>
    Effect.gen(function* () {
      const [{ id: userId }, server] = [yield* someone, yield* Server]
      const { json: made } = yield* create(userId, { ...NEW_WEBHOOK, description: "Ours" })
      const patch = (body: object) => Effect.map(request(userId, "PATCH", `/${made.id}`, body), ({ json }) => json)
      server.world.pass(HOUR)
      expect(yield* patch({ events: ["*"], description: null })).toMatchObject({
        url: NEW_WEBHOOK.url,
        events: ["*"],
        description: null,
        status: "enabled",
        updated_at: isoUtc(server.world.now)
      } as never)
      expect(yield* patch({ status: "disabled", url: "https://example.com/other" })).toMatchObject({
        url: "https://example.com/other",
        status: "disabled",
        disabled_cause: "requested",
        disabled_at: isoUtc(server.world.now)
      } as never)
      expect(yield* patch({ status: "enabled" })).toMatchObject({ status: "enabled", disabled_cause: null } as never)
      const gone = yield* request(userId, "DELETE", `/${made.id}`)
      expect(gone.json).toEqual({ id: made.id, deleted: true } as never)
      expect((yield* request(userId, "GET", `/${made.id}`)).status).toBe(404)
      expect((yield* request(userId, "DELETE", `/${made.id}`)).status).toBe(404)
      expect(yield* secretRows(made.id)).toEqual([])
    }))

  it("signs with a new secret after a rotation, and for a day each with those before as well", () =>
    Effect.gen(function* () {
      const [{ id: userId }, server] = [yield* someone, yield* Server]
      const { json: first } = yield* create(userId)
      const rotate = Effect.map(request(userId, "POST", `/${first.id}/secret/rotate`), ({ json }) => json)
      const until = server.world.now + 24 * HOUR
      const second = yield* rotate
      expect(second).toMatchObject({ previous_secret_until: isoUtc(until) } as never)
      expect(second.secret).not.toBe(first.secret)
      expect(yield* signing(first.id)).toEqual({
        current: second.secret,
        previous: [{ secret: first.secret, until }]
      })
      server.world.pass(HOUR)
      const third = yield* rotate
      expect(third).toMatchObject({ previous_secret_until: isoUtc(until + HOUR) } as never)
      expect(yield* signing(first.id)).toEqual({
        current: third.secret,
        previous: [
          { secret: second.secret, until: until + HOUR },
          { secret: first.secret, until }
        ]
      })
      expect((yield* secretRows(first.id)).map(({ number }) => number)).toEqual([1, 2, 3])
      server.world.pass(23 * HOUR)
      expect(yield* signing(first.id)).toMatchObject({ current: third.secret, previous: [{ secret: second.secret }] })
      const fourth = yield* rotate
      expect((yield* secretRows(first.id)).map(({ number }) => number)).toEqual([2, 3, 4])
      server.world.pass(24 * HOUR)
      expect(yield* signing(first.id)).toEqual({ current: fourth.secret, previous: [] })
    }))

  it("refuses a rotation while as many secrets sign as can, and says until when", () =>
    Effect.gen(function* () {
      const [{ id: userId }, server] = [yield* someone, yield* Server]
      const { json: first } = yield* create(userId)
      const rotate = request(userId, "POST", `/${first.id}/secret/rotate`)
      const until = server.world.now + 24 * HOUR
      let last = first
      for (let turn = 1; turn < MOST_SIGNING; turn++) last = (yield* rotate).json
      const refused = yield* rotate
      expect([refused.status, refused.json]).toMatchObject([
        409,
        {
          code: "conflict",
          message: `5 secrets of the webhook sign, the most there can be: rotate again after ${isoUtc(until)}.`
        } as never
      ])
      const before = yield* signing(first.id)
      expect(before?.current).toBe(last.secret)
      expect(before?.previous.at(-1)).toEqual({ secret: first.secret, until })
      expect((yield* secretRows(first.id)).map(({ number }) => number)).toEqual([1, 2, 3, 4, 5])
      server.world.pass(24 * HOUR)
      expect((yield* rotate).status).toBe(200)
    }))

  it("keeps each of several rotations at once apart", () =>
    Effect.gen(function* () {
      const [{ id: userId }] = [yield* someone]
      const { json } = yield* create(userId)
      const answers = yield* Effect.forEach(
        Array.from({ length: MOST_SIGNING }),
        () => request(userId, "POST", `/${json.id}/secret/rotate`),
        { concurrency: "unbounded" }
      )
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 409])
      const secrets = answers.flatMap((answer) => (answer.status === 200 ? [answer.json.secret] : []))
      const now = yield* signing(json.id)
      const known = [now?.current, ...(now?.previous ?? []).map(({ secret }) => secret)]
      expect(known.toSorted()).toEqual([...secrets, json.secret].toSorted())
    }))

  it("is what its events make it, and no event has a secret", () =>
    Effect.gen(function* () {
      const server = yield* Server
      expect(yield* replayFindings(server)).toEqual(NO_FINDINGS)
      const [leaks] = yield* server.run(
        Effect.flatMap(
          SqlClient,
          (sql) => sql<{ readonly found: bigint }>`SELECT count(*) AS found FROM events WHERE data LIKE '%whsec%'`
        )
      )
      expect(leaks?.found).toBe(0n)
    }))
})
