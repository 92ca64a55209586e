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
} from "./PaymentProvider.ts"
import * as Answer from "./StripeAnswer.ts"

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

type StripeClient = Stripe

const clientOf = (settings: NonNullable<PaymentSettings["stripe"]>, timeout: number): Effect.Effect<StripeClient> =>
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

/**
 * Cards by Stripe's payment intents. Each request carries the step's key as `Idempotency-Key`, and asks once: who waits
 * and asks again is the payment, not the package.
 */
export const makeStripeProvider = Effect.fnUntraced(function* (
  settings: NonNullable<PaymentSettings["stripe"]>,
  timeout = REQUEST_MILLIS
): Effect.fn.Return<PaymentProvider> {
  const stripe = yield* clientOf(settings, timeout)

  const intent = (reference: string, read: (found: Stripe.PaymentIntent) => ProviderOutcome) =>
    only(outcome(() => stripe.paymentIntents.retrieve(reference), read))

  /** A step on an intent; where the intent is in another state already, its state tells. */
  const onIntent = (
    reference: string | null,
    call: (reference: string) => Promise<Stripe.PaymentIntent>,
    read: (found: Stripe.PaymentIntent) => ProviderOutcome
  ): Effect.Effect<ProviderOutcome> =>
    reference === null
      ? Effect.succeed({ _tag: "Declined", reason: "unknown_charge" })
      : Effect.flatMap(
          outcome(() => call(reference), read),
          ({ code, outcome: found }) =>
            code === Answer.UNEXPECTED_STATE ? intent(reference, read) : Effect.succeed(found)
        )

  const authorize = ({ amount, instrument, key, paymentId }: Authorization) =>
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

  /** The newest intent of the payment, for a key that Stripe may have forgotten after its 24 hours. */
  const findIntent = (paymentId: string) =>
    Effect.tryPromise({
      try: () => stripe.paymentIntents.search({ query: `metadata['payment_id']:'${paymentId}'`, limit: 1 }),
      catch: () => undefined
    }).pipe(
      Effect.map(({ data: [found] }) => (found === undefined ? undefined : Answer.outcomeOfIntent(found))),
      Effect.catch(() => Effect.succeed(LOST))
    )

  const findRefund = ({ key, reference }: ChargeStep) =>
    Effect.tryPromise({
      try: () => stripe.refunds.list({ payment_intent: reference ?? "", limit: REFUNDS_PAGE }),
      catch: () => undefined
    }).pipe(
      Effect.map(({ data }) => data.find(({ metadata }) => metadata?.["key"] === key)),
      Effect.map((found) => (found === undefined ? undefined : Answer.outcomeOfRefund(found))),
      Effect.catch(() => Effect.succeed(LOST))
    )

  return {
    name: "stripe",
    instrument: instrumentOf,
    takes: isWholeCents,
    authorize,
    capture: ({ key, reference }) =>
      onIntent(reference, (id) => stripe.paymentIntents.capture(id, {}, keyed(key)), Answer.outcomeOfCapture),
    void: ({ key, reference }) =>
      onIntent(reference, (id) => stripe.paymentIntents.cancel(id, {}, keyed(key)), Answer.outcomeOfVoid),
    refund: ({ amount, key, reference }) =>
      reference === null
        ? Effect.succeed({ _tag: "Declined", reason: "unknown_charge" })
        : only(
            outcome(
              () =>
                stripe.refunds.create(
                  { payment_intent: reference, amount: centsOf(amount), metadata: { key } },
                  keyed(key)
                ),
              Answer.outcomeOfRefund
            )
          ),
    find: (kind, step) => {
      if (kind === "authorize") return findIntent(step.paymentId)
      return kind === "refund" ? findRefund(step) : Effect.succeed(undefined)
    },
    dispute: (reference) =>
      reference === null
        ? Effect.succeed(undefined)
        : Effect.tryPromise({
            try: () => stripe.disputes.list({ payment_intent: reference, limit: 1 }),
            catch: () => undefined
          }).pipe(
            Effect.map(({ data: [found] }) => (found === undefined ? undefined : disputed(found))),
            Effect.catch(() => Effect.succeed(undefined))
          )
  }
})
