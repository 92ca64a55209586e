import { describe, expect } from "bun:test"
import { Effect } from "effect"
import {
  FEW_SENDING,
  FEW_SENDING_FAILING,
  makeAttempts,
  MAX_FREELY,
  MAX_SENDING_IN_ALL
} from "../../../src/webhooks/DeliveryAttempts.ts"
import { type SendOutcome, type WebhookRequest, WebhookSender } from "../../../src/webhooks/WebhookSender.ts"
import { itEffect } from "../../lib/Effects.ts"

const SECRETS = { current: `whsec_${Buffer.alloc(32, 7).toString("base64")}`, previous: [] }
const ANSWERED: SendOutcome = { startedAt: 3, durationMs: 4, status: 200, error: null, answer: "ok" }

const endpointOf = (webhookId: string) => ({
  webhookId,
  url: `https://${webhookId}.example/`,
  isEnabled: true,
  secrets: SECRETS,
  failingSince: null
})

const deliveryOf = (deliveryId: string) => ({
  deliveryId,
  eventId: "evt_1",
  eventSeq: 1,
  body: "{}",
  round: 1,
  attempts: 0
})

/** Attempts whose answers the test gives, and what was told of those that ended. */
const attempting = Effect.gen(function* () {
  const sent: Array<{ readonly request: WebhookRequest; readonly done: (outcome: SendOutcome) => void }> = []
  const told: Array<readonly [string, ReadonlyArray<string>]> = []
  const sender = WebhookSender.of({
    send: () => Effect.never,
    begin: (request, done) => {
      sent.push({ request, done })
      return () => undefined
    }
  })
  const attempts = yield* makeAttempts(
    (webhookId, ended) => void told.push([webhookId, ended.map(({ delivery }) => delivery.deliveryId)])
  ).pipe(Effect.provideService(WebhookSender, sender))
  return { attempts, sent, told }
})

const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

describe("makeAttempts", () => {
  itEffect("signs and sends at once, and tells each endpoint's that end together in one group", () =>
    Effect.gen(function* () {
      const { attempts, sent, told } = yield* attempting
      for (const id of ["a", "b", "c"]) attempts.begin(endpointOf("one"), deliveryOf(id), false)
      attempts.begin(endpointOf("other"), deliveryOf("d"), false)
      expect(sent[0]?.request).toMatchObject({ url: "https://one.example/", body: "{}" })
      expect(sent[0]?.request.headers).toMatchObject({ "webhook-id": "evt_1", "webhook-timestamp": "0" })
      for (const index of [0, 3, 1]) sent[index]?.done(ANSWERED)
      yield* turn
      expect(told).toEqual([
        ["one", ["a", "b"]],
        ["other", ["d"]]
      ])
      sent[2]?.done(ANSWERED)
      yield* turn
      expect(told.at(-1)).toEqual(["one", ["c"]])
    })
  )

  itEffect("keeps few of an endpoint under way while many are, and lets the waiting ones take turns", () =>
    Effect.gen(function* () {
      const { attempts, sent } = yield* attempting
      const begin = (webhookId: string, count: number, isFailing: boolean) => {
        for (let index = 0; index < count; index++)
          attempts.begin(endpointOf(webhookId), deliveryOf(`${index}`), isFailing)
      }
      const since = (from: number) => sent.slice(from).map(({ request }) => new URL(request.url).hostname.split(".")[0])
      begin("greedy", MAX_FREELY + 1, true)
      expect(sent.length).toBe(MAX_FREELY)
      begin("hanging", FEW_SENDING_FAILING + 1, true)
      begin("good", FEW_SENDING + 1, false)
      expect(sent.length).toBe(MAX_FREELY + FEW_SENDING_FAILING + FEW_SENDING)

      const before = sent.length
      sent[before - 1]?.done(ANSWERED)
      yield* turn
      expect(since(before)).toEqual(["good"])
      for (let index = 0; index < FEW_SENDING_FAILING + FEW_SENDING + 2; index++) sent[index]?.done(ANSWERED)
      yield* turn
      expect(since(before + 1)).toEqual(["greedy", "hanging"])
    })
  )

  itEffect("keeps those waiting that are too many for all", () =>
    Effect.gen(function* () {
      const { attempts, sent } = yield* attempting
      for (let index = 0; index < MAX_SENDING_IN_ALL + 2; index++) {
        attempts.begin(endpointOf(`w${Math.floor(index / FEW_SENDING)}`), deliveryOf(`${index}`), false)
      }
      expect(sent.length).toBe(MAX_SENDING_IN_ALL)
      sent[7]?.done(ANSWERED)
      yield* turn
      expect(sent.length).toBe(MAX_SENDING_IN_ALL + 1)
    })
  )
})
