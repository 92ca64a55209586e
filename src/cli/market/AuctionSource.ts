import type { Median } from "../../../engine/arena/Median.ts"
import { type RecordedAuction, recordedAuction } from "../../../engine/market/PublishedAuction.ts"
import { type Effect, Result, Schema } from "effect"
import { OrderDetail } from "../../api/Arena.ts"
import { isoDay } from "../../api/UtcDay.ts"
import { CommandFailed } from "../CommandFailed.ts"

/** What is recorded of one day. */
export interface MarketDay {
  /** The auctions that ended of those that settle in it. */
  readonly auctions: ReadonlyArray<RecordedAuction>
  /** The prices recorded in it, ascending; none where the source has none. */
  readonly medians: ReadonlyArray<Median>
}

/** Recorded auctions by day, wherever they are. */
export interface AuctionSource {
  /** Where they are, for people. */
  readonly place: string
  /** The days with auctions, ascending, as days since 1970. */
  readonly days: ReadonlyArray<number>
  readonly read: (day: number) => Effect.Effect<MarketDay, CommandFailed>
}

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.toEncoded(OrderDetail)))

/** The auctions of the lines of `auctions.jsonl`; those that go on are left out. */
export const auctionsOf = (day: number, text: string): Result.Result<ReadonlyArray<RecordedAuction>, CommandFailed> => {
  const auctions: Array<RecordedAuction> = []
  for (const [index, line] of text.split("\n").entries()) {
    if (line === "") continue
    const read = Result.flatMap(decode(line), (published) => Result.try(() => recordedAuction(published)))
    if (Result.isFailure(read)) {
      return Result.fail(
        new CommandFailed({ message: `${isoDay(day)}: line ${index + 1} of auctions.jsonl is no auction.` })
      )
    }
    if (read.success.published.status === "settled") auctions.push(read.success)
  }
  return Result.succeed(auctions)
}
