import uPlot from "uplot"
import { colour, money } from "./PageElements.ts"
import type { ReportOrder, ReportTrader } from "./ReportData.ts"

const HEIGHT = 280

/** Room for a price with its thousands. */
const AXIS_SIZE = 74

type Part = Omit<uPlot.Options, "width" | "height">

const axis = (options: uPlot.Axis = {}): uPlot.Axis => ({
  stroke: colour("--quiet"),
  grid: { stroke: colour("--grid"), width: 1 },
  ticks: { show: false },
  font: "12px system-ui",
  ...options
})

/** As many decimals as its steps need. */
const moneyAxis: uPlot.Axis = {
  size: AXIS_SIZE,
  values: (_, splits, __, ___, step) => {
    const digits = step >= 1 ? 0 : (String(Number(step.toFixed(6))).split(".")[1]?.length ?? 6)
    return splits.map((value) => value.toLocaleString("en", { minimumFractionDigits: digits }))
  }
}

const clock = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(11, 19)

/** Times of the day, which is all that a simulated order spans. */
const timeAxis: uPlot.Axis = { space: 90, values: (_, splits) => splits.map(clock) }

const wholeAxis: uPlot.Axis = {
  size: AXIS_SIZE,
  incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000],
  values: (_, splits) => splits.map((value) => value.toLocaleString("en"))
}

/** Draws a chart as wide as its place, and again when that or the colours change. */
const chart = (place: HTMLElement, options: () => Part, data: uPlot.AlignedData): void => {
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

/** A line across the chart at a price, or down it at a time, with its name. */
interface Mark {
  readonly name: string
  readonly at: number
  readonly scale: "x" | "y"
  readonly stroke: string
}

const drawMark = (plot: uPlot, { name, at, scale, stroke }: Mark): void => {
  const { ctx, bbox } = plot
  const place = plot.valToPos(at, scale, true)
  const ratio = uPlot.pxRatio
  const gap = 5 * ratio
  ctx.save()
  ctx.strokeStyle = stroke
  ctx.fillStyle = stroke
  ctx.lineWidth = ratio
  ctx.setLineDash([4 * ratio, 4 * ratio])
  ctx.font = `${12 * ratio}px system-ui`
  ctx.beginPath()
  if (scale === "y") {
    ctx.moveTo(bbox.left, place)
    ctx.lineTo(bbox.left + bbox.width, place)
    ctx.textAlign = "left"
    ctx.fillText(name, bbox.left + gap, place - gap)
  } else {
    ctx.moveTo(place, bbox.top)
    ctx.lineTo(place, bbox.top + bbox.height)
    ctx.textAlign = "right"
    ctx.fillText(name, place - gap, bbox.top + bbox.height - gap)
  }
  ctx.stroke()
  ctx.restore()
}

const marksOf = (order: ReportOrder): ReadonlyArray<Mark> => {
  const price = (name: string, at: number | null, variable: string): ReadonlyArray<Mark> =>
    at === null ? [] : [{ name: `${name} ${money(at)}`, at, scale: "y", stroke: colour(variable) }]
  return [
    { name: "expiry", at: order.expiryAt / 1_000, scale: "x", stroke: colour("--quiet") },
    { name: "settlement", at: order.settlementAt / 1_000, scale: "x", stroke: colour("--quiet") },
    ...price("clearing", order.clearing, "--mark"),
    ...price(order.takeProfit ? "take-profit" : "settled", order.settled, order.profit < 0 ? "--loss" : "--gain")
  ]
}

/** The prices of one order with what was decided on them. */
export const pricesChart = (place: HTMLElement, order: ReportOrder): void => {
  const known = [...order.prices, order.clearing, order.settled, order.entry].filter((price) => price !== null)
  const [low, high] = [Math.min(...known), Math.max(...known)]
  const room = (high - low || high * 0.01) * 0.08
  chart(
    place,
    () => ({
      scales: { y: { range: [low - room, high + room] } },
      axes: [axis(timeAxis), axis(moneyAxis)],
      series: [
        { label: "UTC", value: (_, seconds) => (seconds === null ? "–" : clock(seconds)) },
        {
          label: "Median",
          stroke: colour("--accent"),
          width: 1.75,
          points: { show: false },
          value: (_, one) => shown(one)
        }
      ],
      hooks: { draw: [(plot) => marksOf(order).forEach((mark) => drawMark(plot, mark))] }
    }),
    [order.at.map((at) => at / 1_000), [...order.prices]]
  )
}

const shown = (value: number | null): string => (value === null ? "–" : money(value))

/** A chart of bars over numbered things; each has its own colour. */
const barsOptions = (
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
const bars = (fills: () => ReadonlyArray<string>): uPlot.Series.PathBuilder => {
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

const numbers = (length: number): Array<number> => Array.from({ length }, (_, index) => index)

/** How many commitments and owners each order had. */
export const competitionChart = (place: HTMLElement, orders: ReadonlyArray<ReportOrder>): void => {
  const labels = orders.map(({ order, asset }) => `${order}, ${asset}`)
  const fills = () => orders.map(({ winner }) => colour(winner === null ? "--quiet" : "--accent"))
  chart(
    place,
    () =>
      barsOptions("Order", labels, wholeAxis, [
        {
          label: "Commitments (grey: without a winner)",
          paths: bars(fills),
          fill: colour("--accent"),
          points: { show: false }
        },
        {
          label: "Owners",
          stroke: colour("--machine"),
          width: 2,
          points: { show: orders.length < 60, size: 6, fill: colour("--card") }
        }
      ]),
    [numbers(orders.length), orders.map(({ commitments }) => commitments), orders.map(({ owners }) => owners)]
  )
}

/** One number of each trader. */
export const traderChart = (
  place: HTMLElement,
  traders: ReadonlyArray<ReportTrader>,
  label: string,
  of: (trader: ReportTrader) => number
): void => {
  const isWhole = label === "Wins"
  const labels = traders.map(({ id, type }) => `${id}, ${type}`)
  const fills = () =>
    traders.map((trader) =>
      label === "Profit"
        ? colour(of(trader) < 0 ? "--loss" : "--gain")
        : colour(trader.type === "machine" ? "--machine" : "--human")
    )
  chart(
    place,
    () =>
      barsOptions("Trader", labels, isWhole ? wholeAxis : moneyAxis, [
        { label, paths: bars(fills), fill: colour("--accent"), points: { show: false }, value: (_, one) => shown(one) }
      ]),
    [numbers(traders.length), traders.map(of)]
  )
}
