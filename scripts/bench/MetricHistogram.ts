/** How often each bound of a histogram was kept since the program began, ascending: the last one is infinite. */
export type Buckets = ReadonlyArray<{ readonly bound: number; readonly count: number }>

/** The buckets of a histogram in Prometheus' text format; none where it has no values yet. */
export const bucketsIn = (text: string, name: string): Buckets =>
  text.split("\n").flatMap((line) => {
    const [, bound, count] =
      /^(?:[^{]+)\{le="([^"]+)"\} (\S+)$/.exec(line.startsWith(`${name}_bucket{`) ? line : "") ?? []
    return bound === undefined ? [] : [{ bound: bound === "+Inf" ? Infinity : Number(bound), count: Number(count) }]
  })

/** The least bound that so large a share of the values kept which came between two looks. */
export const boundOf = (before: Buckets, after: Buckets, share: number): number => {
  const counts = after.map(({ bound, count }, index) => ({ bound, count: count - (before[index]?.count ?? 0) }))
  const all = counts.at(-1)?.count ?? 0
  return counts.find(({ count }) => count > 0 && count >= share * all)?.bound ?? Number.NaN
}
