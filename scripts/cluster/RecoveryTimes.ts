import { acknowledgedAt, type Operation } from "./History.ts"

/** Something that was done to a cluster. */
export interface Fault {
  readonly kind: string
  /** In milliseconds of the clients' clock. */
  readonly at: number
}

/** How many times a percentile of 99 needs. */
const ENOUGH = 100

/** What came of the faults of one kind. */
export interface Recovery {
  /** Milliseconds from each to the next acknowledgement of a request that began after it. */
  readonly times: ReadonlyArray<number>
  /** Requests through the balancer whose first answer was lost behind one of them and before the next fault. */
  readonly lost: number
}

/** When requests were acknowledged at the earliest, of all that began at a moment or later. */
const acknowledgedAfter = (operations: ReadonlyArray<Operation>): ((moment: number) => number) => {
  const begun = operations
    .flatMap((operation) => {
      const at = acknowledgedAt(operation)
      return at === undefined ? [] : [{ began: operation.began, at }]
    })
    .toSorted((one, other) => one.began - other.began)
  const earliest = begun.map(({ at }) => at)
  for (let index = earliest.length - 2; index >= 0; index--) {
    earliest[index] = Math.min(earliest[index] ?? Infinity, earliest[index + 1] ?? Infinity)
  }
  return (moment) => earliest[begun.findIndex(({ began }) => began >= moment)] ?? Infinity
}

/** What came of each kind of fault. */
export const recoveries = (
  faults: ReadonlyArray<Fault>,
  operations: ReadonlyArray<Operation>
): ReadonlyMap<string, Recovery> => {
  const next = acknowledgedAfter(operations)
  const lost = operations.flatMap(({ isDirect, replies: [first] }) =>
    first?.outcome === "unknown" && !isDirect ? [first.at] : []
  )
  const found = new Map<string, Recovery>()
  for (const [index, { at, kind }] of faults.entries()) {
    const end = faults[index + 1]?.at ?? Infinity
    const before = found.get(kind) ?? { times: [], lost: 0 }
    found.set(kind, {
      times: [...before.times, next(at) - at],
      lost: before.lost + lost.filter((moment) => moment >= at && moment < end).length
    })
  }
  return found
}

const quantile = (sorted: ReadonlyArray<number>, part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0

const seconds = (millis: number): string => (millis === Infinity ? "never" : (millis / 1_000).toFixed(2))

/**
 * A row for each kind: how often; the median, the longest and, where there are enough, the 99th percentile of the times
 * in seconds; and requests whose first answer was lost.
 */
export const recoveryTable = (found: ReadonlyMap<string, Recovery>): string =>
  [
    "| fault | times | p50 | longest | p99 | requests without an answer |",
    "|---|---|---|---|---|---|",
    ...[...found]
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([kind, { lost, times }]) => {
        const sorted = times.toSorted((one, other) => one - other)
        const p99 = sorted.length < ENOUGH ? "" : seconds(quantile(sorted, 0.99))
        const [p50, longest] = [seconds(quantile(sorted, 0.5)), seconds(sorted.at(-1) ?? 0)]
        return `| ${kind} | ${sorted.length} | ${p50} | ${longest} | ${p99} | ${lost} |`
      })
  ].join("\n")
