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

/** Commitments of one page, as many as the platform answers at once. */
export const PAGE = 100

/** Commitments of which the curve is drawn at most, the newest ones. */
export const MOST_DRAWN = 2_000

/** Where older pages begin: within the newest page, so that none is missing between when new ones come. */
export const OLDER_FROM = PAGE / 2

/** Where each page of older commitments begins, of a bot with so many. */
export const olderOffsets = (total: number): ReadonlyArray<number> => {
  const pages = total <= PAGE ? 0 : Math.ceil((Math.min(total, MOST_DRAWN) - OLDER_FROM) / PAGE)
  return Array.from({ length: pages }, (_, page) => OLDER_FROM + page * PAGE)
}

/** The newest commitments and older ones, each once; what is told of one that is in both is the newest's. */
export const together = (
  newest: ReadonlyArray<BotCommitment>,
  older: ReadonlyArray<BotCommitment>
): ReadonlyArray<BotCommitment> => {
  const known = new Set(newest.map(({ commitment_id: id }) => id))
  return [...newest, ...older.filter(({ commitment_id: id }) => !known.has(id))].slice(0, MOST_DRAWN)
}

/** What a curve covers. */
export interface Coverage {
  readonly shown: number
  readonly isAll: boolean
  /** When the first of them was made; undefined where there are none. */
  readonly first: string | undefined
}

/** What commitments, newest first, cover of a bot's. */
export const coverageOf = (rows: ReadonlyArray<BotCommitment>, total: number): Coverage => ({
  shown: rows.length,
  isAll: rows.length >= total,
  first: rows.at(-1)?.created_at
})

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
