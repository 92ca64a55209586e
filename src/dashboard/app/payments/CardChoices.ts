/** A test card that the sandbox's issuer knows. It belongs to nobody. */
export interface CardChoice {
  readonly number: string
  /** The name under which the API answers it. */
  readonly name: string
  /** What it is chosen for. */
  readonly title: string
  /** What will happen. */
  readonly story: string
}

/** The documented test cards. */
export const CARDS: ReadonlyArray<CardChoice> = [
  { number: "4242424242424242", name: "approve", title: "Approved", story: "Every step is approved." },
  {
    number: "4000000000000002",
    name: "decline",
    title: "Declined",
    story: "The bank declines it. Nothing is taken."
  },
  {
    number: "4000000000009995",
    name: "insufficient_funds",
    title: "Not enough money",
    story: "The bank declines it: the account has too little. Nothing is taken."
  },
  {
    number: "4000000000000341",
    name: "capture_declined",
    title: "Authorized, then declined",
    story: "The bank keeps the money, then declines to hand it over."
  },
  {
    number: "4000000000005126",
    name: "refund_declined",
    title: "Refunds declined",
    story: "It pays, but every refund to it is declined."
  },
  {
    number: "4000000000007007",
    name: "timeout_before_charge",
    title: "Time-out, never heard",
    story: "The first request is lost on its way. It is asked again under the same key, and approved."
  },
  {
    number: "4000000000007106",
    name: "timeout_after_charge",
    title: "Time-out, yet carried out",
    story: "The first answer is lost. It is asked again under the same key, and nothing is charged twice."
  },
  {
    number: "4000000000000259",
    name: "dispute_lost",
    title: "Disputed, and lost",
    story: "It pays. A minute later the holder asks the bank for the money, and another minute later gets it."
  },
  {
    number: "4000000000002685",
    name: "dispute_won",
    title: "Disputed, and won",
    story: "It pays. A minute later the holder asks the bank for the money, and another minute later is refused it."
  }
]

/** A card's number in groups of four. */
export const grouped = (number: string): string => number.replaceAll(/(\d{4})(?=\d)/g, "$1 ")

/** What a payment was made with, as a person says it: "USD fund", "Card 4242". */
export const instrumentOf = (provider: "wallet" | "sandbox-card" | "stripe", instrument: string | null): string => {
  switch (provider) {
    case "wallet":
      return "USD fund"
    case "sandbox-card": {
      const card = CARDS.find(({ name }) => name === instrument)
      return card === undefined ? "Card" : `Card ${card.number.slice(-4)}`
    }
    case "stripe":
      return "Card by Stripe"
  }
}
