import uPlot from "uplot"
import { colour, money } from "./PageElements.ts"

const HEIGHT = 280

/** Room for a price with its thousands. */
const AXIS_SIZE = 74

export type Part = Omit<uPlot.Options, "width" | "height">

export const axis = (options: uPlot.Axis = {}): uPlot.Axis => ({
  stroke: colour("--quiet"),
  grid: { stroke: colour("--grid"), width: 1 },
  ticks: { show: false },
  font: "12px system-ui",
  ...options
})

/** As many decimals as its steps need. */
export const moneyAxis: uPlot.Axis = {
  size: AXIS_SIZE,
  values: (_, splits, __, ___, step) => {
    const digits = step >= 1 ? 0 : (String(Number(step.toFixed(6))).split(".")[1]?.length ?? 6)
    return splits.map((value) => value.toLocaleString("en", { minimumFractionDigits: digits }))
  }
}

export const wholeAxis: uPlot.Axis = {
  size: AXIS_SIZE,
  incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000],
  values: (_, splits) => splits.map((value) => value.toLocaleString("en"))
}

/** Draws a chart as wide as its place, and again when that or the colours change. */
export const chart = (place: HTMLElement, options: () => Part, data: uPlot.AlignedData): void => {
  let drawn: uPlot | undefined
  const draw = (): void => {
    drawn?.destroy()
    drawn = new uPlot({ ...options(), width: Math.max(240, place.clientWidth), height: HEIGHT }, data, place)
  }
  draw()
  let width = place.clientWidth
  new ResizeObserver(() => {
    if (place.clientWidth === width || drawn === undefined) return
    width = place.clientWidth
    drawn.setSize({ width: Math.max(240, width), height: HEIGHT })
  }).observe(place)
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    if (place.isConnected) draw()
  })
}

/** A price or an amount in a legend. */
export const shown = (value: number | null): string => (value === null ? "–" : money(value))

/** A chart of bars over numbered things; each has its own colour. */
export const barsOptions = (
  what: string,
  labels: ReadonlyArray<string>,
  values: uPlot.Axis,
  series: ReadonlyArray<uPlot.Series>
): Part => ({
  scales: { x: { time: false, range: [-0.6, Math.max(0.6, labels.length - 0.4)] }, y: { range: withZero } },
  axes: [axis({ show: false }), axis(values)],
  series: [{ label: what, value: (_, index) => (index === null ? "–" : (labels[index] ?? "")) }, ...series]
})

const withZero = (_: uPlot, low: number | null, high: number | null): uPlot.Range.MinMax => {
  const [bottom, top] = [Math.min(0, low ?? 0), Math.max(0, high ?? 0)]
  const room = (top - bottom || 1) * 0.06
  return [bottom < 0 ? bottom - room : 0, top > 0 ? top + room : room]
}

const BAR_WIDTH = 0.72
const MOST_BAR_WIDTH = 48

/** Bars of a colour for each value. */
export const bars = (fills: () => ReadonlyArray<string>): uPlot.Series.PathBuilder => {
  const values = (): ReadonlyArray<string> => fills()
  const make = uPlot.paths.bars
  if (make === undefined) throw new Error("the chart library has no bars")
  return make({
    size: [BAR_WIDTH, MOST_BAR_WIDTH],
    radius: 0.12,
    disp: {
      fill: { unit: 3, values: () => [...values()] },
      stroke: { unit: 3, values: () => [...values()] }
    }
  })
}

export const numbers = (length: number): Array<number> => Array.from({ length }, (_, index) => index)
