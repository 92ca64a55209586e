import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { PASSWORD } from "./OperationFixture.ts"
import { usd } from "./OpenedArena.ts"
import { SubscriptionMarket } from "./SubscriptionMarket.ts"
import type { TestServer } from "./TestServer.ts"
import { transferBody } from "./MoneyFixture.ts"

/** What a person types, wherever the journal takes it, none of it twice. */
export const TEXTS = {
  transfer: "rent of zelda-typed-transfer",
  transferKey: "zelda-typed-transfer-key",
  transferValue: "zelda-typed-transfer-value",
  orderKey: "zelda-typed-order-key",
  orderValue: "zelda-typed-order-value",
  cancellation: "zelda-typed-cancellation\nof two lines",
  paymentKey: "zelda-typed-payment-key",
  paymentValue: "zelda-typed-payment-value",
  subscriptionKey: "zelda-typed-subscription-key",
  subscriptionValue: "zelda-typed-subscription-value",
  hook: "https://zelda-typed-hook.example/in",
  hookChanged: "https://zelda-typed-other-hook.example/in",
  hookText: "zelda-typed-hook-text",
  hookKey: "zelda-typed-hook-key",
  hookValue: "zelda-typed-hook-value",
  hookAdded: "zelda-typed-hook-added",
  bot: "zelda-typed-first-bot",
  botRenamed: "zelda-typed-other-bot",
  purpose: "zelda-typed-purpose",
  desc: "zelda-typed-desc \u{1F98A}"
} as const

/** Which of the texts a text has. Line breaks are written as JSON writes them there. */
export const textsIn = (text: string): ReadonlyArray<string> =>
  Object.entries(TEXTS).flatMap(([name, value]) =>
    text.includes(value) || text.includes(JSON.stringify(value).slice(1, -1)) ? [name] : []
  )

interface Made {
  readonly id: string
}

/** What somebody who typed all of {@link TEXTS} left, and owes nothing any more. */
export const typedTexts = Effect.fnUntraced(function* (server: TestServer) {
  const admin = yield* server.admin
  const body = { email: "typing@example.com", password: PASSWORD, company_name: "Typing" }
  const { json: user } = yield* server.post<Made>("/api/v1/auth/register", body)
  const { productId, seller } = yield* SubscriptionMarket.make(server, 0)
  const sql = server.service(SqlClient)
  const [row] = yield* server.run(sql<{ readonly company: string }>`
    UPDATE users SET wallet_address = ${`0x${"e".repeat(40)}`} WHERE id = ${user.id} RETURNING company_id AS company`)
  const companyId = row?.company ?? ""
  const as = (key: string) => ({ as: user.id, key })
  const told = { events: ["order.created", "order.cancelled"], url: "https://seller.example/in" }
  yield* server.post("/v1/webhooks", told, { as: seller.id })
  yield* server.request("PUT", `/v1/companies/${companyId}/plan`, { plan: "pro" }, { as: admin })
  yield* server.mint(user.id, usd(50n))
  const facts = { country: "BE", fullnames: "T", address: "A", phoneNumber: "+32470123456", email: "t@example.com" }
  const { json: kyc } = yield* server.post<Made>("/v1/kyc", { ...facts, identityId: "BE-1" }, { as: user.id })
  yield* server.request("PUT", `/v1/kyc/${kyc.id}/verify`, undefined, { as: admin })

  const metadata = { [TEXTS.transferKey]: TEXTS.transferValue }
  const sending = transferBody(user.id, seller.id, "1", { id: "typed", description: TEXTS.transfer, metadata })
  yield* server.post("/v1/transfers", sending, as("typed-1"))
  const order = (pieces: number) => ({
    company_id: companyId,
    items: [{ product_id: productId, quantity: pieces }],
    payment_terms: { type: "prepaid" },
    metadata: { [TEXTS.orderKey]: TEXTS.orderValue }
  })
  const { json: first } = yield* server.post<Made>("/v1/orders", order(1), as("typed-2"))
  yield* server.post(`/v1/orders/${first.id}/cancel`, { reason: TEXTS.cancellation }, as("typed-3"))
  const { json: second } = yield* server.post<Made>("/v1/orders", order(2), as("typed-4"))
  const paying = { order_id: second.id, provider: "wallet", metadata: { [TEXTS.paymentKey]: TEXTS.paymentValue } }
  const { json: payment } = yield* server.post<Made>("/v1/payments", paying, as("typed-5"))
  yield* server.post(`/v1/orders/${second.id}/fulfil`, undefined, { as: seller.id })
  const { json: subscription } = yield* server.post<Made>(
    "/v1/subscriptions",
    {
      company_id: companyId,
      product_id: productId,
      quantity: 10,
      interval: "week",
      metadata: { [TEXTS.subscriptionKey]: TEXTS.subscriptionValue }
    },
    as("typed-6")
  )
  yield* server.post(`/v1/subscriptions/${subscription.id}/cancel`, {}, as("typed-7"))
  const { json: webhook } = yield* server.post<Made>(
    "/v1/webhooks",
    { url: TEXTS.hook, events: ["*"], description: TEXTS.hookText, metadata: { [TEXTS.hookKey]: TEXTS.hookValue } },
    { as: user.id }
  )
  const changed = { url: TEXTS.hookChanged, metadata: { more: TEXTS.hookAdded } }
  yield* server.request("PATCH", `/v1/webhooks/${webhook.id}`, changed, { as: user.id })
  const strategy = { riskPreset: "balanced", maxCollateralPerTrade: 50 }
  const bots = "/api/arena/machine-traders"
  const wanted = { name: TEXTS.bot, capabilities: ["fx"], strategy }
  const { json: made } = yield* server.post<{ readonly bot: { readonly bot_id: string } }>(bots, wanted, as("typed-8"))
  const bot = made.bot.bot_id
  yield* server.request("PATCH", `${bots}/${bot}`, { name: TEXTS.botRenamed }, { as: user.id })
  yield* server.post(`${bots}/${bot}/terminate`, undefined, { as: user.id })
  const asked = { annualIncome: 50_000, homeOwnership: true, empLength: "9", loanAmt: 1_000 }
  yield* server.post("/v1/credit/request", { ...asked, purpose: TEXTS.purpose, desc: TEXTS.desc }, as("typed-9"))
  // What is left of 50 dollars: 1 was sent, 5 were paid, and a period took 25.
  yield* server.post("/v1/transfers", transferBody(user.id, seller.id, "19"), { as: user.id })
  return {
    admin,
    userId: user.id,
    companyId,
    seller: seller.id,
    bot,
    orders: [first.id, second.id] as const,
    payment: payment.id,
    subscription: subscription.id,
    webhook: webhook.id
  }
})
