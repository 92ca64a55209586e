import { Effect } from "effect"
import { percentOf } from "../../engine/credit/CreditObject.ts"
import type { TermsOffer } from "../../engine/credit/TermsOffer.ts"
import type { Amount } from "../../engine/money/Amount.ts"
import { Api } from "../api/Api.ts"
import { TERMS_REASONS } from "../api/PaymentTerms.ts"
import * as HandlerGroup from "../http/HandlerGroup.ts"
import { Credit } from "./Credit.ts"
import { caller } from "./CreditHandlers.ts"

const NO_INTEREST = 0

const offerAnswer = (amount: Amount, { reasons, schedule, terms }: TermsOffer) => ({
  type: terms.type,
  ...(terms.type === "installments" ? { installments: terms.installments } : {}),
  available: reasons.length === 0,
  reasons: reasons.map((code) => ({ code, text: TERMS_REASONS[code] })),
  apr: NO_INTEREST,
  total: amount,
  schedule: schedule.map(({ amount: part, dueAt, number }) => ({ number, amount: part, due_at: dueAt }))
})

/** The payment terms group's handlers. */
export const layer = HandlerGroup.group(
  Api,
  "paymentTerms",
  Effect.fnUntraced(function* (handlers) {
    const credit = yield* Credit

    return handlers.handleAll({
      offerPaymentTerms: Effect.fnUntraced(function* ({ payload: { amount, company_id, currency } }) {
        const { free, offers, profile } = yield* credit.terms(yield* caller, company_id, amount)
        return {
          company_id,
          amount,
          currency,
          score: profile?.card.score ?? null,
          band: profile?.card.band ?? null,
          apr: profile === undefined ? null : percentOf(profile.card.apr),
          free_limit: free,
          terms: offers.map((offer) => offerAnswer(amount, offer))
        }
      })
    })
  })
)
