import { describe, expect } from "bun:test"
import { Effect, Layer, Redacted, Schema } from "effect"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import { Webhook } from "standardwebhooks"
import { WebhookBody } from "../../../engine/webhooks/WebhookBody.ts"
import { WEBHOOK_EVENT_TYPES } from "../../../engine/webhooks/WebhookEventType.ts"
import { Settings } from "../../../src/Config.ts"
import { Endpoints } from "../../../src/webhooks/Endpoints.ts"
import { EndpointTest } from "../../../src/webhooks/EndpointTest.ts"
import type { StoredWebhook } from "../../../src/webhooks/WebhookRepository.ts"
import { Webhooks } from "../../../src/webhooks/Webhooks.ts"
import { type SendOutcome, type WebhookRequest, WebhookSender } from "../../../src/webhooks/WebhookSender.ts"
import { itLive } from "../../lib/Effects.ts"
import { webhookCase } from "../../lib/WebhookCases.ts"

const OWN_URL = "https://example.com/hooks"
const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`
const OTHER = `whsec_${Buffer.alloc(32, 8).toString("base64")}`
const CALLER = { userId: "usr_0", companyId: "cmp_1", isAdmin: false }

const [state] = webhookCase([]).states as [StoredWebhook["state"]]

/** A test of endpoints where one webhook has a URL, and every request comes to this. */
const testing = (outcome: Pick<SendOutcome, "status" | "error" | "answer">, isEnabled = true) => {
  const sent: Array<WebhookRequest> = []
  const outside = Layer.mergeAll(
    Layer.mock(WebhookSender, {
      begin: () => () => undefined,
      send: (request) =>
        Effect.sync(() => {
          sent.push(request)
          return { ...outcome, startedAt: 1, durationMs: 12 }
        })
    }),
    Layer.mock(Webhooks, {
      byUrl: (companyId, url) =>
        Effect.succeed(companyId === "cmp_1" && url === OWN_URL ? { state, failingSince: null } : undefined)
    }),
    Layer.mock(Endpoints, {
      find: (webhookId) =>
        Effect.succeed({
          webhookId,
          url: OWN_URL,
          isEnabled,
          failingSince: null,
          secrets: { current: SECRET, previous: [] }
        })
    }),
    Settings.layerOf({}),
    layerWebCrypto
  )
  return { sent, layer: EndpointTest.layer.pipe(Layer.provide(outside)) }
}

const run = (url: string, type: (typeof WEBHOOK_EVENT_TYPES)[number] = "order.paid") =>
  Effect.flatMap(EndpointTest, (test) => test.run(CALLER, url, type))

const verified = (request: WebhookRequest | undefined, secret: string): unknown =>
  new Webhook(secret).verify(request?.body ?? "", request?.headers ?? {})

describe("A test of an endpoint", () => {
  for (const type of WEBHOOK_EVENT_TYPES) {
    itLive(`posts an example of ${type} that its published schema takes`, () => {
      const { layer, sent } = testing({ status: 200, error: null, answer: "ok" })
      return Effect.gen(function* () {
        const outcome = yield* run("https://example.com/other", type)
        expect(outcome).toMatchObject({ isDelivered: true, status: 200, durationMs: 12, answer: "ok" })
        expect(sent).toMatchObject([{ url: "https://example.com/other", body: outcome.body }])
        const body = Schema.decodeUnknownSync(WebhookBody)(JSON.parse(outcome.body))
        expect(body).toMatchObject({ type, id: sent[0]?.headers["webhook-id"] as string })
      }).pipe(Effect.provide(layer))
    })
  }

  itLive("is signed as the webhook at this URL signs, else by a secret of its own that is told", () => {
    const { layer, sent } = testing({ status: 200, error: null, answer: "" })
    return Effect.gen(function* () {
      expect((yield* run(OWN_URL)).secret).toBeUndefined()
      expect(verified(sent[0], SECRET)).toMatchObject({ type: "order.paid" })
      expect(() => verified(sent[0], OTHER)).toThrow()
      const { secret } = yield* run("https://example.com/other")
      if (secret === undefined) throw new Error("no secret was told")
      expect(verified(sent[1], Redacted.value(secret))).toMatchObject({ type: "order.paid" })
      expect(() => verified(sent[1], SECRET)).toThrow()
    }).pipe(Effect.provide(layer))
  })

  itLive("is not signed by a disabled webhook's secret", () => {
    const { layer } = testing({ status: 200, error: null, answer: "" }, false)
    return Effect.gen(function* () {
      expect((yield* run(OWN_URL)).secret).toBeDefined()
    }).pipe(Effect.provide(layer))
  })

  itLive("tells what failed, and sends nothing where nothing may be sent", () => {
    const refused = testing({ status: null, error: "the connection was refused", answer: null })
    const { layer, sent } = refused
    return Effect.gen(function* () {
      expect(yield* run(OWN_URL)).toMatchObject({ isDelivered: false, error: "the connection was refused" })
      expect(yield* Effect.flip(run("https://192.168.1.1/"))).toMatchObject({
        _tag: "UnusableUrl",
        field: "endpoint",
        expected: "expected a public address: 192.168.1.1 is a private address"
      })
      expect(sent).toHaveLength(1)
    }).pipe(Effect.provide(layer))
  })

  itLive("is delivered by a 2xx answer alone", () => {
    const { layer } = testing({ status: 301, error: "a redirect", answer: "" })
    return Effect.gen(function* () {
      expect(yield* run(OWN_URL)).toMatchObject({ isDelivered: false, status: 301 })
    }).pipe(Effect.provide(layer))
  })
})
