import type { PaymentTerms } from "../../commerce/PaymentTerms.ts"
import type { Side } from "../../fx/FxDesk.ts"
import { type Amount, fromUnits, ONE } from "../../money/Amount.ts"
import type { CaptureMode, Extent } from "../../payments/PaymentPlan.ts"
import type { Interval } from "../../subscriptions/Period.ts"
import type { TransferMode } from "../../transfers/TransferEvent.ts"
import { EVERY_TYPE } from "../../webhooks/WantedEvents.ts"
import { WEBHOOK_EVENT_TYPES } from "../../webhooks/WebhookEventType.ts"
import type { Fashion } from "../FrequentActs.ts"
import { SeededRandom } from "../SeededRandom.ts"
import { CARD_FATES, type CardFate } from "./CardFate.ts"

/**
 * What a company asks for. Numbers name what there is when the request arrives, counted round: `1` of three products is
 * the second. A `stranger` asks for what is not its own. Amounts are in 10⁻⁶.
 */
export type CompanyRequest =
  | { readonly act: "list"; readonly price: Amount; readonly pieces: number }
  | {
      readonly act: "revise"
      readonly product: number
      readonly stranger: boolean
      readonly price: Amount
      readonly available: number | undefined
      /** How many keys of the caller's own it sets, beside those that are there. */
      readonly keys: number
    }
  | {
      readonly act: "order"
      readonly items: ReadonlyArray<{ readonly product: number; readonly quantity: number }>
      readonly terms: PaymentTerms
      /** Names a product that was never there, or its own. */
      readonly wrong: "unknown" | "own" | undefined
    }
  | { readonly act: "payOrder"; readonly order: number; readonly extent: Extent; readonly stranger: boolean }
  | { readonly act: "fulfil"; readonly order: number; readonly stranger: boolean }
  | { readonly act: "cancelOrder"; readonly order: number; readonly stranger: boolean }
  | {
      readonly act: "pay"
      readonly order: number
      readonly stranger: boolean
      readonly card: CardFate | undefined
      readonly extent: Extent
      readonly capture: CaptureMode
      /** Payments that are begun at once, each on its own. */
      readonly times: number
      /** Asks under the key of another payment. */
      readonly oldKey: boolean
    }
  | { readonly act: "capture" | "void"; readonly payment: number; readonly stranger: boolean }
  | {
      readonly act: "refund"
      readonly payment: number
      readonly stranger: boolean
      /** Undefined for all that is left. */
      readonly amount: Amount | undefined
      readonly times: number
    }
  | { readonly act: "assess"; readonly income: number; readonly loan: number; readonly times: number }
  | {
      readonly act: "transfer"
      readonly to: number
      readonly base: string
      readonly quote: string
      readonly mode: TransferMode
      readonly quantity: Amount
      /** The worst rate, in thousandths of the one of the moment; undefined for none. */
      readonly worst: number | undefined
      /** Whether it uses a held rate: one of its own, somebody else's, or none that there is. */
      readonly held: "own" | "other" | "unknown" | undefined
      /** Under an id of its own, or one that it used before. */
      readonly id: "own" | "used" | undefined
    }
  | {
      readonly act: "quote"
      readonly base: string
      readonly quote: string
      readonly side: Side
      readonly quantity: Amount
    }
  | { readonly act: "withdraw"; readonly quantity: Amount }
  | {
      readonly act: "subscribe"
      readonly product: number
      readonly quantity: number
      readonly every: Interval
      readonly periods: number | null
      /** Milliseconds until the first period; 0 for now. */
      readonly startsIn: number
    }
  | { readonly act: "renew"; readonly subscription: number; readonly stranger: boolean }
  | {
      readonly act: "cancelSubscription"
      readonly subscription: number
      readonly stranger: boolean
      readonly atPeriodEnd: boolean
    }
  | { readonly act: "webhook"; readonly number: number; readonly what: WebhookAct }

/** What is asked of a company's webhooks. */
export type WebhookAct =
  | { readonly op: "create"; readonly events: ReadonlyArray<string> }
  | { readonly op: "change"; readonly events: ReadonlyArray<string> }
  | { readonly op: "enable" | "disable" | "rotate" | "remove" }
  | { readonly op: "retry" }

export type CompanyAct = CompanyRequest["act"]

/** A request, in milliseconds after the start. */
export interface CompanyRequestPlan {
  readonly id: string
  readonly at: number
  readonly request: CompanyRequest
}

/** A company that buys and sells: one user, whose wallets pay and are paid. */
export interface CompanyPlan {
  readonly index: number
  readonly companyId: string
  readonly userId: string
  /** What it begins with. */
  readonly funds: ReadonlyArray<{ readonly asset: string; readonly amount: Amount }>
  readonly requests: ReadonlyArray<CompanyRequestPlan>
}

/** The currencies that companies have. */
export const CURRENCIES = ["USD", "EUR", "GBP", "JPY"] as const

/** Requests of a company at least, and one more for so many milliseconds. */
const FEWEST = 40
const EVERY_MILLIS = 12_000

const amount = (units: number): Amount => fromUnits(BigInt(units))
const whole = (units: number): Amount => fromUnits(BigInt(units) * ONE)

const companyIdOf = (index: number): string => `co_${index}`

/** The companies of a simulation. Each is drawn by itself, so that leaving one out changes no other. */
export const planCompanies = (
  seed: number,
  numbers: ReadonlyArray<number>,
  length: number,
  fashions: ReadonlySet<Fashion>
): ReadonlyArray<CompanyPlan> =>
  numbers.map((index) => {
    const random = new SeededRandom(seed, `company/${index}`)
    const isPoor = random.chance(150)
    const count = FEWEST + Math.floor(length / EVERY_MILLIS)
    // Whatever follows needs something to be for sale.
    const first: CompanyRequestPlan = {
      id: `co/${index}/0`,
      at: random.below(2_000),
      request: planListing(random, fashions)
    }
    return {
      index,
      companyId: companyIdOf(index),
      userId: `usr_co_${index}`,
      funds: CURRENCIES.map((asset) => ({
        asset,
        amount: whole(isPoor ? random.between(1, 300) : random.between(20_000, 400_000))
      })),
      requests: [
        first,
        ...Array.from({ length: count }, (_, number) => ({
          id: `co/${index}/${number + 1}`,
          at: random.below(length),
          request: planRequest(random, fashions)
        }))
      ]
    }
  })

/** A time in milliseconds after the start, and how far the platform's clock is set forward then. */
export interface TimeAdvance {
  readonly at: number
  readonly by: number
}

const MILLIS_A_DAY = 86_400_000
const MOST_ADVANCES = 4

/** How far, in days: what is due each week, and tried again within some days, comes due within a simulation of minutes. */
const ADVANCED_DAYS = [1, 1, 2, 3, 7, 8] as const

/** How far where arrears are in fashion: what is ordered on credit is due in a month or two. */
const WEEKS_IN_DAYS = [9, 14, 20, 28, 31] as const
const FEWEST_ADVANCES_OF_WEEKS = 2

/** The times at which an administrator sets the clock of the sandbox forward. */
export const planAdvances = (
  seed: number,
  length: number,
  fashions: ReadonlySet<Fashion>
): ReadonlyArray<TimeAdvance> => {
  const random = new SeededRandom(seed, "advances")
  if (fashions.has("arrears")) {
    const count = FEWEST_ADVANCES_OF_WEEKS + random.below(MOST_ADVANCES)
    return Array.from({ length: count }, () => ({
      at: random.below(length),
      by: random.pick(WEEKS_IN_DAYS) * MILLIS_A_DAY
    }))
  }
  return Array.from({ length: random.below(MOST_ADVANCES + 1) }, () => ({
    at: random.below(length),
    by: random.pick(ADVANCED_DAYS) * MILLIS_A_DAY
  }))
}

type Drawn = (random: SeededRandom, fashions: ReadonlySet<Fashion>) => CompanyRequest

const any = (random: SeededRandom): number => random.below(1_000)

const planListing: Drawn = (random) => ({
  act: "list",
  // Some prices are no whole cents, which cards cannot pay.
  price: random.chance(150) ? amount(random.between(1, 3_000_000)) : amount(random.between(1, 40_000) * 10_000),
  pieces: random.chance(250) ? random.below(4) : random.between(10, 400)
})

const planRevision: Drawn = (random) => ({
  act: "revise",
  product: any(random),
  stranger: random.chance(150),
  price: amount(random.between(1, 30_000) * 10_000),
  available: random.chance(600) ? random.below(300) : undefined,
  keys: random.chance(100) ? random.pick([1, 3, 21]) : 0
})

const planTerms = (random: SeededRandom, fashions: ReadonlySet<Fashion>): PaymentTerms => {
  if (random.chance(fashions.has("credit") || fashions.has("arrears") ? 100 : 500)) return { type: "prepaid" }
  if (random.chance(500)) return { type: random.pick(["net_30", "net_60"]) }
  return { type: "installments", installments: random.pick([2, 3, 12, 12, 13]) }
}

const planOrder: Drawn = (random, fashions) => ({
  act: "order",
  items: Array.from({ length: random.pick([1, 1, 2, 3]) }, () => ({
    product: any(random),
    quantity: random.chance(60) ? random.below(2) * 1_000_001 : random.between(1, random.pick([4, 30, 200]))
  })),
  terms: planTerms(random, fashions),
  wrong: random.chance(80) ? random.pick(["unknown", "own"]) : undefined
})

const planExtent = (random: SeededRandom): Extent => random.pick(["next", "all"])

const planCard = (random: SeededRandom, fashions: ReadonlySet<Fashion>): CardFate =>
  fashions.has("disputes") ? random.pick(["disputes_and_loses", "disputes_and_wins"]) : random.pick(CARD_FATES)

const planPayment: Drawn = (random, fashions) => {
  // More than an order may have under way, which stay there as long as nobody takes them.
  const isMany = random.chance(25)
  return {
    act: "pay",
    order: any(random),
    stranger: random.chance(60),
    card: isMany ? "approves" : random.chance(300) ? undefined : planCard(random, fashions),
    extent: planExtent(random),
    capture: isMany ? "manual" : random.pick(["automatic", "automatic", "manual"]),
    times: isMany ? 21 : random.pick([1, 1, 1, 2]),
    oldKey: random.chance(60)
  }
}

const planRefund: Drawn = (random) => {
  // More than one payment may have: of a cent each.
  const isMany = random.chance(30)
  const cents = isMany ? 1 : random.between(1, 5_000)
  return {
    act: "refund",
    payment: any(random),
    stranger: random.chance(150),
    amount: !isMany && random.chance(400) ? undefined : random.chance(100) ? amount(1) : amount(cents * 10_000),
    times: isMany ? 101 : random.pick([1, 1, 2])
  }
}

const planTransfer: Drawn = (random) => {
  const mode: TransferMode = random.pick(["local", "international", "international"])
  return {
    act: "transfer",
    to: any(random),
    base: random.pick(CURRENCIES),
    quote: random.pick(CURRENCIES),
    mode,
    quantity: random.chance(80) ? amount(random.below(3)) : amount(random.between(1, 900_000) * 10_000),
    worst: random.chance(250) ? random.pick([900, 990, 1_000, 1_100]) : undefined,
    held: random.chance(450) ? random.pick(["own", "own", "own", "other", "unknown"]) : undefined,
    id: random.chance(400) ? random.pick(["own", "own", "used"]) : undefined
  }
}

const planQuote: Drawn = (random) => ({
  act: "quote",
  base: random.pick(CURRENCIES),
  quote: random.pick(CURRENCIES),
  side: random.pick(["Buy", "Sell"]),
  quantity: random.chance(80) ? amount(random.below(3)) : amount(random.between(1, 300_000) * 10_000)
})

const planSubscription: Drawn = (random) => ({
  act: "subscribe",
  product: any(random),
  quantity: random.chance(60) ? 0 : random.between(1, random.pick([3, 40])),
  every: random.pick(["week", "week", "week", "month", "year"]),
  periods: random.chance(50) ? 600 : random.pick([null, 1, 2, 3, 8]),
  startsIn: random.chance(400) ? 0 : random.between(1, random.pick([60_000, 120_000, 600_000, 40_000_000_000]))
})

const planWanted = (random: SeededRandom): ReadonlyArray<string> =>
  random.chance(400) ? [EVERY_TYPE] : WEBHOOK_EVENT_TYPES.filter(() => random.chance(500))

const planWebhook: Drawn = (random) => {
  const op: WebhookAct["op"] = random.pick([
    "create",
    "create",
    "change",
    "enable",
    "enable",
    "disable",
    "rotate",
    "remove",
    "retry"
  ])
  const what = op === "create" || op === "change" ? { op, events: planWanted(random) } : { op }
  return { act: "webhook", number: any(random), what }
}

/** What is asked, how many in a hundred requests ask it, and what has to be in fashion for more to do. */
const ACTS: ReadonlyArray<readonly [share: number, drawn: Drawn, fashion?: Fashion]> = [
  [5, planListing],
  [4, planRevision],
  [16, planOrder],
  [
    6,
    (random) => ({ act: "payOrder", order: any(random), extent: planExtent(random), stranger: random.chance(80) }),
    "credit"
  ],
  [9, (random) => ({ act: "fulfil", order: any(random), stranger: random.chance(80) })],
  [6, (random) => ({ act: "cancelOrder", order: any(random), stranger: random.chance(80) })],
  [12, planPayment, "disputes"],
  [4, (random) => ({ act: random.pick(["capture", "void"]), payment: any(random), stranger: random.chance(100) })],
  [7, planRefund],
  [
    4,
    (random) => ({
      act: "assess",
      income: random.chance(80) ? -1 : random.between(10_000, 200_000),
      loan: random.between(500, 35_000),
      times: random.chance(100) ? 11 : 1
    }),
    "credit"
  ],
  [11, planTransfer],
  [5, planQuote],
  [
    2,
    (random) => ({ act: "withdraw", quantity: amount(random.chance(100) ? 0 : random.between(1, 500_000) * 10_000) })
  ],
  [8, planSubscription],
  [6, planWebhook, "webhooks"],
  [2, (random) => ({ act: "renew", subscription: any(random), stranger: random.chance(200) })],
  [
    2,
    (random) => ({
      act: "cancelSubscription",
      subscription: any(random),
      stranger: random.chance(200),
      atPeriodEnd: random.chance(600)
    })
  ]
]

/** How much likelier an act is where it is in fashion. */
const FASHIONABLE = 5

const planRequest = (random: SeededRandom, fashions: ReadonlySet<Fashion>): CompanyRequest => {
  const shareOf = ([share, , fashion]: (typeof ACTS)[number]): number =>
    fashion !== undefined && fashions.has(fashion) ? share * FASHIONABLE : share
  let drawn = random.below(ACTS.reduce((sum, act) => sum + shareOf(act), 0))
  for (const act of ACTS) {
    const [, make] = act
    const share = shareOf(act)
    if (drawn < share) return make(random, fashions)
    drawn -= share
  }
  return planListing(random, fashions)
}
