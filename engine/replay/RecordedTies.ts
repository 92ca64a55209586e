import { type Commitment } from "../arena/Commitment.ts"
import { type RankedCommitment, TIE_BATCH_MILLIS } from "../arena/Winner.ts"

/**
 * The order of owners that a ranking's ties tell of, in the place of the hash of their key: the first of two that stand
 * equal in everything else comes first. Owners that no tie compares may come in any order.
 */
export const recordedTies = (
  ranking: ReadonlyArray<RankedCommitment>,
  commitments: ReadonlyMap<string, Commitment>,
  openedAt: number
): ((owner: string) => string) => {
  const after = new Map<string, Set<string>>()
  for (const [index, standing] of ranking.entries()) {
    const next = ranking[index + 1]
    const later = after.get(standing.owner) ?? new Set()
    after.set(standing.owner, later)
    if (next === undefined || next.owner === standing.owner) continue
    if (equality(standing, commitments, openedAt) === equality(next, commitments, openedAt)) later.add(next.owner)
  }
  const places = new Map(sorted(after).map((owner, place) => [owner, `${place}`.padStart(PLACE_DIGITS, "0")]))
  return (owner) => places.get(owner) ?? ""
}

const PLACE_DIGITS = 10

/** Everything by which commitments are ranked before their owners' hashes, as one text. */
const equality = (
  { commitmentId, score, reason }: RankedCommitment,
  commitments: ReadonlyMap<string, Commitment>,
  openedAt: number
): string => {
  const commitment = commitments.get(commitmentId)
  const part = reason === "below_reference" || reason === "ARENA_007" ? reason : "eligible"
  const batch = commitment === undefined ? 0 : Math.floor((commitment.acceptedAt - openedAt) / TIE_BATCH_MILLIS)
  return `${part}/${score}/${commitment?.collateral}/${batch}`
}

/** Owners so that each comes before those after it (Kahn, 1962). Those of a circle, which no hash makes, are left out. */
const sorted = (after: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyArray<string> => {
  const waiting = new Map<string, number>([...after.keys()].map((owner) => [owner, 0]))
  for (const later of after.values()) for (const owner of later) waiting.set(owner, (waiting.get(owner) ?? 0) + 1)
  const ready = [...waiting].flatMap(([owner, count]) => (count === 0 ? [owner] : []))
  for (let at = 0; at < ready.length; at++) {
    for (const owner of after.get(ready[at] ?? "") ?? []) {
      const count = (waiting.get(owner) ?? 0) - 1
      waiting.set(owner, count)
      if (count === 0) ready.push(owner)
    }
  }
  return ready
}
