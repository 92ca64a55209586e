import type { VoidReason } from "../../engine/arena/ArenaEvent.ts"
import type { Commitment, LossReason } from "../../engine/arena/Commitment.ts"
import type { Median } from "../../engine/arena/Median.ts"
import type { OrderTerms } from "../../engine/arena/OrderTerms.ts"
import type { Submission } from "../../engine/arena/Submission.ts"
import type { CompetitionInput } from "../../engine/arena/Winner.ts"

const MILLION = 1_000_000n

const limitOf = ({ proposedPrice, slippage }: Pick<Commitment, "proposedPrice" | "slippage">): bigint =>
  (proposedPrice * MILLION + proposedPrice * slippage) / MILLION

/** The least that the maker takes for a unit, its fraction of a unit of price rounded up. */
export const naiveReserve = ({ reference, terms: { makerDiscount } }: CompetitionInput): bigint => {
  const exact = reference * (MILLION - (makerDiscount ?? 0n))
  return exact / MILLION + (exact % MILLION === 0n ? 0n : 1n)
}

/** What a bid offers at the reference. */
export const naiveOffer = (
  { reference, terms: { entryPrice, makerDiscount } }: CompetitionInput,
  one: Pick<Commitment, "proposedPrice" | "slippage">
): bigint => {
  const limit = limitOf(one)
  if (makerDiscount === undefined) return limit
  const floated = (reference * one.proposedPrice) / entryPrice
  return [limit, floated].toSorted((low, high) => (low < high ? -1 : 1))[0]!
}

interface NaiveChoice {
  readonly winner: string | null
  readonly clearing: bigint | null
  readonly excluded: ReadonlyArray<string>
  /** Ids, best first, with what each lost by. */
  readonly ranking: ReadonlyArray<readonly [string, LossReason | null]>
}

/**
 * The choice of a winner told again: candidates are knocked out criterion by criterion, nothing is sorted by a
 * comparison, and the 3/4 rule is machine weight ≥ 3 × human weight.
 */
export const naiveChoice = (input: CompetitionInput): NaiveChoice => {
  const all = [...input.commitments]
  const { openedAt, quantity } = input.terms
  const reserve = naiveReserve(input)
  const score = (one: Commitment) => (naiveOffer(input, one) - reserve) * one.quantity
  const isEligible = (one: Commitment) => naiveOffer(input, one) >= reserve && one.quantity <= quantity
  const eligible = all.filter(isEligible)
  const owners = [...new Set(eligible.map((one) => one.trader.owner))]
  const isMachine = (owner: string) =>
    input.machineOwners.has(owner) || all.some((one) => one.trader.owner === owner && one.trader.type === "machine")
  const weight = (owner: string) =>
    eligible
      .filter((one) => one.trader.owner === owner)
      .map((one) => one.collateral as bigint)
      .reduce((one, other) => (one > other ? one : other))
  const total = (some: ReadonlyArray<string>) => some.map(weight).reduce((one, other) => one + other, 0n)
  const machines = owners.filter(isMachine)
  const humans = owners.filter((owner) => !isMachine(owner))
  const excluded = total(machines) >= 3n * total(humans) ? [] : machines
  const stand = eligible.filter((one) => !excluded.includes(one.trader.owner))

  const batch = (one: Commitment) => (one.acceptedAt - openedAt - ((one.acceptedAt - openedAt) % 100)) / 100
  const bestOf = (some: ReadonlyArray<Commitment>): Commitment => {
    const topScore = some.filter((one) => some.every((other) => score(other) <= score(one)))
    const topCollateral = topScore.filter((one) => topScore.every((other) => other.collateral <= one.collateral))
    const first = topCollateral.filter((one) => topCollateral.every((other) => batch(other) >= batch(one)))
    const hashes = first.map((one) => input.tieHash(one.trader.owner)).toSorted()
    const byHash = first.filter((one) => input.tieHash(one.trader.owner) === hashes[0])
    const ordinals = byHash.map((one) => one.ordinal)
    return byHash.find((one) => one.ordinal === Math.min(...ordinals))!
  }
  const inOrder = (some: ReadonlyArray<Commitment>): ReadonlyArray<Commitment> => {
    if (some.length === 0) return []
    const best = bestOf(some)
    return [best, ...inOrder(some.filter((one) => one !== best))]
  }

  const best = stand.length === 0 ? undefined : bestOf(stand)
  const others = best === undefined ? [] : stand.filter((one) => one.trader.owner !== best.trader.owner)
  const rival = others.map(score).reduce((one, other) => (one > other ? one : other), 0n)
  const premium = best === undefined ? 0n : rival / best.quantity + (rival % best.quantity === 0n ? 0n : 1n)
  return {
    winner: best?.commitmentId ?? null,
    clearing: best === undefined ? null : reserve + premium,
    excluded,
    ranking: [
      ...inOrder(stand).map((one, index) => [one.commitmentId, index === 0 ? null : ("outbid" as const)] as const),
      ...inOrder(eligible.filter((one) => !stand.includes(one))).map((one) => [one.commitmentId, "ARENA_007"] as const),
      ...inOrder(all.filter((one) => !isEligible(one))).map((one) => [one.commitmentId, "below_reference"] as const)
    ]
  }
}

/**
 * The mean of the price that stood in every `grid` milliseconds of the averaging window, rounded down. All times are
 * multiples of `grid` apart.
 */
export const naiveMean = (
  medians: ReadonlyArray<Median>,
  referenceAt: number,
  settlementAt: number,
  grid: number
): bigint => {
  const start = referenceAt > settlementAt - 900_000 ? referenceAt : settlementAt - 900_000
  const safe = medians.filter((median) => median.safe && median.at >= referenceAt)
  let sum = 0n
  let count = 0n
  let next = 0
  for (let at = start; at < settlementAt; at += grid) {
    while (next < safe.length && safe[next]!.at <= at) next += 1
    sum += safe[next - 1]!.price
    count += 1n
  }
  return sum / count
}

/** The settlement told again: what the winner gains, from whole and part figures apart. */
export const naiveProfit = (winner: Commitment, clearing: bigint, price: bigint): bigint => {
  const gain = price > clearing ? price - clearing : clearing - price
  const whole = (gain * winner.quantity) / MILLION
  const bounded = whole > winner.collateral ? winner.collateral : whole
  return price > clearing ? bounded : -bounded
}

export interface NaiveWorld {
  readonly terms: OrderTerms
  readonly status: string
  readonly halted: boolean
  readonly now: number
  readonly earlier: number
  readonly vaultClosed: boolean
  /** What the trader can spend, and may still lose; null without such a limit. */
  readonly available: bigint
  readonly allowance: bigint | null
}

/** Every reason there is to refuse a submission, in the order in which they are checked. */
export const naiveRefusals = (world: NaiveWorld, asked: Submission): ReadonlyArray<string> => {
  const { terms, status } = world
  const { proposedPrice: price, exitPrice, quantity, slippage, trader, barred } = asked
  const limit = limitOf(asked)
  const value = terms.entryPrice * quantity
  const collateral = value * 381n === 0n ? 0n : (value * 381n - 1n) / 10_000_000_000n + 1n
  const outside =
    price * 10n > terms.entryPrice * 11n ||
    price * 10n < terms.entryPrice * 9n ||
    limit < terms.entryPrice ||
    exitPrice <= limit ||
    slippage < 0n ||
    slippage > 50_000n ||
    quantity < 1n ||
    quantity > terms.quantity ||
    value > 8_000_000_000n * MILLION * MILLION
  const causes: ReadonlyArray<readonly [boolean, string]> = [
    [world.halted, "CircuitBreakerOpen"],
    [status === "settled", "OrderNotOpen"],
    [world.now >= terms.expiryAt || status === "settling", "WindowClosed"],
    [barred === "machine_not_active", "MachineNotRegistered"],
    [trader.owner === terms.maker.owner || barred === "suspended", "AccessDenied"],
    [outside, "InvalidTerms"],
    [world.earlier >= 1_000, "TooManyCommitments"],
    [world.allowance !== null && world.allowance < collateral, "LossLimitReached"],
    [world.vaultClosed, "VaultClosed"],
    [world.available < collateral, "InsufficientCollateral"]
  ]
  return causes.flatMap(([present, name]) => (present ? [name] : []))
}

interface NaiveOutcome {
  readonly voided: VoidReason | undefined
  /** Who won the choice, and who settled. */
  readonly chosen: string | null
  readonly winner: string | null
  readonly clearing: bigint | null
  readonly price: bigint | null
  readonly takeProfit: boolean
  readonly profit: bigint
  /** Why each commitment lost, by id. */
  readonly reasons: ReadonlyMap<string, LossReason | null>
}

/**
 * How an order must end, from all that was recorded alone: it cannot depend on when its timer ran. `grid` is the
 * common divisor of the times, in milliseconds.
 */
export const naiveOutcome = (
  world: {
    readonly terms: OrderTerms
    readonly state: { readonly commitments: ReadonlyMap<string, Commitment> }
    readonly medians: ReadonlyArray<Median>
    readonly haltedAtExpiry: boolean
    readonly facts: Pick<CompetitionInput, "machineOwners" | "rule" | "register" | "tieHash">
  },
  grid: number
): NaiveOutcome => {
  const { terms, medians } = world
  const commitments = [...world.state.commitments.values()]
  const safe = medians.filter((median) => median.safe)
  const none = {
    voided: undefined,
    chosen: null,
    winner: null,
    clearing: null,
    price: null,
    takeProfit: false,
    profit: 0n,
    reasons: new Map(commitments.map((one) => [one.commitmentId, "void" as const]))
  }
  if (commitments.length === 0) return none
  if (world.haltedAtExpiry) return { ...none, voided: "breaker_open_at_expiry" }
  const reference = safe.find(({ at }) => at >= terms.expiryAt && at < terms.settlementAt)
  if (reference === undefined) return { ...none, voided: "no_reference_price" }
  const input = { ...world.facts, terms, reference: reference.price }
  const { winner: chosen, clearing, ranking } = naiveChoice({ ...input, commitments })
  const choice = { ...none, chosen, clearing, reasons: new Map(ranking) }
  const winner = commitments.find((one) => one.commitmentId === chosen)
  if (winner === undefined || clearing === null) return choice
  const waited = terms.settlementAt + 24 * 60 * 60 * 1_000
  if (!safe.some(({ at }) => at >= terms.settlementAt && at < waited))
    return { ...choice, voided: "no_settlement_price" }
  const seen = safe.filter(({ at }) => at >= reference.at && at <= terms.settlementAt)
  const takeProfit = seen.some(({ price }) => price >= winner.exitPrice)
  const price = takeProfit ? winner.exitPrice : naiveMean(medians, reference.at, terms.settlementAt, grid)
  return { ...choice, winner: chosen, price, takeProfit, profit: naiveProfit(winner, clearing, price) }
}
