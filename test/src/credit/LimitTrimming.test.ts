import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"
import fc from "fast-check"
import { REQUEST } from "../../lib/CreditArbitraries.ts"
import { withLayer } from "../../lib/Effects.ts"
import { runs } from "../../lib/Property.ts"
import { NO_FINDINGS, replayFindings } from "../../lib/RecordedState.ts"
import { accountOf } from "../../lib/TestFunds.ts"
import { offerGoods } from "../../lib/TestGoods.ts"
import { TestServer } from "../../lib/TestServer.ts"

class Server extends Context.Service<Server, TestServer>()("test/Server") {}

const it = withLayer(Layer.effect(Server, TestServer.make()))

const POOR = { ...REQUEST, annualIncome: 9_000, homeOwnership: false }

/** Looks at an account, which nothing but what goes on by itself changes meanwhile. */
const LOOKS = 500

const anyWhich = { which: fc.nat(4) }
const anyAct = fc.oneof(
  fc.record({ act: fc.constant("request" as const), loan: fc.constantFrom(1, 2_000, 9_000), home: fc.boolean() }),
  fc.record({
    act: fc.constant("order" as const),
    pieces: fc.integer({ min: 1, max: 2_000 }),
    type: fc.constantFrom("prepaid", "net_30", "net_60", "installments")
  }),
  fc.record({ act: fc.constant("pay" as const), ...anyWhich, extent: fc.constantFrom("next", "all") }),
  fc.record({ act: fc.constant("cancel" as const), ...anyWhich })
)

const market = Effect.gen(function* () {
  const server = yield* Server
  const [buyer, seller] = [yield* server.user(), yield* server.user()]
  const productId = yield* offerGoods(server, { userId: seller.id, companyId: seller.companyId }, 10_000)
  yield* server.mint(buyer.id, fromUnits(10_000n * ONE))
  const order = (pieces: number, type = "net_30") =>
    server.post<{ readonly id: string; readonly message: string }>(
      "/v1/orders",
      {
        company_id: buyer.companyId,
        items: [{ product_id: productId, quantity: pieces }],
        payment_terms: type === "installments" ? { type, installments: 2 } : { type }
      },
      { as: buyer.id }
    )
  const request = (body: object) => server.post("/v1/credit/request", body, { as: buyer.id })
  const profile = Effect.map(
    server.get<{ readonly available: number; readonly used: number }>(`/v1/credit/profile/${buyer.id}`, buyer.id),
    ({ json: { available, used } }) => ({ available, used })
  )
  /** What of all orders on credit is unpaid. */
  const owed = Effect.map(
    server.get<ReadonlyArray<{ readonly amount_due: number; readonly payment_terms: { readonly type: string } }>>(
      "/v1/orders?limit=100",
      buyer.id
    ),
    ({ json }) =>
      json.reduce(
        (sum, one) => sum + (one.payment_terms.type === "prepaid" ? 0 : Math.round(one.amount_due * 100)),
        0
      ) / 100
  )
  const posted = Effect.map(server.run(accountOf(`${buyer.id}/USD-CREDIT/credit_limit`)), ({ balance }) =>
    Number(balance / ONE)
  )
  const pay = (id: string, instalments = "all") =>
    server.post(`/v1/orders/${id}/pay`, { instalments }, { as: buyer.id })
  const cancel = (id: string) => server.post(`/v1/orders/${id}/cancel`, {}, { as: buyer.id })
  return { server, order, request, profile, owed, posted, pay, cancel }
})

/** Waits until an account holds so much. */
const settled = (posted: Effect.Effect<number>, dollars: number) =>
  posted.pipe(Effect.repeat({ until: (now) => now === dollars, times: LOOKS }))

describe("The limit that orders use", () => {
  it("is used by orders on credit, and freed as they are paid or cancelled", () =>
    Effect.gen(function* () {
      const { cancel, order, pay, profile, request } = yield* market
      expect((yield* order(1)).status).toBe(422)
      yield* request(REQUEST)
      const first = yield* order(1_000)
      const second = yield* order(400, "installments")
      expect([first.status, second.status]).toEqual([200, 200])
      expect(yield* profile).toEqual({ available: 5_500, used: 3_500 })
      expect((yield* order(2_201)).json.message).toContain("5500 USD")
      yield* pay(second.json.id, "next")
      expect(yield* profile).toEqual({ available: 6_000, used: 3_000 })
      yield* cancel(first.json.id)
      expect(yield* profile).toEqual({ available: 8_500, used: 500 })
      yield* pay(second.json.id)
      expect(yield* profile).toEqual({ available: 9_000, used: 0 })
    }))

  it("shrinks by itself to a lowered limit as orders are paid, and takes no order meanwhile", () =>
    Effect.gen(function* () {
      const { order, pay, posted, profile, request } = yield* market
      yield* request(REQUEST)
      const [first, second] = [yield* order(1_000), yield* order(1_000)]
      yield* request(POOR)
      expect(yield* profile).toEqual({ available: 0, used: 5_000 })
      expect((yield* order(1)).status).toBe(422)
      yield* pay(first.json.id)
      expect((yield* order(1)).status).toBe(422)
      expect(yield* settled(posted, 2_500)).toBe(2_500)
      yield* pay(second.json.id)
      expect(yield* settled(posted, 0)).toBe(0)
      expect((yield* order(1)).status).toBe(422)
    }))

  it("is not fresh after another request: what is owed stays used", () =>
    Effect.gen(function* () {
      const { order, profile, request } = yield* market
      yield* request(REQUEST)
      yield* order(3_600)
      yield* request({ ...REQUEST, loanAmt: 9_000, desc: "again" })
      expect(yield* profile).toEqual({ available: 0, used: 9_000 })
      expect((yield* order(1)).status).toBe(422)
    }))

  it(
    "is used by the sum of what is unpaid, whatever happens, and never above the limit or what was owed",
    () =>
      Effect.gen(function* () {
        for (const acts of fc.sample(
          fc.array(anyAct, { minLength: 20, maxLength: 40, size: "max" }),
          Math.ceil(runs() / 50)
        )) {
          const { cancel, order, owed, pay, profile, request, server } = yield* market
          const made: Array<string> = []
          let ceiling = 0
          for (const one of acts) {
            const which = "which" in one ? made[one.which] : undefined
            if (one.act === "request") {
              server.world.pass(86_400_000)
              const { used } = yield* profile
              const { json } = yield* request({ ...REQUEST, loanAmt: one.loan, homeOwnership: one.home })
              ceiling = Math.max((json as { readonly limit: number }).limit, used ?? 0)
            }
            if (one.act === "order") {
              const { json, status } = yield* order(one.pieces, one.type)
              if (status === 200) made.push(json.id)
            }
            if (one.act === "pay" && which !== undefined) yield* pay(which, one.extent)
            if (one.act === "cancel" && which !== undefined) yield* cancel(which)
            if (ceiling === 0) continue
            const { used } = yield* profile
            expect(used).toBe(yield* owed)
            expect(used).toBeLessThanOrEqual(ceiling)
          }
        }
      }),
    60_000
  )

  it("leaves nothing behind that a replay does not derive", () =>
    Effect.gen(function* () {
      expect(yield* replayFindings(yield* Server)).toEqual(NO_FINDINGS)
    }))
})
