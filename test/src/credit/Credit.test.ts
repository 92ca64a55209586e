import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { DueInstalments } from "../../../src/commerce/DueInstalments.ts"
import { Credit } from "../../../src/credit/Credit.ts"
import { REQUEST } from "../../lib/CreditArbitraries.ts"
import { repay, use } from "../../lib/CreditUse.ts"
import { itLive, withLayer } from "../../lib/Effects.ts"
import { PASSWORD } from "../../lib/OperationFixture.ts"
import { PaymentFixture } from "../../lib/PaymentFixture.ts"
import { TestServer } from "../../lib/TestServer.ts"
import { accountOf } from "../../lib/TestFunds.ts"

class Server extends Context.Service<Server, TestServer>()("test/Server") {}

const it = withLayer(Layer.effect(Server, TestServer.make()))

const POOR = { ...REQUEST, annualIncome: 9_000, homeOwnership: false }

const profileOf = (userId: string) =>
  Effect.flatMap(Server, (server) =>
    server.get<{ limit: number; available: number; used: number }>(`/v1/credit/profile/${userId}`, userId)
  )

const request = (userId: string, body: object = REQUEST) =>
  Effect.flatMap(Server, (server) => server.post("/v1/credit/request", body, { as: userId }))

const balanceOf = (userId: string) =>
  Effect.gen(function* () {
    const server = yield* Server
    const { balance } = yield* server.run(accountOf(`${userId}/USD-CREDIT/credit_limit`))
    return Number(balance / 1_000_000n)
  })

/** A user of a company that it may add users to. */
const founder = (email: string) =>
  Effect.gen(function* () {
    const server = yield* Server
    const body = { email, password: PASSWORD, company_name: email }
    const { json } = yield* server.post<{ readonly id: string }>("/api/v1/auth/register", body)
    return json.id
  })

const colleagueOf = (userId: string, email: string) =>
  Effect.gen(function* () {
    const server = yield* Server
    const person = {
      email,
      password: PASSWORD,
      cellphone: "+32 1",
      firstname: "A",
      lastname: "B",
      country: "BE",
      address: "1 High Street"
    }
    const { json } = yield* server.post<{ readonly id: string }>("/v1/users", person, { as: userId })
    return json.id
  })

describe("A lowered limit", () => {
  it("shrinks as what is used is repaid, before the next order and by itself", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { id } = yield* server.user()
      const credit = server.service(Credit)
      yield* request(id)
      expect(yield* use(server, id, 5_000, "one")).toBe(true)
      expect(yield* use(server, id, 3_000, "two")).toBe(true)
      expect((yield* request(id, POOR)).json).toMatchObject({ limit: 0, available: 0, used: 8_000 })
      expect(yield* balanceOf(id)).toBe(8_000)
      yield* repay(server, "one")
      expect((yield* profileOf(id)).json).toMatchObject({ limit: 0, available: 0, used: 3_000 })
      yield* server.run(credit.prepare(id))
      expect(yield* balanceOf(id)).toBe(3_000)
      expect(yield* use(server, id, 1, "three")).toBe(false)
      yield* repay(server, "two")
      expect(yield* server.run(credit.trim)).toBeGreaterThan(0)
      expect(yield* balanceOf(id)).toBe(0)
      expect(yield* server.run(credit.trim)).toBe(0)
      yield* server.run(credit.prepare(id))
    }))
})

describe("An attack on the limit", () => {
  it("by using it and asking again for a fresh one gains nothing", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { id } = yield* server.user()
      yield* request(id)
      expect(yield* use(server, id, 9_000, "all")).toBe(true)
      expect((yield* request(id)).json).toMatchObject({ limit: 9_000, available: 0, used: 9_000 })
      expect(yield* use(server, id, 1, "more")).toBe(false)
    }))

  it("by a second user of the company gains nothing", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const id = yield* founder("founder@credit.example")
      const colleague = yield* colleagueOf(id, "colleague@credit.example")
      yield* request(id)
      expect((yield* request(colleague)).json).toMatchObject({ limit: 0, assessedLimit: 9_000, available: 0 })
      expect((yield* server.get(`/v1/credit/profile/${id}`, colleague)).status).toBe(403)
    }))

  it("by users of the company who ask at once gains nothing", () =>
    Effect.gen(function* () {
      const id = yield* founder("racing@credit.example")
      const others = yield* Effect.forEach([1, 2, 3], (each) => colleagueOf(id, `racing${each}@credit.example`))
      const users = [id, ...others]
      const answers = yield* Effect.forEach([...users, ...users], (each) => request(each), {
        concurrency: "unbounded"
      })
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
      const balances = yield* Effect.forEach(users, balanceOf)
      expect(balances.reduce((sum, each) => sum + each, 0)).toBe(9_000)
    }))

  it("by orders that race with a lowered limit leaves no more owed than there was", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { id } = yield* server.user()
      yield* request(id)
      const uses = Array.from({ length: 10 }, (_, index) => use(server, id, 1_000, `race-${index}`))
      const [lowered, taken] = yield* Effect.all(
        [request(id, { ...REQUEST, loanAmt: 2_000 }), Effect.all(uses, { concurrency: "unbounded" })],
        { concurrency: "unbounded" }
      )
      expect(lowered.status).toBe(200)
      yield* server.run(server.service(Credit).trim)
      const used = 1_000 * taken.filter((one) => one).length
      expect(yield* balanceOf(id)).toBe(Math.max(2_000, used))
      expect(used).toBeLessThanOrEqual(9_000)
    }))
})

describe("What is overdue", () => {
  itLive("freezes until it is paid, by whatever means, or cancelled by either side, and no refund freezes anew", () =>
    Effect.gen(function* () {
      const payments = yield* PaymentFixture.make()
      const { ada, buyer, market } = payments
      const { server } = market
      const { look } = server.service(DueInstalments)
      const terms = { type: "net_30" }
      const isFrozen = Effect.map(server.run(server.service(Credit).arrears(buyer.companyId)), ({ owed }) => owed > 0n)
      const overdue = Effect.gen(function* () {
        const order = yield* payments.order(terms)
        server.world.pass(31 * 86_400_000)
        yield* server.run(look)
        expect([(yield* payments.order(terms)) as object, yield* isFrozen]).toEqual([
          expect.objectContaining({ code: "credit_frozen" }),
          true
        ])
        return order
      })

      const first = yield* overdue
      yield* payments.card(first.id, "4000000000000002")
      yield* payments.work()
      expect(yield* isFrozen).toBe(true)
      const { json: held } = yield* payments.card(first.id, "4242424242424242", { capture: "manual" })
      yield* payments.work()
      expect(yield* isFrozen).toBe(true)
      yield* payments.act(held.id, "capture")
      yield* payments.work()
      expect(yield* isFrozen).toBe(false)
      yield* market.act(first, "fulfil", ada)
      expect((yield* payments.refund(held.id, 10, ada)).status).toBe(200)
      yield* payments.work()
      expect([yield* isFrozen, yield* server.run(look)]).toEqual([false, 0])

      const lost = yield* overdue
      const { json: disputed } = yield* payments.card(lost.id, "4000000000000259")
      for (let minutes = 0; minutes < 5; minutes++) yield* payments.work(61_000)
      expect([(yield* payments.get(disputed.id)).json.dispute, yield* isFrozen]).toEqual(["lost", false])

      for (const by of [buyer, ada]) {
        yield* market.act(yield* overdue, "cancel", by)
        expect(yield* isFrozen).toBe(false)
      }
      expect(yield* market.faults).toEqual([])
    })
  )
})
