import { MAX_ATTEMPTS } from "../../engine/webhooks/DeliverySchedule.ts"
import type { LastAttempt, LoggedDelivery } from "./DeliveryLogRepository.ts"

const HELD =
  "The deliveries of the company's plan are used up for this day (UTC): it goes on when the next day begins, or with a larger plan."

const isRedirect = (status: number): boolean => status >= 300 && status < 400

const reasonOf = ({ error, status }: LastAttempt): string => {
  if (status === null) return `The endpoint gave no answer: ${error ?? "it is not known why"}.`
  return isRedirect(status)
    ? `The endpoint answered ${status}, a redirect, which is not followed: set the webhook to the address behind it.`
    : `The endpoint answered ${status}; only a 2xx answer within 5 seconds counts as delivered.`
}

/** Why something is not delivered yet, in words; null if it is, or if nothing was tried. */
export const failureOf = ({ last, state }: Pick<LoggedDelivery, "last" | "state">): string | null => {
  if (state.status === "delivered") return null
  if (state.status === "held") return HELD
  if (last === null) return null
  const reason = reasonOf(last)
  return state.status === "failed" ? `${reason} It was tried ${MAX_ATTEMPTS} times: retry it by hand.` : reason
}
