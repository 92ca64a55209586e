import { Effect, Result } from "effect"
import type { Scope } from "effect"
import { readEvent } from "../../engine/replay/EventCodec.ts"
import type { StoredEvent } from "../../engine/replay/StoredEvent.ts"
import { render } from "../../engine/webhooks/WebhookRendering.ts"
import { UnitOfWork } from "../../src/database/UnitOfWork.ts"
import { CompanyOutboxRepository } from "../../src/identity/companies/CompanyOutboxRepository.ts"
import { OutboxReader } from "../../src/webhooks/OutboxReader.ts"
import { type Answer, post } from "./Requests.ts"
import { kycFacts } from "./rows/KycRows.ts"
import { Browser } from "./Browser.ts"
import { PaymentFixture } from "./PaymentFixture.ts"
import { SHOP_CLIENT, shopServer } from "./ShopServer.ts"
import { SubscriptionMarket } from "./SubscriptionMarket.ts"
import type { TestServer } from "./TestServer.ts"
import { webhookReceiver, type WebhookReceiver } from "./WebhookReceiver.ts"

const SHOP = "acme.myshopify.com"
const OWNER = { id: 1, email: "owner@shop.example", email_verified: true, account_owner: true } as const

/** What an endpoint is told, and the event in the journal behind it. */
export interface Heard {
  readonly type: string
  readonly recorded: string
  readonly body: string
  readonly companyId: string
  readonly eventId: string
  readonly webhookId: string
}

/** A person who has signed up. */
interface Person {
  readonly id: string
  readonly companyId: string
}

/** Companies that do everything that is told of, each with an endpoint that asks for everything. */
export class EmissionFixture {
  readonly payments: PaymentFixture
  readonly goods: SubscriptionMarket
  readonly receiver: WebhookReceiver
  #people = 0

  private constructor(payments: PaymentFixture, goods: SubscriptionMarket, receiver: WebhookReceiver) {
    this.payments = payments
    this.goods = goods
    this.receiver = receiver
  }

  static readonly make: Effect.Effect<EmissionFixture, never, Scope.Scope> = Effect.gen(function* () {
    const receiver = yield* webhookReceiver()
    const shop = yield* shopServer(SHOP, OWNER)
    const payments = yield* PaymentFixture.make({
      WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
      ECOMMERCE_CLIENT_ID: SHOP_CLIENT.id,
      ECOMMERCE_CLIENT_SECRET: SHOP_CLIENT.secret,
      ECOMMERCE_SHOP_URL: shop.url
    })
    const goods = yield* SubscriptionMarket.make(payments.market.server)
    const fixture = new EmissionFixture(payments, goods, receiver)
    for (const { id } of [payments.buyer, payments.ada, payments.bob, goods.buyer, goods.seller])
      yield* fixture.hook(id)
    return fixture
  })

  get server(): TestServer {
    return this.payments.market.server
  }

  /** An endpoint of a user's company that asks for everything: its id. */
  hook(userId: string): Effect.Effect<string> {
    const body = { url: `${this.receiver.url}/${userId}`, events: ["*"] }
    return Effect.map(
      this.server.post<{ readonly id: string }>("/v1/webhooks", body, { as: userId }),
      ({ json }) => json.id
    )
  }

  put(path: string, as: string, body?: unknown): Effect.Effect<Answer> {
    return this.server.request("PUT", path, body, { as })
  }

  /** What somebody who signs up sends. */
  get newcomer() {
    this.#people += 1
    return { email: `newcomer${this.#people}@example.com`, password: "correct horse battery" }
  }

  /** Somebody who signed up, has an endpoint, and has sent documents: the person and the documents' id. */
  get applicant(): Effect.Effect<Person & { readonly kycId: string }> {
    return Effect.gen({ self: this }, function* () {
      const { email, password } = this.newcomer
      const { json } = yield* this.server.post<{ readonly user: Person; readonly id: string }>(
        "/api/v1/auth/register",
        { email, password, company_name: "Newcomer" }
      )
      const [row] = yield* this.payments.market.sql<{ readonly id: string; readonly company_id: string }>(
        `SELECT id, company_id FROM users WHERE email = '${email}'`
      )
      if (row === undefined) throw new Error(`nobody registered: ${JSON.stringify(json)}`)
      yield* this.hook(row.id)
      const documents = { ...kycFacts, email, identityId: `ID-${row.id}` }
      const kyc = yield* this.server.post<{ readonly id: string }>("/v1/kyc", documents, { as: row.id })
      return { id: row.id, companyId: row.company_id, kycId: kyc.json.id }
    })
  }

  /** Signs up at the sandbox's identity provider. */
  get google(): Effect.Effect<Answer> {
    const browser = new Browser()
    const { email } = this.newcomer
    return Effect.gen({ self: this }, function* () {
      const page = yield* browser.follow(`${this.server.url}/auth/google`)
      const back = yield* browser.submit(page, { email, name: "" }, (to) => to.pathname === "/auth/google/callback")
      const body = Object.fromEntries(back.url.searchParams)
      return yield* browser.ask(`${this.server.url}/api/v1/auth/google/callback`, post(body))
    })
  }

  /** Signs up by a shop. */
  get shop(): Effect.Effect<Answer> {
    const browser = new Browser()
    return Effect.gen({ self: this }, function* () {
      const page = "/auth/ecommerce/callback"
      const visit = yield* browser.follow(
        `${this.server.url}/auth/ecommerce?shop=${SHOP}`,
        ({ pathname }) => pathname === page
      )
      const { code = "" } = Object.fromEntries(visit.url.searchParams)
      return yield* browser.ask(`${this.server.url}/api/v1/auth/ecommerce/callback`, post({ shop: SHOP, code }))
    })
  }

  /** What is told because of an act: as the endpoints' deliveries have it, and what nobody can hear yet. */
  told(act: Effect.Effect<unknown>): Effect.Effect<{
    readonly heard: ReadonlyArray<Heard>
    readonly unheard: ReadonlyArray<string>
  }> {
    return Effect.gen({ self: this }, function* () {
      yield* this.#settled
      const before = yield* this.#lastSeq
      yield* act
      yield* this.#settled
      const heard = yield* this.payments.market.sql<Heard>(`
        SELECT told.type, recorded.type AS recorded, told.body, told.company_id AS "companyId", told.id AS "eventId",
          delivery.webhook_id AS "webhookId"
        FROM webhook_deliveries AS delivery JOIN webhook_events AS told ON told.id = delivery.event_id
          JOIN events AS recorded ON recorded.seq = told.seq
        WHERE told.seq > ${before} ORDER BY told.seq, told.id, delivery.webhook_id`)
      const stored = yield* this.payments.market.sql<StoredEvent>(`
        SELECT seq::int, stream, version, type, data, encode(hash, 'hex') AS hash FROM events
        WHERE seq > ${before} AND type = 'CompanyRegistered'`)
      return { heard, unheard: stored.flatMap(renderedAlone) }
    })
  }

  get #lastSeq(): Effect.Effect<number> {
    const rows = this.payments.market.sql<{ readonly seq: number }>("SELECT max(seq)::int AS seq FROM events")
    return Effect.map(rows, ([row]) => row?.seq ?? 0)
  }

  /** Nothing is left to be recorded, nor to be told. */
  get #settled(): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      const { unrecorded } = this.server.service(CompanyOutboxRepository)
      yield* Effect.repeat(unrecorded, { while: (left) => left.length > 0 })
      const durable = yield* this.#lastSeq
      yield* Effect.repeat(this.server.service(UnitOfWork).lastSeq, { while: (told) => told < durable })
      yield* this.server.service(OutboxReader).catchUp
    }).pipe(Effect.orDie)
  }
}

/** What is told of an event whose company has no endpoint yet. */
const renderedAlone = (stored: StoredEvent): ReadonlyArray<string> => {
  const { event } = Result.getOrThrow(readEvent(stored))
  const rendering = render({ event, hash: stored.hash })
  return rendering._tag === "Rendered" ? rendering.messages.map(({ type }) => `${type} ${stored.type}`) : []
}
