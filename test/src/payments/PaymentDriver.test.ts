import { afterAll, beforeAll, describe, expect, it } from "bun:test"
import { Effect, Exit, Fiber, Scope } from "effect"
import fc from "fast-check"
import { Payments } from "../../../src/payments/Payments.ts"
import { PaymentFixture, type PaymentJson, TOTAL } from "../../lib/PaymentFixture.ts"
import { property } from "../../lib/Property.ts"
import { quiet } from "../../lib/Quiet.ts"
import { type StripeServer, stripeServer, type Trouble } from "../../lib/StripeServer.ts"

let stripe: StripeServer
let fixture: PaymentFixture
const scope = Effect.runSync(Scope.make())
const run = <A>(effect: Effect.Effect<A>): Promise<A> => Effect.runPromise(Effect.provide(effect, quiet))

beforeAll(() =>
  run(
    Effect.gen(function* () {
      stripe = yield* Scope.provide(stripeServer, scope)
      const variables = { STRIPE_SECRET_KEY: "sk_test_stand_in", STRIPE_API_BASE: stripe.url.origin }
      fixture = yield* Scope.provide(PaymentFixture.make(variables), scope)
    })
  )
)
afterAll(() => run(Scope.close(scope, Exit.void)))

const tests = (name: string, body: () => Effect.Effect<void>) => it(name, () => run(Effect.suspend(body)))

const CARD = { provider: "stripe", instrument: "pm_card_visa" }
const HOUR = 3_600_000

/** Until every payment is at rest, whatever waits. */
const settle = Effect.gen(function* () {
  stripe.trouble.length = 0
  for (let round = 0; round < 3; round++) yield* fixture.work(HOUR)
})

const intentOf = (paymentId: string) => [...stripe.intents.values()].filter((intent) => intent.paymentId === paymentId)

/** What Stripe charged and gave back is what the payment says, and nothing is left between them and the sellers. */
const agrees = (paymentId: string) =>
  Effect.gen(function* () {
    const { captured, refunded } = (yield* fixture.get(paymentId)).json
    const intents = intentOf(paymentId)
    expect(intents.length).toBeLessThanOrEqual(1)
    const [intent] = intents
    expect(intent?.status === "succeeded" ? intent.amount / 100 : 0).toBe(captured)
    expect((stripe.refunds.get(intent?.id ?? "") ?? 0) / 100).toBe(refunded)
    expect(yield* fixture.kept(paymentId)).toBe(0n)
    expect(intent?.status).not.toBe("requires_capture")
  })

const trouble = fc.constantFrom<Trouble | undefined>("breaks", "breaks after", "limits", undefined)
const act = fc.record({
  act: fc.constantFrom("work" as const, "cancel" as const, "pay" as const, "capture" as const, "refund" as const),
  troubles: fc.array(trouble, { maxLength: 3 }),
  /** When whoever asks is killed, in milliseconds; never for 0. */
  killedAfter: fc.constantFrom(0, 0, 1, 3, 6)
})
const play = fc.record({
  capture: fc.constantFrom("automatic" as const, "manual" as const),
  first: act,
  later: fc.array(act, { maxLength: 5 })
})

/** Runs an effect as a process that may be killed in the middle of it. */
const killable = <A>(effect: Effect.Effect<A>, millis: number): Effect.Effect<void> =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(Effect.exit(effect))
    if (millis > 0) {
      yield* Effect.sleep(millis)
      yield* Fiber.interrupt(fiber)
    }
    yield* Fiber.await(fiber)
  })

const begin = (orderId: string, capture: "automatic" | "manual", key: string) => {
  const { companyId, id: userId } = fixture.buyer
  const request = { orderId, ...CARD, provider: "stripe", extent: "all", capture } as const
  return fixture.market.server.run(
    Effect.flatMap(Payments, ({ create }) => create({ userId, companyId }, request, key))
  )
}

let plays = 0

const once = ({ capture, first, later }: typeof play extends fc.Arbitrary<infer P> ? P : never) =>
  Effect.gen(function* () {
    const order = yield* fixture.order()
    const key = `play-${plays++}`
    stripe.trouble.push(...first.troubles.filter((one) => one !== undefined))
    yield* killable(begin(order.id, capture, key), first.killedAfter)
    const { paymentId } = yield* begin(order.id, capture, key)
    for (const { act: name, killedAfter, troubles } of later) {
      stripe.trouble.push(...troubles.filter((one) => one !== undefined))
      if (name === "work") yield* killable(fixture.work(HOUR), killedAfter)
      else if (name === "capture") yield* killable(fixture.act(paymentId, "capture"), killedAfter)
      else if (name === "refund") {
        yield* fixture.market.act(order, "fulfil", fixture.ada)
        yield* killable(fixture.refund(paymentId, 10, fixture.ada), killedAfter)
      } else yield* fixture.market.act(order, name, fixture.buyer)
    }
    yield* settle
    const { status } = (yield* fixture.get(paymentId)).json
    if (status === "authorized") yield* fixture.act(paymentId, "void")
    yield* agrees(paymentId)
  })

describe("payments through a provider that fails, by a process that is killed", () => {
  it("are charged once, and end where provider and ledger agree", () =>
    fc.assert(
      fc.asyncProperty(play, (given) => run(once(given))),
      property(20)
    ))

  tests("go on after a restart", () =>
    Effect.gen(function* () {
      const order = yield* fixture.order()
      stripe.trouble.push("breaks after")
      const { json } = yield* fixture.pay(order.id, CARD)
      expect(json.status).toBe("processing")
      yield* fixture.market.server.restart()
      yield* fixture.work(HOUR)
      expect((yield* fixture.get(json.id)).json).toMatchObject({ status: "captured", applied: TOTAL })
      yield* agrees(json.id)
    })
  )

  tests("wait ever longer while no answer comes", () =>
    Effect.gen(function* () {
      const order = yield* fixture.order()
      stripe.trouble.push(...Array.from({ length: 40 }, () => "breaks" as const))
      const { json } = yield* fixture.pay(order.id, CARD)
      const asked: Array<number> = []
      for (let second = 0; second < 20; second++) {
        const before = stripe.requests.length
        yield* fixture.work(1_000)
        if (stripe.requests.length > before) asked.push(second + 1)
      }
      expect(asked).toEqual([1, 3, 7, 15])
      yield* settle
      expect((yield* fixture.get(json.id)).json.status).toBe("captured")
    })
  )

  tests("go back when the order is cancelled while the card is charged, and none gains by it", () =>
    Effect.gen(function* () {
      const payments: Array<PaymentJson> = []
      for (let race = 0; race < 5; race++) {
        const order = yield* fixture.order()
        const [paid] = yield* Effect.all(
          [fixture.pay(order.id, CARD), fixture.market.act(order, "cancel", fixture.buyer)],
          {
            concurrency: "unbounded"
          }
        )
        if (paid.status === 200) payments.push(paid.json)
      }
      yield* settle
      for (const { id } of payments) {
        const { json } = yield* fixture.get(id)
        expect(["voided", "refunded"]).toContain(json.status)
        yield* agrees(id)
      }
    })
  )

  tests("pay an order once, however many are made at once", () =>
    Effect.gen(function* () {
      const order = yield* fixture.order()
      const answers = yield* Effect.all(
        Array.from({ length: 8 }, (_, index) => fixture.pay(order.id, index % 2 === 0 ? CARD : { provider: "wallet" })),
        { concurrency: "unbounded" }
      )
      yield* settle
      const made = answers.filter(({ status }) => status === 200)
      const ends = yield* Effect.forEach(made, ({ json }) => Effect.map(fixture.get(json.id), (got) => got.json))
      expect(ends.filter(({ applied }) => applied > 0)).toHaveLength(1)
      for (const { id, provider } of ends) {
        if (provider === "stripe") yield* agrees(id)
        else expect(yield* fixture.kept(id)).toBe(0n)
      }
    })
  )

  tests("leave a ledger that adds up, and rows that follow from their events", () =>
    Effect.gen(function* () {
      expect(yield* fixture.market.faults).toEqual([])
    })
  )
})
