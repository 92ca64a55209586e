import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { isoUtc } from "../../../src/api/Timestamp.ts"
import { DeliveryRetentionRepository } from "../../../src/webhooks/DeliveryRetentionRepository.ts"
import { WakeSignal } from "../../../src/webhooks/WakeSignal.ts"
import { withLayer } from "../../lib/Effects.ts"
import { NO_FINDINGS, replayFindings } from "../../lib/RecordedState.ts"
import { TestServer } from "../../lib/TestServer.ts"
import { type DeliveryFacts, makeDelivery, NEW_WEBHOOK } from "../../lib/WebhookFixture.ts"

const DAY = 86_400_000

class Server extends Context.Service<Server, TestServer>()("test/Server") {}

const it = withLayer(Layer.effect(Server, TestServer.make()))

interface Delivery {
  readonly id: string
  readonly status: string
  readonly event: string
  readonly failure: string | null
  readonly message: string
  readonly body: string
}

/** Somebody with a webhook. */
class Endpoint {
  readonly server: TestServer
  readonly userId: string
  readonly companyId: string
  readonly id: string

  constructor(server: TestServer, user: { readonly id: string; readonly companyId: string }, id: string) {
    this.server = server
    this.userId = user.id
    this.companyId = user.companyId
    this.id = id
  }

  static readonly make = Effect.gen(function* () {
    const server = yield* Server
    const user = yield* server.user()
    const { json } = yield* server.post<{ readonly id: string }>("/v1/webhooks", NEW_WEBHOOK, { as: user.id })
    return new Endpoint(server, user, json.id)
  })

  deliver(facts: DeliveryFacts) {
    return makeDelivery(this.server, this.companyId, this.id, facts)
  }

  list(query = "") {
    return Effect.map(
      this.server.get<ReadonlyArray<Delivery>>(`/v1/webhooks/${this.id}/deliveries${query}`, this.userId),
      ({ headers, json }) => ({ ids: json.map(({ id }) => id), total: headers.get("x-total-count"), deliveries: json })
    )
  }

  find(id: string, as = this.userId) {
    return this.server.get<Delivery>(`/v1/webhooks/deliveries/${id}`, as)
  }

  retry(id: string, as = this.userId) {
    return this.server.post<Delivery>(`/v1/webhooks/deliveries/${id}/retry`, undefined, { as })
  }

  retryFailed(since: number) {
    return Effect.map(
      this.server.post<{ readonly retried: number }>(
        `/v1/webhooks/${this.id}/retry`,
        { since: isoUtc(since) },
        { as: this.userId }
      ),
      ({ json }) => json
    )
  }

  change(status: "enabled" | "disabled") {
    return this.server.request("PATCH", `/v1/webhooks/${this.id}`, { status }, { as: this.userId })
  }
}

/** The webhooks for which a wake signal came while something was done. */
const rung = <A, E, R>(doing: Effect.Effect<A, E, R>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const heard: Array<string> = []
      yield* (yield* Server).service(WakeSignal).listen((webhookId) => heard.push(webhookId))
      yield* doing
      return heard
    })
  )

describe("The deliveries of a webhook", () => {
  it("are listed newest first, by status and type", () =>
    Effect.gen(function* () {
      const endpoint = yield* Endpoint.make
      const other = yield* Endpoint.make
      const failed = yield* endpoint.deliver({ status: "failed" })
      yield* endpoint.server.user().pipe(Effect.andThen(other.deliver({ status: "failed" })))
      const delivered = yield* endpoint.deliver({
        status: "delivered",
        type: "order.created",
        attempts: [{ status: null, error: "the name does not resolve" }, { status: 204 }]
      })
      const { deliveries, ids, total } = yield* endpoint.list()
      expect([new Set(ids), total]).toEqual([new Set([delivered, failed]), "2"])
      expect(deliveries.find(({ id }) => id === delivered)).toMatchObject({
        webhook_id: endpoint.id,
        event: "order.created",
        status: "delivered",
        round: 1,
        attempt_count: 2,
        last_status: 204,
        last_error: null,
        last_duration_ms: 12,
        due_at: null
      } as never)
      expect((yield* endpoint.list("?status=failed")).ids).toEqual([failed])
      expect((yield* endpoint.list("?event=order.created")).ids).toEqual([delivered])
      expect(yield* endpoint.list("?status=failed&event=order.created")).toMatchObject({ ids: [], total: "0" })
      expect(yield* endpoint.list("?limit=1&offset=1")).toMatchObject({ ids: [ids[1] as string], total: "2" })
    }))

  it("tell what was sent, what was answered, and why they failed", () =>
    Effect.gen(function* () {
      const endpoint = yield* Endpoint.make
      const id = yield* endpoint.deliver({
        status: "failed",
        attempts: [
          { status: null, error: "no answer within 5 s" },
          { status: 503, answer: "busy" }
        ]
      })
      const { json } = yield* endpoint.find(id)
      expect(json).toMatchObject({
        id,
        url: NEW_WEBHOOK.url,
        failure:
          "The endpoint answered 503; only a 2xx answer within 5 seconds counts as delivered. It was tried 5 times: retry it by hand.",
        attempts: [
          { round: 1, number: 1, status: null, error: "no answer within 5 s", answer: null },
          { round: 1, number: 2, status: 503, error: null, answer: "busy", duration_ms: 12 }
        ]
      } as never)
      expect(JSON.parse(json.body)).toMatchObject({ object: "event", type: "order.paid" })
      const stranger = yield* endpoint.server.user()
      expect((yield* endpoint.find(id, stranger.id)).status).toBe(404)
      expect((yield* endpoint.find(id, yield* endpoint.server.admin)).status).toBe(200)
    }))
})

describe("A retry by hand", () => {
  it("begins a new round of a failed delivery at once, and rings", () =>
    Effect.gen(function* () {
      const endpoint = yield* Endpoint.make
      const id = yield* endpoint.deliver({ status: "failed" })
      const heard = yield* rung(
        Effect.gen(function* () {
          const { json } = yield* endpoint.retry(id)
          expect(json).toMatchObject({
            id,
            status: "pending",
            round: 2,
            attempt_count: 0,
            due_at: isoUtc(endpoint.server.world.now)
          } as never)
        })
      )
      expect(heard).toEqual([endpoint.id])
      expect((yield* endpoint.find(id)).json).toMatchObject({ status: "pending", round: 2, attempt_count: 0 } as never)
    }))

  it("is refused for what is not failed, for a stranger, and where the webhook gets nothing", () =>
    Effect.gen(function* () {
      const endpoint = yield* Endpoint.make
      const sentences = {
        pending: "The delivery is pending: its next attempt comes by itself.",
        held: "The delivery is held by the plan's daily deliveries: it goes on by itself.",
        delivered: "The delivery was delivered: there is nothing to retry."
      } as const
      for (const [status, message] of Object.entries(sentences)) {
        const id = yield* endpoint.deliver({ status: status as keyof typeof sentences, attempts: [] })
        expect((yield* endpoint.retry(id)).json).toEqual({ message, code: "conflict" } as never)
      }
      const id = yield* endpoint.deliver({ status: "failed" })
      const stranger = yield* endpoint.server.user()
      expect((yield* endpoint.retry(id, stranger.id)).status).toBe(404)
      yield* endpoint.change("disabled")
      expect((yield* endpoint.retry(id)).json.message).toBe(
        `The webhook ${endpoint.id} is disabled: enable it, then retry.`
      )
      yield* endpoint.server.request("DELETE", `/v1/webhooks/${endpoint.id}`, undefined, { as: endpoint.userId })
      expect((yield* endpoint.retry(id)).status).toBe(404)
    }))

  it("of several at once begins one round alone", () =>
    Effect.gen(function* () {
      const endpoint = yield* Endpoint.make
      const id = yield* endpoint.deliver({ status: "failed" })
      const answers = yield* Effect.forEach([1, 2, 3], () => endpoint.retry(id), { concurrency: "unbounded" })
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
      expect((yield* endpoint.find(id)).json).toMatchObject({ round: 2 } as never)
    }))

  it("of all that failed since a time takes no others", () =>
    Effect.gen(function* () {
      const endpoint = yield* Endpoint.make
      const { now } = endpoint.server.world
      const before = yield* endpoint.deliver({ status: "failed", at: now - 2 })
      const since = [
        yield* endpoint.deliver({ status: "failed", at: now - 1 }),
        yield* endpoint.deliver({ status: "failed", at: now })
      ]
      yield* endpoint.deliver({ status: "delivered", at: now })
      const other = yield* Endpoint.make
      yield* other.deliver({ status: "failed", at: now })
      const heard = yield* rung(
        Effect.gen(function* () {
          expect(yield* endpoint.retryFailed(now - 1)).toEqual({ retried: 2, left: 0 } as never)
        })
      )
      expect(heard).toEqual([endpoint.id])
      expect(new Set((yield* endpoint.list("?status=pending")).ids)).toEqual(new Set(since))
      expect((yield* endpoint.list("?status=failed")).ids).toEqual([before])
      expect(yield* rung(endpoint.retryFailed(now - 1))).toEqual([])
      yield* endpoint.change("disabled")
      expect(yield* endpoint.retryFailed(0)).toMatchObject({ code: "conflict" } as never)
    }))

  it("ends with what is kept, and whatever else is recorded agrees as before", () =>
    Effect.gen(function* () {
      const endpoint = yield* Endpoint.make
      const { server } = endpoint
      const horizon = server.world.now - 90 * DAY
      const gone = yield* endpoint.deliver({ status: "failed", at: horizon - 1 })
      const held = yield* endpoint.deliver({ status: "held", at: horizon - 1 })
      const kept = yield* endpoint.deliver({ status: "delivered", at: horizon })
      yield* server.run(
        Effect.gen(function* () {
          const { removeSome } = yield* DeliveryRetentionRepository
          for (let from: number | undefined = 0; from !== undefined;)
            from = (yield* removeSome(horizon, from, 1_000)).next
        }).pipe(Effect.provide(DeliveryRetentionRepository.layer))
      )
      const { ids, total } = yield* endpoint.list()
      expect([ids.toSorted(), total]).toEqual([[held, kept].toSorted(), "2"])
      expect([(yield* endpoint.find(gone)).status, (yield* endpoint.retry(gone)).status]).toEqual([404, 404])
      expect((yield* endpoint.find(held)).status).toBe(200)
      expect(yield* replayFindings(server)).toEqual(NO_FINDINGS)
    }))
})
