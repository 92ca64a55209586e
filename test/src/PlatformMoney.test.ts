import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { withLayer } from "../lib/Effects.ts"
import { makeActors } from "../lib/platform/PlatformActors.ts"
import { checkRecords, platformServer, playPlatform } from "../lib/platform/PlatformMoney.ts"
import type { TestServer } from "../lib/TestServer.ts"

const SEQUENCES = 3
const LONGEST = 24

/** Every kind of move is taken in some sequence. */
const KINDS = "cancel card commit credit exchange fulfil mint order pay refund renew subscribe transfer withdraw".split(
  " "
)

/** Requests at the same time. */
const RACERS = 50

class TheServer extends Context.Service<TheServer, TestServer>()("test/PlatformMoney/Server") {}

const it = withLayer(Layer.effect(TheServer, platformServer))

const usdOf = (server: TestServer, userId: string) =>
  Effect.map(
    server.get<ReadonlyArray<{ readonly type: string; readonly available: string }>>("/v1/funds", userId),
    ({ json }) => json.find(({ type }) => type === "USD")?.available
  )

const accepted = (answers: ReadonlyArray<{ readonly status: number }>): number =>
  answers.filter(({ status }) => status === 200).length

describe("Money, goods and credit over all contexts", () => {
  it("are what they are on paper, whoever does what at once", () =>
    Effect.gen(function* () {
      const taken = yield* playPlatform(yield* TheServer, SEQUENCES, LONGEST)
      expect([...taken.keys()].toSorted()).toEqual(KINDS)
    }))

  it("are spent once, where a withdrawal, a transfer and a payment want the same money", () =>
    Effect.gen(function* () {
      const server = yield* TheServer
      const { members, products } = yield* makeActors(server)
      const [ada, bob] = [members.ada.userId, members.bob.userId]
      yield* server.post("/v1/funds", { owner: ada, type: "USD", symbol: "123.5" }, { as: ada })
      yield* server.request("PUT", `/v1/commerce/products/${products[1]}`, { price: 10 }, { as: bob })
      const orders = yield* Effect.forEach(Array.from({ length: 20 }), () =>
        server.post<{ readonly id: string }>(
          "/v1/orders",
          {
            company_id: members.ada.companyId,
            items: [{ product_id: products[1], quantity: 1 }],
            payment_terms: { type: "prepaid" }
          },
          { as: ada }
        )
      )
      const particulars = { country: "BE", description: "", createdDate: 1 }
      const requests = Array.from({ length: RACERS }, (_, index) => {
        const order = orders[index]?.json.id
        if (order !== undefined) return server.post(`/v1/orders/${order}/pay`, {}, { as: ada })
        if (index % 2 === 0) return server.post("/v1/withdraw", { quantity: "10" }, { as: ada })
        const body = { pair: "USD/USD", quantity: "10", from: ada, to: bob, ...particulars }
        return server.post("/v1/transfers", body, { as: ada })
      })
      const answers = yield* Effect.all(requests, { concurrency: "unbounded" })
      expect(accepted(answers)).toBe(12)
      expect(yield* usdOf(server, ada)).toBe("3.5")
    }))

  it("run out exactly: pieces of a product, and free credit", () =>
    Effect.gen(function* () {
      const server = yield* TheServer
      const { members, products } = yield* makeActors(server)
      const buy = (product: number, quantity: number, type: string, who: "ada" | "bob") =>
        server.post(
          "/v1/orders",
          {
            company_id: members[who].companyId,
            items: [{ product_id: products[product], quantity }],
            payment_terms: { type }
          },
          { as: members[who].userId }
        )
      const some = Array.from({ length: RACERS }, (_, index) => buy(2, 2, "prepaid", index % 2 === 0 ? "ada" : "bob"))
      expect(accepted(yield* Effect.all(some, { concurrency: "unbounded" }))).toBe(4)
      const { json } = yield* server.get<{ readonly quantity: string }>(
        `/v1/commerce/products/${products[2]}`,
        members.ada.userId
      )
      expect(json.quantity).toBe("1")
      const { json: profile } = yield* server.post<{ readonly limit: number }>(
        "/v1/credit/request",
        { annualIncome: 60_000, homeOwnership: true, empLength: "5", loanAmt: 9_000, purpose: "venture", desc: "" },
        { as: members.bob.userId }
      )
      yield* server.request(
        "PUT",
        `/v1/commerce/products/${products[0]}`,
        { price: Number((profile.limit / 7.5).toFixed(2)), quantity: "1000" },
        { as: members.ada.userId }
      )
      const onCredit = Array.from({ length: RACERS }, () => buy(0, 1, "net_30", "bob"))
      expect(accepted(yield* Effect.all(onCredit, { concurrency: "unbounded" }))).toBe(7)
      yield* checkRecords(server)
    }))
})
