import { Effect } from "effect"
import type { OperationRow } from "../OperationRows.ts"
import type { Fixture } from "../OperationFixture.ts"
import { type DeliveryFacts, makeDelivery, NEW_WEBHOOK } from "../WebhookFixture.ts"

interface Made {
  readonly id: string
  readonly status: string
}

/**
 * A webhook of `mine` that is enabled, since nothing is retried at another one; the first is made when it is asked for,
 * as a company has a hundred at most.
 */
const webhook = ({ mine, server }: Fixture) =>
  Effect.gen(function* () {
    const { json } = yield* server.get<ReadonlyArray<Made>>("/v1/webhooks?limit=100", mine.userId)
    const found = json.find(({ status }) => status === "enabled") ?? json[0]
    if (found?.status === "enabled") return found.id
    if (found !== undefined) {
      yield* server.request("PATCH", `/v1/webhooks/${found.id}`, { status: "enabled" }, { as: mine.userId })
      return found.id
    }
    return (yield* server.post<Made>("/v1/webhooks", NEW_WEBHOOK, { as: mine.userId })).json.id
  })

const ofWebhook =
  (body?: (turn: number) => object): OperationRow["send"] =>
  (fixture, turn) =>
    Effect.map(webhook(fixture), (id) => ({ params: { id }, ...(body === undefined ? {} : { body: body(turn) }) }))

const ofDelivery =
  (facts: DeliveryFacts): OperationRow["send"] =>
  (fixture) =>
    Effect.gen(function* () {
      const webhookId = yield* webhook(fixture)
      return { params: { id: yield* makeDelivery(fixture.server, fixture.mine.companyId, webhookId, facts) } }
    })

/** The rows of webhooks. */
export const webhookRows: Readonly<Record<string, OperationRow>> = {
  "POST /v1/webhooks": {
    tenancy: "own",
    fills: true,
    send: (_, turn) => ({ body: { ...NEW_WEBHOOK, description: `Webhook ${turn}` } })
  },
  "GET /v1/webhooks": { tenancy: "own", send: () => ({}) },
  "GET /v1/webhooks/event-types": { tenancy: "own", send: () => ({}) },
  "GET /v1/webhooks/quota": { tenancy: "own", send: () => ({}) },
  "POST /v1/webhooks/test": {
    tenancy: "own",
    send: () => ({ body: { endpoint: "https://receiver.invalid/hook", event: "order.paid" } })
  },
  "GET /v1/webhooks/{id}": { tenancy: "refused", send: ofWebhook() },
  "PATCH /v1/webhooks/{id}": {
    tenancy: "refused",
    send: ofWebhook((turn) => ({ description: `Webhook ${turn}`, status: "enabled" }))
  },
  "DELETE /v1/webhooks/{id}": { tenancy: "refused", send: ofWebhook() },
  "POST /v1/webhooks/{id}/secret/rotate": { tenancy: "refused", send: ofWebhook() },
  "GET /v1/webhooks/{id}/deliveries": { tenancy: "refused", send: ofWebhook() },
  "POST /v1/webhooks/{id}/retry": {
    tenancy: "refused",
    send: ofWebhook((turn) => ({ since: new Date(turn * 1_000).toISOString() }))
  },
  "GET /v1/webhooks/deliveries/{id}": { tenancy: "refused", send: ofDelivery({ status: "failed" }) },
  "POST /v1/webhooks/deliveries/{id}/retry": { tenancy: "refused", send: ofDelivery({ status: "failed" }) }
}
