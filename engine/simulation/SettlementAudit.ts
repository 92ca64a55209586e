import type { CommitmentYield, OrderSettled } from "../arena/ArenaEvent.ts"
import type { Command } from "../ledger/Command.ts"
import type { Report } from "./LedgerAudit.ts"
import type { NaiveCommitment, NaiveOrder, Wire } from "./NaiveOrder.ts"
import type { NaivePrice } from "./WorldRecord.ts"

const MILLION = 1_000_000n
const AVERAGED_MILLIS = 900_000
const YEAR_MILLIS = 31_536_000_000n
const RATE_ONE = 1_000_000_000_000n

/** The price, profit and postings of a settled order, computed anew. */
export const auditSettlement = (
  order: NaiveOrder,
  event: Wire<OrderSettled>,
  prices: ReadonlyArray<NaivePrice>,
  commands: ReadonlyArray<Command>,
  report: Report
): void => {
  const { choice, terms } = order
  const winner = order.commitments.get(choice?.winner ?? "")
  const clearing = choice?.clearing ?? null
  if (winner === undefined || choice === null || clearing === null) {
    if (event.winner !== null || event.price !== null || event.profit !== "0") {
      report("settlement", `${order.id} settled with a winner that nobody chose`)
    }
    if (paid(commands, terms.maker.account) !== 0n) report("settlement", `${order.id} paid without a winner`)
    return
  }
  if (event.winner?.commitmentId !== winner.id) report("settlement", `${order.id} settled another winner`)
  if (!prices.some(({ at, safe }) => safe && at >= terms.settlementAt)) {
    report("settlement_price", `${order.id} settled before its price was final`)
  }
  const window = prices.filter(({ at, safe }) => safe && at >= choice.referenceAt)
  const reached = window.some(({ at, price }) => at <= terms.settlementAt && price >= winner.exit)
  const price = reached ? winner.exit : naiveMean(window, choice.referenceAt, terms.settlementAt)
  if (event.price === null || BigInt(event.price) !== price || event.takeProfit !== reached) {
    report("settlement_price", `${order.id} settled at ${event.price}, not ${price}`)
  }
  const profit = naiveProfit(winner, clearing, price)
  if (BigInt(event.profit) !== profit) report("profit", `${order.id} paid ${event.profit}, not ${profit}`)
  const gained = paid(commands, winner.account)
  const lost = paid(commands, terms.maker.account)
  if (gained - lost !== profit || (gained !== 0n && lost !== 0n)) {
    report("profit", `${order.id} moved ${gained} to the winner and ${lost} to the maker for a profit of ${profit}`)
  }
}

/** What settlements pay into an account. */
export const paid = (commands: ReadonlyArray<Command>, account: string): bigint => {
  let sum = 0n
  for (const command of commands) {
    if (command._tag === "Capture" && command.purpose === "settlement" && command.to === account) sum += command.amount
  }
  return sum
}

/** Each price counts for as long as it stood, rounded down. */
const naiveMean = (prices: ReadonlyArray<NaivePrice>, referenceAt: number, settlementAt: number): bigint => {
  const start = settlementAt - AVERAGED_MILLIS > referenceAt ? settlementAt - AVERAGED_MILLIS : referenceAt
  let sum = 0n
  let until = settlementAt
  for (const { at, price } of prices.toReversed()) {
    if (at >= settlementAt) continue
    const from = at > start ? at : start
    if (from < until) sum += price * BigInt(until - from)
    until = from < until ? from : until
  }
  return sum / BigInt(settlementAt - start)
}

const naiveProfit = (winner: NaiveCommitment, clearing: bigint, price: bigint): bigint => {
  const apart = price > clearing ? price - clearing : clearing - price
  const whole = (apart * winner.quantity) / MILLION
  const bounded = whole > winner.collateral ? winner.collateral : whole
  return price > clearing ? bounded : -bounded
}

/** The highest and the lowest yield a year that the vault ever has in a simulation, in 10⁻¹². */
export interface YieldRange {
  readonly least: bigint
  readonly most: bigint
}

/**
 * What collateral earned, within what a year's yield between two bounds can give, split 70, 10, 15 and 5 to the unit,
 * and paid by exactly these payments. For y ≤ 1 and t ≤ 1 year: t·(y − y²÷2) ≤ (1 + y)ᵗ − 1 ≤ t·y.
 */
export const auditYields = (
  order: NaiveOrder,
  yields: ReadonlyArray<Wire<CommitmentYield>>,
  released: ReadonlyArray<NaiveCommitment>,
  at: number,
  commands: ReadonlyArray<Command>,
  range: YieldRange,
  report: Report
): void => {
  const covers = new Map<string, bigint>()
  for (const command of commands) if (command._tag === "Cover") covers.set(command.id, command.amount)
  let expected = 0
  const pays = (party: string, commitmentId: string, amount: bigint): void => {
    if (amount === 0n) return
    expected += 1
    if (covers.get(`yield/${party}/${commitmentId}`) !== amount) {
      report("yield", `${commitmentId} pays ${party} something other than ${amount}`)
    }
  }
  for (const raw of yields) {
    const { commitmentId } = raw
    const one = order.commitments.get(commitmentId)
    const trader = BigInt(raw.trader)
    const insurance = BigInt(raw.insurance)
    const platform = BigInt(raw.platform)
    const tokenHolders = BigInt(raw.tokenHolders)
    const total = trader + insurance + platform + tokenHolders
    const isSplit = trader === (total * 7n) / 10n && platform === (total * 3n) / 20n && tokenHolders === total / 20n
    if (!isSplit || one === undefined || !isEarned(one, total, at, range)) {
      report("yield", `${commitmentId} earned ${total} on ${one?.collateral}, ${trader} of it for the trader`)
    }
    pays("trader", commitmentId, trader)
    pays("insurance", commitmentId, insurance)
    pays("platform", commitmentId, platform)
    pays("token_holders", commitmentId, tokenHolders)
  }
  const told = new Set(yields.map(({ commitmentId }) => commitmentId))
  if (told.size !== yields.length) report("yield", `${order.id} tells a yield twice`)
  for (const one of released) {
    if (!told.delete(one.id) && !isEarned(one, 0n, at, range)) report("yield", `${one.id} earned nothing`)
  }
  if (told.size > 0) report("yield", `${order.id} pays a yield on what it does not release`)
  if (covers.size !== expected) report("yield", `${order.id} pays ${covers.size} yields, not ${expected}`)
}

const isEarned = (
  { collateral, acceptedAt }: NaiveCommitment,
  total: bigint,
  at: number,
  range: YieldRange
): boolean => {
  const millis = BigInt(at > acceptedAt ? at - acceptedAt : 0)
  const most = (collateral * millis * range.most) / (YEAR_MILLIS * RATE_ONE)
  const slowest = range.least - (range.least * range.least) / (2n * RATE_ONE)
  const least = (collateral * millis * slowest) / (YEAR_MILLIS * RATE_ONE)
  return total <= most && total + 1n >= least
}
