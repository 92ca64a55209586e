/** Whether something that a program is told was not public yet. */

import { Data } from "effect"
import { timeText } from "../wire/WireValue.ts"
import type { MarketFrame, MarketFrameData, PublicOrder } from "./MarketFrame.ts"
import { millisOf, type RecordedAuction } from "./PublishedAuction.ts"

/** A replay was about to tell what was recorded later. */
export class LookAhead extends Data.TaggedError("LookAhead")<{
  readonly at: number
  readonly what: string
}> {
  override get message(): string {
    return `Nothing may be told before its moment: at ${timeText(this.at)} ${this.what}.`
  }
}

/** What is public of an order from its opening on, and what only from its end on. */
const AT_OPENING: ReadonlySet<string> = new Set([
  "order_id",
  "asset_type",
  "asset_details",
  "quantity",
  "entry_price",
  "opened_at",
  "expiry_date",
  "settlement_date",
  "status",
  "market_maker",
  "onchain_order_id",
  "bids",
  "maker_discount",
  "tie_key_hash"
])
const AT_END: ReadonlySet<string> = new Set(["settlement_price", "tie_key", "void_reason"])

/** What is public of a bid while it competes, and what is not where bids are sealed. */
const COMPETING: ReadonlySet<string> = new Set([
  "commitment_id",
  "trader_address",
  "trader_type",
  "proposed_entry_price",
  "expected_exit_price",
  "quantity",
  "collateral",
  "status"
])
const SEALED: ReadonlySet<string> = new Set(["proposed_entry_price", "expected_exit_price"])

/** A name that the record has not: something was added that nobody ever saw. */
const unknownName = (told: object, recorded: object): string | undefined =>
  Object.keys(told).find((name) => !(name in recorded))

/** The first thing that is told whose name is one that may not be. */
const firstTold = (told: object, isEarly: (name: string) => boolean): string | undefined =>
  Object.entries(told).find(([name, value]) => value !== null && isEarly(name))?.[0]

const orderProblem = (told: PublicOrder, now: number, { published, rivals, terms }: Watched): string | undefined => {
  if (now < terms.openedAt) return "an order is told that was not open"
  const name = unknownName(told, published)
  if (name !== undefined || "commitments" in told) return `an order tells ${name ?? "its commitments"}`
  const isOver = now >= terms.expiryAt
  const mayHaveEnded = now >= terms.settlementAt || (isOver && (published.void_reason !== null || rivals === 0))
  const early = firstTold(told, (name) => (isOver ? !mayHaveEnded && AT_END.has(name) : !AT_OPENING.has(name)))
  if (early !== undefined) return `an order tells its ${early}`
  return isOver || told.status === "open" || told.status === "competing" ? undefined : `an order is ${told.status}`
}

const bidProblem = (
  told: MarketFrameData["commitment_updated"],
  now: number,
  { published, terms }: Watched
): string | undefined => {
  const { order_id: _, ...bid } = told
  const recorded = published.commitments.find(({ commitment_id: id }) => id === bid.commitment_id)
  if (recorded === undefined || recorded.accepted_at === null) return "a commitment is told that was never made"
  if (now < millisOf(recorded.accepted_at)) return "a commitment is told that was not made"
  const name = unknownName(bid, recorded)
  if (name !== undefined) return `a commitment tells ${name}`
  const isRanked = now >= terms.expiryAt && bid.rank !== null
  const isSealed = published.bids === "sealed"
  const early = firstTold(bid, (name) => !isRanked && (!COMPETING.has(name) || (isSealed && SEALED.has(name))))
  return early === undefined ? undefined : `a commitment tells its ${early}`
}

/** What an event is judged by: the record of its auction, and how many bid on it. */
type Watched = Pick<RecordedAuction, "published" | "terms"> & { readonly rivals: number }

/**
 * Judges an event by the record alone, whoever made it: each of its facts must have been public at its time.
 *
 * @param auction - the record of the auction that it tells of, where it tells of one
 */
export const lookAheadOf = (event: MarketFrame, now: number, auction: Watched | undefined): LookAhead | undefined => {
  const what =
    millisOf(event.timestamp) > now
      ? `an event of ${event.timestamp} is told`
      : auction === undefined
        ? undefined
        : event.type === "order_updated"
          ? orderProblem(event.data, now, auction)
          : event.type === "commitment_updated"
            ? bidProblem(event.data, now, auction)
            : undefined
  return what === undefined ? undefined : new LookAhead({ at: now, what })
}
