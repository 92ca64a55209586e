/** One price of an order's unit. */
export interface PricePoint {
  /** Milliseconds since 1970. */
  readonly at: number
  /** USD. */
  readonly price: number
}

/** Live prices that are kept of one asset; older ones make room. */
export const MAX_POINTS = 600

/** A series with one price more. What is not newer than its end is left out. */
export const withPoint = (series: ReadonlyArray<PricePoint>, point: PricePoint): ReadonlyArray<PricePoint> => {
  const last = series.at(-1)
  if (last !== undefined && point.at <= last.at) return series
  return [...series.slice(-(MAX_POINTS - 1)), point]
}

/** What was recorded, then what came live after it, within a span of time. */
export const joined = (
  recorded: ReadonlyArray<PricePoint>,
  live: ReadonlyArray<PricePoint>,
  until: number
): ReadonlyArray<PricePoint> => {
  const end = recorded.at(-1)?.at ?? -Infinity
  return [...recorded, ...live.filter(({ at }) => at > end)].filter(({ at }) => at <= until)
}

/** Points of a small drawing: an SVG polyline in a box of `width` × `height`; empty with fewer than two. */
export const sparkline = (series: ReadonlyArray<PricePoint>, width: number, height: number): string => {
  const [first, last] = [series[0], series.at(-1)]
  if (first === undefined || last === undefined || series.length < 2) return ""
  const prices = series.map(({ price }) => price)
  const [low, high] = [Math.min(...prices), Math.max(...prices)]
  const x = (at: number): number => ((at - first.at) / (last.at - first.at)) * width
  const y = (price: number): number => (high === low ? height / 2 : height - ((price - low) / (high - low)) * height)
  return series.map(({ at, price }) => `${x(at).toFixed(1)},${y(price).toFixed(1)}`).join(" ")
}
