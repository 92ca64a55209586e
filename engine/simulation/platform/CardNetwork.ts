import { Clock, Effect, Result } from "effect"
import { fromUnits } from "../../money/Amount.ts"
import {
  type ChargeStep,
  DISPUTED,
  isWholeCents,
  type PaymentProvider,
  type ProviderDispute,
  type ProviderOutcome,
  type StepKind
} from "../../payments/PaymentProvider.ts"
import type { SeededRandom } from "../SeededRandom.ts"
import { CARD_FATES, type CardFate } from "./CardFate.ts"

/** From the capture to the holder's complaint, and to the bank's decision, in milliseconds. */
const DISPUTED_AFTER = 20_000
const DECIDED_AFTER = 60_000

/** How long an issuer takes, in milliseconds; now and then longer than anybody waits. */
const ANSWER_MILLIS = [20, 400] as const
const ASLEEP_MILLIS = 16_000
const ASLEEP = 20

/** A request that the network heard. */
interface Heard {
  readonly paymentId: string
  readonly kind: StepKind
  readonly amount: bigint
  readonly outcome: ProviderOutcome
}

/** A charge as the network keeps it. */
export interface Charge {
  readonly fate: CardFate
  captured: bigint
  refunded: bigint
  capturedAt: number | undefined
  isVoided: boolean
}

const UNKNOWN: ProviderOutcome = { _tag: "Unknown", reason: "the network gave no answer" }
const declined = (reason: string): ProviderOutcome => ({ _tag: "Declined", reason })

/**
 * The cards' network outside: it hears each request once by its key, keeps what was captured and given back, and loses
 * requests and answers by the card. It is another house, so that no end of a process changes what it knows.
 */
export class CardNetwork implements PaymentProvider {
  readonly name = "sandbox-card"
  readonly takes = isWholeCents
  readonly charges = new Map<string, Charge>()
  readonly #heard = new Map<string, Heard>()
  readonly #asked = new Set<string>()
  readonly #random: SeededRandom

  constructor(random: SeededRandom) {
    this.#random = random
  }

  readonly instrument: PaymentProvider["instrument"] = (given) => Result.succeed(given ?? null)

  readonly authorize: PaymentProvider["authorize"] = ({ instrument, ...request }) => {
    const fate = CARD_FATES.find((one) => one === instrument)
    if (fate === undefined) return Effect.succeed(declined("unknown_card"))
    const { paymentId } = request
    if (!this.charges.has(paymentId)) {
      this.charges.set(paymentId, { fate, captured: 0n, refunded: 0n, capturedAt: undefined, isVoided: false })
    }
    return this.#ask("authorize", { ...request, reference: null })
  }

  readonly capture: PaymentProvider["capture"] = (step) => this.#ask("capture", step)
  readonly void: PaymentProvider["void"] = (step) => this.#ask("void", step)
  readonly refund: PaymentProvider["refund"] = (step) => this.#ask("refund", step)

  readonly find: PaymentProvider["find"] = (_, { key }) =>
    Effect.andThen(
      this.#travel(),
      Effect.sync(() => this.#heard.get(key)?.outcome)
    )

  readonly dispute: PaymentProvider["dispute"] = (reference) =>
    Effect.andThen(
      this.#travel(),
      Effect.map(Clock.currentTimeMillis, (now) => this.#disputeOf(reference ?? "", now))
    )

  #disputeOf(paymentId: string, now: number): ProviderDispute | undefined {
    const charge = this.charges.get(paymentId)
    if (charge?.capturedAt === undefined || !charge.fate.startsWith("disputes")) return undefined
    const amount = charge.captured - charge.refunded
    if (amount === 0n || now < charge.capturedAt + DISPUTED_AFTER) return undefined
    const ended = charge.fate === "disputes_and_wins" ? "won" : "lost"
    const state = now < charge.capturedAt + DECIDED_AFTER ? "open" : ended
    return { disputeId: `dsp_${paymentId}`, amount: fromUnits(amount), state }
  }

  #travel(): Effect.Effect<void> {
    return Effect.suspend(() =>
      Effect.sleep(this.#random.chance(ASLEEP) ? ASLEEP_MILLIS : this.#random.between(...ANSWER_MILLIS))
    )
  }

  #ask(kind: StepKind, step: ChargeStep): Effect.Effect<ProviderOutcome> {
    return Effect.gen({ self: this }, function* () {
      yield* this.#travel()
      const { key, paymentId } = step
      const fate = this.charges.get(paymentId)?.fate
      const isFirst = !this.#asked.has(key)
      this.#asked.add(key)
      if (fate === "loses_request" && isFirst) return UNKNOWN
      const outcome = this.#heard.get(key)?.outcome ?? this.#carriedOut(kind, step, yield* Clock.currentTimeMillis)
      yield* this.#travel()
      return fate === "loses_answer" && isFirst ? UNKNOWN : outcome
    })
  }

  #carriedOut(kind: StepKind, { amount, key, paymentId }: ChargeStep, now: number): ProviderOutcome {
    const charge = this.charges.get(paymentId)
    const refused = charge === undefined ? "unknown_charge" : refusalOf(kind, charge, amount, now)
    const outcome: ProviderOutcome =
      refused === undefined ? { _tag: "Approved", reference: paymentId } : declined(refused)
    this.#heard.set(key, { paymentId, kind, amount, outcome })
    if (charge === undefined || refused !== undefined) return outcome
    if (kind === "void") charge.isVoided = true
    if (kind === "refund") charge.refunded += amount
    if (kind === "capture") {
      charge.captured += amount
      charge.capturedAt = now
    }
    return outcome
  }
}

const refusalOf = (kind: StepKind, charge: Charge, amount: bigint, now: number): string | undefined => {
  const { captured, capturedAt = now, fate, isVoided, refunded } = charge
  switch (kind) {
    case "authorize":
      return fate === "declines" ? "card_declined" : undefined
    case "capture":
      if (fate === "declines_capture") return "authorization_expired"
      return isVoided || captured > 0n ? "not_capturable" : undefined
    case "void":
      return captured > 0n ? "already_captured" : undefined
    case "refund":
      if (fate === "declines_refund") return "refund_declined"
      if (fate.startsWith("disputes") && now >= capturedAt + DISPUTED_AFTER) return DISPUTED
      return refunded + amount > captured ? "refund_too_large" : undefined
  }
}
