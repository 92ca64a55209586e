/** How the issuer of a card behaves, by the name of the card. */
export const CARD_FATES = [
  "approves",
  "declines",
  "declines_capture",
  "declines_refund",
  "loses_request",
  "loses_answer",
  "disputes_and_loses",
  "disputes_and_wins"
] as const
export type CardFate = (typeof CARD_FATES)[number]
