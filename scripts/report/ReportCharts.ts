import type uPlot from "uplot"
import { axis, bars, barsOptions, chart, moneyAxis, numbers, shown, wholeAxis } from "./ChartParts.ts"
import { colour, money } from "./PageElements.ts"
import type { ReportOrder, ReportTrader } from "./ReportData.ts"

const clock = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(11, 19)

/** Times of the day, which is all that a simulated order spans. */
const timeAxis: uPlot.Axis = { space: 90, values: (_, splits) => splits.map(clock) }

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
  const ratio = devicePixelRatio
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
