/** How the sandbox's card issuer behaves for a card. */
export interface TestCard {
  readonly number: string
  /** The name under which it is kept and shown. */
  readonly name: string
  /** The first request of each step is lost on its way. */
  readonly losesRequest?: true
  /** The first answer of each step is lost on its way back: the step was done. */
  readonly losesAnswer?: true
  /** Why a step is declined. */
  readonly declines?: { readonly authorize?: string; readonly capture?: string; readonly refund?: string }
  /** The holder asks the money back after {@link DISPUTED_AFTER}; the bank decides after {@link DECIDED_AFTER}. */
  readonly dispute?: "won" | "lost"
  /** What happens, for the documentation. */
  readonly story: string
}

/** From the capture to the holder's complaint, and to the bank's decision, in milliseconds. */
export const DISPUTED_AFTER = 60_000
export const DECIDED_AFTER = 120_000

/** The cards that the sandbox knows. They belong to nobody. */
export const TEST_CARDS: ReadonlyArray<TestCard> = [
  { number: "4242424242424242", name: "approve", story: "Every step is approved." },
  {
    number: "4000000000000002",
    name: "decline",
    declines: { authorize: "card_declined" },
    story: "The authorization is declined: `card_declined`."
  },
  {
    number: "4000000000009995",
    name: "insufficient_funds",
    declines: { authorize: "insufficient_funds" },
    story: "The authorization is declined: `insufficient_funds`."
  },
  {
    number: "4000000000000341",
    name: "capture_declined",
    declines: { capture: "authorization_expired" },
    story: "Authorized, but the capture is declined: `authorization_expired`."
  },
  {
    number: "4000000000005126",
    name: "refund_declined",
    declines: { refund: "refund_declined" },
    story: "Captured, but every refund is declined: `refund_declined`."
  },
  {
    number: "4000000000007007",
    name: "timeout_before_charge",
    losesRequest: true,
    story: "The first request of each step times out and was never heard; asked again, it is approved."
  },
  {
    number: "4000000000007106",
    name: "timeout_after_charge",
    losesAnswer: true,
    story: "The first request of each step times out although it was carried out; asked again, the answer is the same."
  },
  {
    number: "4000000000000259",
    name: "dispute_lost",
    dispute: "lost",
    story: "Approved; disputed a minute after the capture, and lost a minute later."
  },
  {
    number: "4000000000002685",
    name: "dispute_won",
    dispute: "won",
    story: "Approved; disputed a minute after the capture, and won a minute later."
  }
]

const byNumber = new Map(TEST_CARDS.map((card) => [card.number, card]))
const byName = new Map(TEST_CARDS.map((card) => [card.name, card]))

/** The card of a number, which may be written in groups. */
export const testCardOf = (given: string): TestCard | undefined => byNumber.get(given.replaceAll(/[\s-]/g, ""))

export const testCardNamed = (name: string): TestCard | undefined => byName.get(name)
