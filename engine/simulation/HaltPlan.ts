import type { Fashion } from "./FrequentActs.ts"
import { SeededRandom } from "./SeededRandom.ts"

/** What is asked of the kill switch of a company. */
export type HaltRequest =
  | { readonly act: "halt" | "lift" }
  /** Pulls it after so many seconds unless it asks again; 0: no more. */
  | { readonly act: "haltAfter"; readonly seconds: number }
  /** Connects a program whose end pulls it. */
  | { readonly act: "arm" }
  /** Ends a program's connection. */
  | { readonly act: "disconnect" }

/** A request, in milliseconds after the start. */
export interface HaltRequestPlan {
  readonly at: number
  readonly request: HaltRequest
}

/** What one company asks of its kill switch. */
export interface HaltPlan {
  readonly companyId: string
  readonly userId: string
  readonly requests: ReadonlyArray<HaltRequestPlan>
}

/** Somebody whose commitments can be halted: a company, and a user of it who asks for that. */
export interface HaltOwner {
  readonly companyId: string
  readonly userId: string
}

/** How many in a thousand companies ask anything of their switch, and how many where that is in fashion. */
const SELDOM = 15
const OFTEN = 500

/** A switch is lifted so many milliseconds after it was pulled. */
const HALTED_MILLIS = [2_000, 30_000] as const

/** A switch that is pulled unless somebody asks again waits so many seconds. */
const WAIT_SECONDS = [2, 40] as const

/** How many in a thousand who lift a switch have somebody beside them who pulls it at that moment. */
const ARGUING = 400

type Timed = readonly [at: number, request: HaltRequest]

/** The kill switches of a simulation. Each company's is drawn by itself, so that leaving one out changes no other. */
export const planHalts = (
  seed: number,
  owners: ReadonlyArray<HaltOwner>,
  length: number,
  fashions: ReadonlySet<Fashion>
): ReadonlyArray<HaltPlan> => {
  const users = new Map(owners.map(({ companyId, userId }) => [companyId, userId]))
  return Array.from(users, ([companyId, userId]): HaltPlan => {
    const random = new SeededRandom(seed, `halt/${companyId}`)
    const isSome = random.chance(fashions.has("halts") ? OFTEN : SELDOM)
    const requests = isSome ? planRequests(random, length) : []
    return { companyId, userId, requests: requests.map(([at, request]) => ({ at, request })) }
  }).filter(({ requests }) => requests.length > 0)
}

const planRequests = (random: SeededRandom, length: number): ReadonlyArray<Timed> =>
  Array.from({ length: random.between(1, 4) }, () => planPull(random, random.below(length))).flat()

/** It is pulled in one way or another, and lifted. */
const planPull = (random: SeededRandom, at: number): ReadonlyArray<Timed> => {
  switch (random.below(4)) {
    case 0: {
      const seconds = random.between(...WAIT_SECONDS)
      const isCalledOff = random.chance(300)
      const last: Timed = [at + seconds * 600, { act: "haltAfter", seconds: isCalledOff ? 0 : seconds }]
      return [[at, { act: "haltAfter", seconds }], last, ...planLift(random, at + seconds * 2_000)]
    }
    case 1: {
      const end = at + random.between(...HALTED_MILLIS)
      return [[at, { act: "arm" }], [end, { act: "disconnect" }], ...planLift(random, end)]
    }
    default:
      return [[at, { act: "halt" }], ...planLift(random, at)]
  }
}

const planLift = (random: SeededRandom, pulled: number): ReadonlyArray<Timed> => {
  const at = pulled + random.between(...HALTED_MILLIS)
  const lift: Timed = [at, { act: "lift" }]
  if (!random.chance(ARGUING)) return [lift]
  return [lift, [at, { act: "halt" }], [at + random.between(...HALTED_MILLIS), { act: "lift" }]]
}
