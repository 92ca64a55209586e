import { describe, expect } from "bun:test"
import { Effect, Redacted, Result } from "effect"
import { fromUnits } from "../../../engine/money/Amount.ts"
import type { PaymentProvider } from "../../../engine/payments/PaymentProvider.ts"
import { makeStripeProvider } from "../../../src/payments/StripeProvider.ts"
import { itLive } from "../../lib/Effects.ts"
import { type StripeServer, stripeServer, type Trouble } from "../../lib/StripeServer.ts"

const AMOUNT = fromUnits(60_020_000n)
const PATIENCE = 300

const setting = (url: URL, key = "sk_test_stand_in") => ({ secretKey: Redacted.make(key), apiBase: url })

const step = (name: string, reference: string | null = "pi_1") => ({
  key: `pay_1/${name}`,
  paymentId: "pay_1",
  reference,
  amount: AMOUNT
})

const authorization = (instrument = "pm_card_visa") => ({ ...step("authorize", null), instrument })

const tests = (name: string, body: (stripe: PaymentProvider, server: StripeServer) => Effect.Effect<void>) =>
  itLive(name, () =>
    Effect.gen(function* () {
      const server = yield* stripeServer
      yield* body(yield* makeStripeProvider(setting(server.url), PATIENCE), server)
    })
  )

const approved = (reference: string) => ({ _tag: "Approved", reference }) as const

describe("Stripe", () => {
  tests("authorizes, captures and refunds, each request under its key", (stripe, server) =>
    Effect.gen(function* () {
      expect(yield* stripe.authorize(authorization())).toEqual(approved("pi_1"))
      expect(yield* stripe.capture(step("capture"))).toEqual(approved("pi_1"))
      expect(yield* stripe.refund(step("refund/rfd_1"))).toEqual(approved("re_1"))
      expect(server.intents.get("pi_1")).toMatchObject({ amount: 6_002, status: "succeeded", paymentId: "pay_1" })
      expect(server.refunds.get("pi_1")).toBe(6_002)
      expect(server.requests).toEqual([
        "POST /v1/payment_intents pay_1/authorize",
        "POST /v1/payment_intents/pi_1/capture pay_1/capture",
        "POST /v1/refunds pay_1/refund/rfd_1"
      ])
    })
  )

  tests("lets go what it keeps, and says so when it let go already", (stripe, server) =>
    Effect.gen(function* () {
      yield* stripe.authorize(authorization())
      expect(yield* stripe.void(step("void"))).toEqual(approved("pi_1"))
      server.forget()
      expect(yield* stripe.void(step("void"))).toEqual(approved("pi_1"))
      expect(yield* stripe.capture(step("capture"))).toEqual({ _tag: "Declined", reason: "authorization_expired" })
    })
  )

  tests("tells why a card is declined", (stripe) =>
    Effect.gen(function* () {
      const declined = yield* stripe.authorize(authorization("pm_declined"))
      expect(declined).toEqual({ _tag: "Declined", reason: "insufficient_funds" })
    })
  )

  const troubles: ReadonlyArray<Trouble> = ["stalls", "stalls after", "breaks", "breaks after", "limits"]
  for (const trouble of troubles) {
    tests(`${trouble}: asked again under the same key it charges once`, (stripe, server) =>
      Effect.gen(function* () {
        for (const [kind, name] of [
          ["capture", "capture"],
          ["refund", "refund/rfd_1"]
        ] as const) {
          if (kind === "capture") {
            server.trouble.push(trouble)
            expect((yield* stripe.authorize(authorization()))._tag).toBe("Unknown")
            expect(yield* stripe.authorize(authorization())).toEqual(approved("pi_1"))
          }
          server.trouble.push(trouble)
          expect((yield* stripe[kind](step(name)))._tag).toBe("Unknown")
          expect((yield* stripe[kind](step(name)))._tag).toBe("Approved")
        }
        expect(server.intents.size).toBe(1)
        expect(server.refunds.get("pi_1")).toBe(6_002)
      })
    )
  }

  tests("finds what it did under a key that it has forgotten", (stripe, server) =>
    Effect.gen(function* () {
      expect(yield* stripe.find("authorize", step("authorize", null))).toBeUndefined()
      server.trouble.push("breaks after")
      yield* stripe.authorize(authorization())
      server.forget()
      expect(yield* stripe.find("authorize", step("authorize", null))).toEqual(approved("pi_1"))
      yield* stripe.capture(step("capture"))
      server.forget()
      expect(yield* stripe.capture(step("capture"))).toEqual(approved("pi_1"))
      expect(yield* stripe.find("refund", step("refund/rfd_1"))).toBeUndefined()
      server.trouble.push("breaks after")
      yield* stripe.refund(step("refund/rfd_1"))
      server.forget()
      expect(yield* stripe.find("refund", step("refund/rfd_1"))).toEqual(approved("re_1"))
    })
  )

  tests("tells of disputes, and gives nothing back meanwhile", (stripe, server) =>
    Effect.gen(function* () {
      yield* stripe.authorize(authorization())
      yield* stripe.capture(step("capture"))
      expect(yield* stripe.dispute("pi_1")).toBeUndefined()
      const states = ["needs_response", "won", "lost"].map((status) =>
        Effect.suspend(() => {
          server.disputes.set("pi_1", status)
          return stripe.dispute("pi_1")
        })
      )
      expect((yield* Effect.all(states)).map((dispute) => dispute?.state)).toEqual(["open", "won", "lost"])
      expect(yield* stripe.refund(step("refund/rfd_1"))).toEqual({ _tag: "Declined", reason: "disputed" })
    })
  )

  itLive("leaves open what became of a request with a wrong key, and shows no key", () =>
    Effect.gen(function* () {
      const server = yield* stripeServer
      const stripe = yield* makeStripeProvider(setting(server.url, "sk_test_wrong_secret"), PATIENCE)
      const outcome = yield* stripe.authorize(authorization())
      expect(outcome._tag).toBe("Unknown")
      expect(Bun.inspect(outcome)).not.toContain("wrong_secret")
    })
  )

  tests("takes payment methods, and no card's number", (stripe) =>
    Effect.sync(() => {
      expect(stripe.instrument("pm_1OabcDEF")).toEqual(Result.succeed("pm_1OabcDEF"))
      for (const other of [undefined, "tok_1", "4111 1111 1111 1111", "pm_"]) {
        const refused = stripe.instrument(other)
        expect(Result.isFailure(refused)).toBe(true)
        expect(Bun.inspect(refused)).not.toContain("4111")
      }
      expect(stripe.takes(fromUnits(10_000n))).toBe(true)
      expect(stripe.takes(fromUnits(10_001n))).toBe(false)
    })
  )
})
