import type { Answer } from "../Contract.ts"

/** A commitment of a bot. */
export type BotCommitment = Answer<"GET /api/arena/machine-traders/:bot_id/commitments">["commitments"][number]

/** What a bot had made up to a moment. */
export interface EarnedPoint {
  /** Milliseconds since 1970. */
  readonly time: number
  /** USD. */
  readonly value: number
}

const earned = ({ profit, yield_earned: interest }: BotCommitment): number => profit + interest

const isDecided = ({ loss_reason: reason, status }: BotCommitment): boolean =>
  status === "settled" || (status === "lost" && reason !== "void")

const cents = (value: number): number => Math.round(value * 1e6) / 1e6

/**
 * What a bot made over time, by when it committed: it begins at `start`, what it had made before the first of these
 * commitments, and ends at what it has made now.
 */
export const earnedOver = (commitments: ReadonlyArray<BotCommitment>, total: number): ReadonlyArray<EarnedPoint> => {
  const ended = commitments.filter(({ status }) => status === "settled" || status === "lost")
  const ordered = ended.toSorted((one, other) => Date.parse(one.created_at) - Date.parse(other.created_at))
  let sum = cents(total - ordered.reduce((all, each) => all + earned(each), 0))
  return ordered.map((each) => {
    sum = cents(sum + earned(each))
    return { time: Date.parse(each.created_at), value: sum }
  })
}

/** What a bot made of one asset type. */
export interface TypeResult {
  readonly assetType: BotCommitment["asset_type"]
  readonly decided: number
  readonly won: number
  /** USD. */
  readonly profit: number
}

/** Results by asset type, the best first. */
export const byAssetType = (commitments: ReadonlyArray<BotCommitment>): ReadonlyArray<TypeResult> => {
  const results = new Map<string, TypeResult>()
  for (const each of commitments.filter(isDecided)) {
    const { asset_type: assetType, status } = each
    const before = results.get(assetType) ?? { assetType, decided: 0, won: 0, profit: 0 }
    results.set(assetType, {
      assetType,
      decided: before.decided + 1,
      won: before.won + (status === "settled" ? 1 : 0),
      profit: cents(before.profit + earned(each))
    })
  }
  return [...results.values()].toSorted((one, other) => other.profit - one.profit)
}
