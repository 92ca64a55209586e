/** A prediction and what came true. */
export interface Judged {
  /** Higher is better. */
  readonly score: number
  /** Probability of default, from 0 to 1. */
  readonly probability: number
  readonly paidBack: boolean
}

/**
 * The area under the ROC curve: the probability that a credit that was paid back has the higher score than one that was
 * not, equal scores counting half (Mann and Whitney, 1947).
 */
export const areaUnderCurve = (judged: ReadonlyArray<Pick<Judged, "score" | "paidBack">>): number => {
  const ascending = judged.toSorted((a, b) => a.score - b.score)
  let ranks = 0
  let good = 0
  for (let from = 0; from < ascending.length;) {
    let to = from
    while (to < ascending.length && ascending[to]!.score === ascending[from]!.score) to++
    const paid = ascending.slice(from, to).filter(({ paidBack }) => paidBack).length
    ranks += (paid * (from + to + 1)) / 2
    good += paid
    from = to
  }
  return (ranks - (good * (good + 1)) / 2) / (good * (ascending.length - good))
}

/** The mean squared difference of probability and outcome (Brier, 1950). */
export const brierScore = (judged: ReadonlyArray<Pick<Judged, "probability" | "paidBack">>): number =>
  judged.reduce((sum, { probability, paidBack }) => sum + (probability - (paidBack ? 0 : 1)) ** 2, 0) / judged.length

export interface Bucket {
  readonly lowest: number
  readonly highest: number
  readonly applications: number
  readonly predicted: number
  readonly observed: number
}

/** Predicted and observed defaults in equal parts of the predictions, the lowest scores first. */
export const calibration = (judged: ReadonlyArray<Judged>, parts: number): ReadonlyArray<Bucket> => {
  const ascending = judged.toSorted((a, b) => a.score - b.score)
  return Array.from({ length: parts }, (_, part) => {
    const bucket = ascending.slice(
      Math.floor((part * ascending.length) / parts),
      Math.floor(((part + 1) * ascending.length) / parts)
    )
    const mean = (value: (one: Judged) => number) => bucket.reduce((sum, one) => sum + value(one), 0) / bucket.length
    return {
      lowest: bucket[0]!.score,
      highest: bucket.at(-1)!.score,
      applications: bucket.length,
      predicted: mean(({ probability }) => probability),
      observed: mean(({ paidBack }) => (paidBack ? 0 : 1))
    }
  })
}
