import { Effect, Redacted, Result } from "effect"
import type { Stripe } from "stripe"
import { type Amount, fromUnits } from "../../engine/money/Amount.ts"
import type { PaymentSettings } from "../PaymentSettings.ts"
import { looksLikeCardNumber } from "./CardNumber.ts"
import {
  type Authorization,
  CENT,
  type ChargeStep,
  isWholeCents,
  type PaymentProvider,
  type ProviderDispute,
  type ProviderOutcome
} from "../../engine/payments/PaymentProvider.ts"
import * as Answer from "./StripeResponse.ts"

/** How long one request to Stripe may take, in milliseconds. What comes later is asked for again. */
export const REQUEST_MILLIS = 10_000

/** Most refunds of a charge that are looked through for one. */
const REFUNDS_PAGE = 100

const CURRENCY = "usd"

/** A payment method's id, which Stripe gives a browser in exchange for a card. */
const METHOD = /^pm_[A-Za-z0-9_]{1,60}$/

const centsOf = (amount: Amount): number => Number(amount / CENT)

const instrumentOf: PaymentProvider["instrument"] = (given) => {
  if (given !== undefined && METHOD.test(given)) return Result.succeed(given)
  const hint = given !== undefined && looksLikeCardNumber(given) ? ": never send the number of a card" : ""
  return Result.fail({ expected: `the id of a Stripe payment method, such as pm_…${hint}` })
}

const clientOf = (settings: NonNullable<PaymentSettings["stripe"]>, timeout: number): Effect.Effect<Stripe> =>
  Effect.map(
    Effect.promise(() => import("stripe")),
    ({ default: Client }) => {
      const { hostname, port, protocol } = settings.apiBase
      const isHttps = protocol === "https:"
      return new Client(Redacted.value(settings.secretKey), {
        host: hostname,
        port: port === "" ? (isHttps ? 443 : 80) : Number(port),
        protocol: isHttps ? "https" : "http",
        timeout,
        maxNetworkRetries: 0,
        telemetry: false
      })
    }
  )

/** A call whose answer, or whose failure, says what became of it. Nothing of a failure's text is passed on. */
const outcome = <A>(
  call: () => Promise<A>,
  read: (answer: A) => ProviderOutcome
): Effect.Effect<{ readonly outcome: ProviderOutcome; readonly code: string | undefined }> =>
  Effect.tryPromise({ try: call, catch: (failure) => ({ failure }) }).pipe(
    Effect.match({
      onSuccess: (answer) => ({ outcome: read(answer), code: undefined }),
      onFailure: ({ failure }) => ({ outcome: Answer.outcomeOfFailure(failure), code: Answer.codeOf(failure) })
    })
  )

const only = (effect: ReturnType<typeof outcome>) => Effect.map(effect, ({ outcome: found }) => found)

const LOST: ProviderOutcome = { _tag: "Unknown", reason: "Stripe was not reached" }

const keyed = (key: string) => ({ idempotencyKey: key })

const disputed = (dispute: Stripe.Dispute): ProviderDispute => ({
  disputeId: dispute.id,
  amount: fromUnits(BigInt(dispute.amount) * CENT),
  state:
    dispute.status === "won" || dispute.status === "warning_closed"
      ? "won"
      : dispute.status === "lost"
        ? "lost"
        : "open"
})

const NO_CHARGE: Effect.Effect<ProviderOutcome> = Effect.succeed({ _tag: "Declined", reason: "unknown_charge" })

const authorizing =
  (stripe: Stripe) =>
  ({ amount, instrument, key, paymentId }: Authorization): Effect.Effect<ProviderOutcome> =>
    only(
      outcome(
        () =>
          stripe.paymentIntents.create(
            {
              amount: centsOf(amount),
              currency: CURRENCY,
              payment_method: instrument ?? "",
              automatic_payment_methods: { enabled: true, allow_redirects: "never" },
              capture_method: "manual",
              confirm: true,
              error_on_requires_action: true,
              metadata: { payment_id: paymentId }
            },
            keyed(key)
          ),
        Answer.outcomeOfIntent
      )
    )

/** A step on an intent; where the intent is in another state already, its state tells. */
const stepping =
  (
    stripe: Stripe,
    call: (id: string, key: string) => Promise<Stripe.PaymentIntent>,
    read: (found: Stripe.PaymentIntent) => ProviderOutcome
  ) =>
  ({ key, reference }: ChargeStep): Effect.Effect<ProviderOutcome> =>
    reference === null
      ? NO_CHARGE
      : Effect.flatMap(
          outcome(() => call(reference, key), read),
          ({ code, outcome: found }) =>
            code === Answer.UNEXPECTED_STATE
              ? only(outcome(() => stripe.paymentIntents.retrieve(reference), read))
              : Effect.succeed(found)
        )

const refunding =
  (stripe: Stripe) =>
  ({ amount, key, reference }: ChargeStep): Effect.Effect<ProviderOutcome> =>
    reference === null
      ? NO_CHARGE
      : only(
          outcome(
            () =>
              stripe.refunds.create(
                { payment_intent: reference, amount: centsOf(amount), metadata: { key } },
                keyed(key)
              ),
            Answer.outcomeOfRefund
          )
        )

/** Reads something; what cannot be read is `lost`. */
const reading = <A, B>(read: () => Promise<A>, answer: (found: A) => B | undefined, lost: B | undefined) =>
  Effect.tryPromise({ try: read, catch: () => undefined }).pipe(
    Effect.map(answer),
    Effect.catch(() => Effect.succeed(lost))
  )

/** What became of a request whose key Stripe may have forgotten, after its 24 hours. */
const finding =
  (stripe: Stripe): PaymentProvider["find"] =>
  (kind, { key, paymentId, reference }) => {
    if (kind === "authorize") {
      const query = `metadata['payment_id']:'${paymentId}'`
      return reading(
        () => stripe.paymentIntents.search({ query, limit: 1 }),
        ({ data: [found] }) => (found === undefined ? undefined : Answer.outcomeOfIntent(found)),
        LOST
      )
    }
    if (kind !== "refund" || reference === null) return Effect.succeed(undefined)
    return reading(
      () => stripe.refunds.list({ payment_intent: reference, limit: REFUNDS_PAGE }),
      ({ data }) => {
        const found = data.find(({ metadata }) => metadata?.["key"] === key)
        return found === undefined ? undefined : Answer.outcomeOfRefund(found)
      },
      LOST
    )
  }

/**
 * Cards by Stripe's payment intents. Each request carries the step's key as `Idempotency-Key`, and asks once: who waits
 * and asks again is the payment, not the package.
 */
export const makeStripeProvider = (settings: NonNullable<PaymentSettings["stripe"]>, timeout = REQUEST_MILLIS) =>
  Effect.map(clientOf(settings, timeout), (stripe): PaymentProvider => {
    const { paymentIntents } = stripe
    return {
      name: "stripe",
      instrument: instrumentOf,
      takes: isWholeCents,
      authorize: authorizing(stripe),
      capture: stepping(stripe, (id, key) => paymentIntents.capture(id, {}, keyed(key)), Answer.outcomeOfCapture),
      void: stepping(stripe, (id, key) => paymentIntents.cancel(id, {}, keyed(key)), Answer.outcomeOfVoid),
      refund: refunding(stripe),
      find: finding(stripe),
      dispute: (reference) =>
        reference === null
          ? Effect.succeed(undefined)
          : reading(
              () => stripe.disputes.list({ payment_intent: reference, limit: 1 }),
              ({ data: [found] }) => (found === undefined ? undefined : disputed(found)),
              undefined
            )
    }
  })
