import { describe, expect } from "bun:test"
import { Context, Effect, Layer, Schema } from "effect"
import { WebhookBody } from "../../../engine/webhooks/WebhookBody.ts"
import { WEBHOOK_EVENTS } from "../../../engine/webhooks/WebhookEventTypes.ts"
import { WEBHOOK_EVENT_TYPES } from "../../../engine/webhooks/WebhookEventType.ts"
import { PersonalText } from "../../../src/identity/secrets/PersonalText.ts"
import { withLayer } from "../../lib/Effects.ts"
import { EmissionFixture, type Heard } from "../../lib/EmissionFixture.ts"
import { DRIVES, ITSELF } from "../../lib/Emissions.ts"

class Companies extends Context.Service<Companies, EmissionFixture>()("test/Companies") {}

const it = withLayer(Layer.effect(Companies, EmissionFixture.make))

const read = Schema.decodeUnknownSync(WebhookBody, { onExcessProperty: "error" })

const TEST = "POST /v1/webhooks/test"

/** The rows of the table, each as who makes it, the type, and the event behind it. */
const rows = WEBHOOK_EVENTS.flatMap(({ emissions, type }) =>
  emissions.flatMap(({ itself, operations, recorded }) =>
    [...operations, ...(itself === undefined ? [] : [ITSELF])].map((by) => `${by}: ${type} ${recorded}`)
  )
)

/** A body as it is sent: the tables have what is sealed in it. */
const opened = (body: string) =>
  Effect.flatMap(Companies, ({ server }) => server.run(Effect.flatMap(PersonalText, ({ openIn }) => openIn(body))))

/** What an endpoint's owner reads of a delivery. */
const deliveryOf = ({ eventId, webhookId }: Heard) =>
  Effect.gen(function* () {
    const { server, payments } = yield* Companies
    const owners = yield* payments.market.sql<{ readonly by: string }>(
      `SELECT created_by AS by FROM webhooks WHERE id = '${webhookId}'`
    )
    const as = owners[0]?.by
    const list = yield* server.get<ReadonlyArray<{ readonly id: string; readonly event_id: string }>>(
      `/v1/webhooks/${webhookId}/deliveries?limit=100`,
      as
    )
    const found = list.json.find((delivery) => delivery.event_id === eventId)
    const one = yield* server.get<{ readonly body: string; readonly event: string }>(
      `/v1/webhooks/deliveries/${found?.id ?? ""}`,
      as
    )
    return one.json
  })

describe("What operations tell companies", () => {
  it("is every row of the table, and nothing that it has not", () =>
    Effect.gen(function* () {
      const fixture = yield* Companies
      const seen = new Set<string>()
      for (const { by, prepare } of DRIVES) {
        const { heard, unheard } = yield* fixture.told(Effect.suspend(yield* prepare(fixture)))
        for (const one of heard) {
          const body = read(JSON.parse(yield* opened(one.body)))
          expect([body.id, body.type]).toEqual([one.eventId, one.type as typeof body.type])
        }
        const [first] = heard
        if (first !== undefined)
          expect(yield* deliveryOf(first)).toMatchObject({ body: yield* opened(first.body), event: first.type })
        for (const told of [...heard.map(({ recorded, type }) => `${type} ${recorded}`), ...unheard]) {
          seen.add(`${by}: ${told}`)
        }
      }
      expect([...seen].toSorted()).toEqual(rows.filter((row) => !row.startsWith(TEST)).toSorted())
      expect(yield* fixture.payments.market.faults).toEqual([])
    }))

  it("is posted as an example of every type to an endpoint that is tried out", () =>
    Effect.gen(function* () {
      const { payments, receiver, server } = yield* Companies
      for (const event of WEBHOOK_EVENT_TYPES) {
        const endpoint = `${receiver.url}/tried/${event}`
        const { json } = yield* server.post(TEST.slice(5), { endpoint, event }, { as: payments.buyer.id })
        expect(json).toMatchObject({ delivered: true, status: 200 })
        const received = receiver.received.find(({ path }) => path === `/tried/${event}`)
        expect(read(JSON.parse(received?.body ?? "{}")).type).toBe(event)
      }
    }))

  it("goes to the buyer, to each seller of its own part alone, and to whoever manages one of them", () =>
    Effect.gen(function* () {
      const fixture = yield* Companies
      const { ada, bob, buyer, market, products } = fixture.payments
      const managed = yield* fixture.server.post<{ readonly id: string }>(
        "/v1/companies",
        { name: "Customer" },
        { as: buyer.id }
      )
      const items = products.map(({ id }) => ({ product_id: id, quantity: 1 }))
      const order = { company_id: managed.json.id, items, payment_terms: { type: "prepaid" } }
      const { heard } = yield* fixture.told(fixture.server.post("/v1/orders", order, { as: buyer.id }))
      expect(heard.map(({ companyId }) => companyId).toSorted()).toEqual(
        [managed.json.id, ada.companyId, bob.companyId].toSorted()
      )
      const sellersOf = (companyId: string) => {
        const body = JSON.parse(heard.find((one) => one.companyId === companyId)?.body ?? "{}")
        return body.data.object.sellers.map((seller: { readonly company_id: string }) => seller.company_id)
      }
      expect(sellersOf(managed.json.id)).toEqual([ada.companyId, bob.companyId])
      expect(sellersOf(ada.companyId)).toEqual([ada.companyId])
      const owners = yield* market.sql<{ readonly by: string }>(
        `SELECT created_by AS by FROM webhooks WHERE id = '${heard.find((one) => one.companyId === managed.json.id)?.webhookId}'`
      )
      expect(owners).toEqual([{ by: buyer.id }])
    }))
})
