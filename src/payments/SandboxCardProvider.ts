import { Clock, Effect, Result } from "effect"
import { fromUnits } from "../../engine/money/Amount.ts"
import { looksLikeCardNumber } from "./CardNumber.ts"
import {
  type ChargeStep,
  isWholeCents,
  type PaymentProvider,
  type ProviderDispute,
  type ProviderOutcome,
  type StepKind
} from "../../engine/payments/PaymentProvider.ts"
import { type HeardRequest, SandboxCardRepository, type Verdict } from "./SandboxCardRepository.ts"
import { DECIDED_AFTER, DISPUTED_AFTER, testCardNamed, testCardOf, type TestCard } from "./TestCards.ts"

/** The issuer's name of a payment's charge. */
export const sandboxCharge = (paymentId: string): string => `sbx_${paymentId}`

const TIMED_OUT: ProviderOutcome = { _tag: "Unknown", reason: "the sandbox's card issuer did not answer in time" }

const sumOf = (requests: ReadonlyArray<HeardRequest>, kind: StepKind): bigint =>
  requests.reduce((sum, request) => (request.kind === kind ? sum + request.amount : sum), 0n)

const declined = (reason: string): Verdict => ({ outcome: "declined", reason })
const APPROVED: Verdict = { outcome: "approved", reason: null }

/** What the issuer says to a step, from what it approved of the charge before. */
const verdictOf = (kind: StepKind, card: TestCard, amount: bigint, approved: ReadonlyArray<HeardRequest>): Verdict => {
  const authorized = sumOf(approved, "authorize")
  const captured = sumOf(approved, "capture")
  const isVoided = approved.some((request) => request.kind === "void")
  switch (kind) {
    case "authorize":
      return card.declines?.authorize === undefined ? APPROVED : declined(card.declines.authorize)
    case "capture":
      if (card.declines?.capture !== undefined) return declined(card.declines.capture)
      return isVoided || captured > 0n || amount > authorized ? declined("not_capturable") : APPROVED
    case "void":
      return captured > 0n ? declined("already_captured") : APPROVED
    case "refund":
      if (card.declines?.refund !== undefined) return declined(card.declines.refund)
      return sumOf(approved, "refund") + amount > captured ? declined("refund_too_large") : APPROVED
  }
}

const outcomeOf = ({ chargeId, outcome, reason }: HeardRequest): ProviderOutcome => {
  switch (outcome) {
    case "unheard":
      return TIMED_OUT
    case "approved":
      return { _tag: "Approved", reference: chargeId }
    case "declined":
      return { _tag: "Declined", reason: reason ?? "declined" }
  }
}

const disputeOf = (approved: ReadonlyArray<HeardRequest>, now: number): ProviderDispute | undefined => {
  const capture = approved.find(({ kind }) => kind === "capture")
  const ending = capture === undefined ? undefined : testCardNamed(capture.card)?.dispute
  if (capture === undefined || ending === undefined || now < capture.at + DISPUTED_AFTER) return undefined
  const amount = fromUnits(capture.amount - sumOf(approved, "refund"))
  if (amount === 0n) return undefined
  const state = now < capture.at + DECIDED_AFTER ? "open" : ending
  return { disputeId: `dsp_${capture.chargeId}`, amount, state }
}

const instrumentOf: PaymentProvider["instrument"] = (given) => {
  const card = given === undefined ? undefined : testCardOf(given)
  if (card !== undefined) return Result.succeed(card.name)
  return Result.fail({
    expected:
      given !== undefined && looksLikeCardNumber(given)
        ? "the number of a documented test card: never send the number of a real one"
        : "the number of a documented test card"
  })
}

/** A card issuer of the sandbox's own: what it does follows from the card's number alone. */
export const makeSandboxCardProvider = Effect.map(SandboxCardRepository, (repository): PaymentProvider => {
  const unknown = Effect.succeed(TIMED_OUT)

  const ask = Effect.fnUntraced(
    function* (kind: StepKind, { amount, key, paymentId }: ChargeStep, card: TestCard) {
      const at = yield* Clock.currentTimeMillis
      const request = { key, chargeId: sandboxCharge(paymentId), kind, card: card.name, amount, at }
      const heard = yield* repository.ask(request, (attempts, approved) =>
        card.losesRequest === true && attempts === 1
          ? { outcome: "unheard", reason: null }
          : verdictOf(kind, card, amount, approved)
      )
      return card.losesAnswer === true && heard.attempts === 1 ? TIMED_OUT : outcomeOf(heard)
    },
    Effect.catchTag("Unavailable", () => unknown)
  )

  /** A step on a charge, whose card the issuer remembers. */
  const step = (kind: StepKind) =>
    Effect.fnUntraced(
      function* (request: ChargeStep) {
        const [first] = yield* repository.approved(sandboxCharge(request.paymentId))
        const card = first === undefined ? undefined : testCardNamed(first.card)
        if (card === undefined) return { _tag: "Declined", reason: "unknown_charge" } as const
        return yield* ask(kind, request, card)
      },
      Effect.catchTag("Unavailable", () => unknown)
    )

  return {
    name: "sandbox-card",
    instrument: instrumentOf,
    takes: isWholeCents,
    authorize: ({ instrument, ...request }) => {
      const card = instrument === null ? undefined : testCardNamed(instrument)
      return card === undefined
        ? Effect.succeed({ _tag: "Declined", reason: "unknown_card" })
        : ask("authorize", { ...request, reference: null }, card)
    },
    capture: step("capture"),
    void: step("void"),
    refund: step("refund"),
    find: (_, { key }) =>
      repository.find(key).pipe(
        Effect.map((heard) => (heard === undefined || heard.outcome === "unheard" ? undefined : outcomeOf(heard))),
        Effect.catchTag("Unavailable", () => unknown)
      ),
    dispute: (reference) =>
      Effect.gen(function* () {
        if (reference === null) return undefined
        return disputeOf(yield* repository.approved(reference), yield* Clock.currentTimeMillis)
      }).pipe(Effect.catchTag("Unavailable", () => Effect.succeed(undefined)))
  }
})
