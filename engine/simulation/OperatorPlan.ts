import type { BotCompanyPlan, BotPlan } from "./BotPlan.ts"
import type { Fashion } from "./FrequentActs.ts"
import { SeededRandom } from "./SeededRandom.ts"

/** A commitment that an operator's own program makes as one of its bots. Prices and quantities are in 10⁻⁶ of its order's. */
export interface OperatorItemPlan {
  /** Which of the bots that may be named: counted round. */
  readonly bot: number
  /** Whether the bots of other companies are counted, which it may not commit as. */
  readonly stranger: boolean
  /** Which of the orders that take commitments then: counted round. */
  readonly order: number
  /** Above the entry price. */
  readonly premium: number
  /** The take-profit above the limit. */
  readonly margin: number
  readonly quantity: number
  /** Whether it carries an id of its own, and is sent again where it is not answered. */
  readonly keyed: boolean
}

/** What an operator's program asks over the fast lane. */
export type OperatorRequest =
  /** One item is sent by itself, more as a batch. */
  | { readonly act: "commit"; readonly items: ReadonlyArray<OperatorItemPlan> }
  | { readonly act: "pauseAll" }
  /** Has all bots paused after so many seconds unless it asks again; 0: no more. */
  | { readonly act: "cancelAfter"; readonly seconds: number }
  /** Resumes each bot that is paused, one after the other. */
  | { readonly act: "resumeAll" }

/** A request, in milliseconds after the start. */
export interface OperatorRequestPlan {
  readonly id: string
  readonly at: number
  readonly request: OperatorRequest
}

/** One company's program. */
export interface OperatorPlan {
  readonly company: BotCompanyPlan
  readonly requests: ReadonlyArray<OperatorRequestPlan>
}

type Timed = readonly [at: number, request: OperatorRequest]

/** Commitments, and switches, about this often. */
const COMMIT_EVERY_MILLIS = 400_000
const SWITCH_EVERY_MILLIS = 3_600_000

/** A dead man's switch waits so many seconds, and is asked again after such a part of them, in thousandths. */
const WAIT_SECONDS = [40, 91] as const
const ASKED_AGAIN = [300, 901] as const
const MOST_REFRESHES = 5

/** Bots are resumed so many milliseconds after they were paused. */
const REST_MILLIS = [5_000, 60_000] as const

const MOST_ITEMS = 6

/** The operators of the companies that some bots belong to. Each is drawn by itself, so that leaving one out changes no other. */
export const planOperators = (
  seed: number,
  bots: ReadonlyArray<BotPlan>,
  length: number,
  fashions: ReadonlySet<Fashion>
): ReadonlyArray<OperatorPlan> => {
  const companies = new Map(bots.map(({ company }) => [company.index, company]))
  return Array.from(companies.values(), (company) => {
    const random = new SeededRandom(seed, `operator/${company.index}`)
    const requests = [...planCommits(random, length, fashions), ...planSwitches(random, length)]
    return {
      company,
      requests: requests.map(([at, request], number) => ({ id: `operator/${company.index}/${number}`, at, request }))
    }
  })
}

/** How many more commitments a program makes where bots are to end while they trade. */
const BUSY = 12

const planCommits = (random: SeededRandom, length: number, fashions: ReadonlySet<Fashion>): ReadonlyArray<Timed> => {
  const busy = fashions.has("terminations") ? BUSY : 0
  const count = 4 + Math.floor(length / COMMIT_EVERY_MILLIS) + random.below(4) + busy
  return Array.from({ length: count }, (): Timed => {
    const items = Array.from({ length: random.chance(300) ? 1 : random.between(2, MOST_ITEMS + 1) }, () =>
      planItem(random)
    )
    return [random.below(length), { act: "commit", items }]
  })
}

const planItem = (random: SeededRandom): OperatorItemPlan => ({
  bot: random.below(1_000),
  stranger: random.chance(100),
  order: random.below(1_000),
  premium: random.chance(50) ? random.between(100_001, 300_000) : random.below(9_000),
  margin: random.between(100, 30_000),
  quantity: random.between(1_000, random.pick([20_000, 200_000])),
  keyed: random.chance(700)
})

const planSwitches = (random: SeededRandom, length: number): ReadonlyArray<Timed> => {
  const more = Math.floor(length / SWITCH_EVERY_MILLIS)
  const kills = Array.from({ length: random.below(2) + more }, () => planKill(random, length))
  const switches = Array.from({ length: 1 + more }, () => planSwitch(random, length))
  return [...kills, ...switches].flat()
}

const resumed = (random: SeededRandom, after: number): Timed => [
  after + random.between(...REST_MILLIS),
  { act: "resumeAll" }
]

const planKill = (random: SeededRandom, length: number): ReadonlyArray<Timed> => {
  const at = random.below(length)
  return [[at, { act: "pauseAll" }], resumed(random, at)]
}

/** A dead man's switch: asked for again some times, then let lapse, called off, or asked for about when it lapses. */
const planSwitch = (random: SeededRandom, length: number): ReadonlyArray<Timed> => {
  const seconds = random.between(...WAIT_SECONDS)
  const gap = seconds * random.between(...ASKED_AGAIN)
  const begin = random.below(length)
  const refreshes = random.below(MOST_REFRESHES + 1)
  const set = (at: number): Timed => [at, { act: "cancelAfter", seconds }]
  const sets = Array.from({ length: 1 + refreshes }, (_, number) => set(begin + number * gap))
  const last = begin + refreshes * gap
  const lapse = last + seconds * 1_000
  switch (random.below(3)) {
    case 0:
      return [...sets, resumed(random, lapse)]
    case 1:
      return [...sets, [last + gap, { act: "cancelAfter", seconds: 0 }]]
    default: {
      const late = lapse + random.below(60) - 20
      return [...sets, set(late), resumed(random, lapse), resumed(random, late + seconds * 1_000)]
    }
  }
}
