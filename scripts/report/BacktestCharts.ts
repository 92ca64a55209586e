import type uPlot from "uplot"
import type { BacktestBot } from "./BacktestData.ts"
import { axis, bars, barsOptions, chart, moneyAxis, numbers, shown } from "./ChartParts.ts"
import { colour } from "./PageElements.ts"

const MILLIS = 1_000

const dayOf = (seconds: number): string => new Date(seconds * MILLIS).toISOString().slice(0, "2026-01-01".length)

const secondsOf = ({ days }: BacktestBot): Array<number> => days.map(({ date }) => Date.parse(date) / MILLIS)

const dayAxis: uPlot.Axis = { space: 90, values: (_, splits) => splits.map((seconds) => dayOf(seconds).slice(5)) }

/** Days are those of UTC, wherever the page is read. */
const dayScale: uPlot.Scale = { time: false }

const dayIncrements = [1, 2, 5, 7, 14, 28, 56].map((days) => days * 86_400)

const daySeries: uPlot.Series = { label: "Day", value: (_, seconds) => (seconds === null ? "–" : dayOf(seconds)) }

const line = (label: string, variable: string, more: uPlot.Series = {}): uPlot.Series => ({
  label,
  stroke: colour(variable),
  width: 2,
  points: { show: false },
  value: (_, one) => shown(one),
  ...more
})

/** What the bot had at each close, beside its collateral untouched and what random bidders had. */
export const equityChart = (place: HTMLElement, bot: BacktestBot): void =>
  chart(
    place,
    () => ({
      scales: { x: dayScale },
      axes: [axis({ ...dayAxis, incrs: dayIncrements }), axis(moneyAxis)],
      series: [
        daySeries,
        line("Random, 95 in 100", "--quiet", { width: 1 }),
        line("Random, 5 in 100", "--quiet", { width: 1 }),
        line("Random, middle", "--machine", { width: 1.5, dash: [4, 4] }),
        line("Buying nothing", "--mark", { width: 1.5, dash: [8, 4] }),
        line(bot.name, "--accent", { width: 2.5 })
      ],
      bands: [{ series: [1, 2], fill: `${colour("--quiet")}22` }]
    }),
    [
      secondsOf(bot),
      bot.days.map(({ high }) => high),
      bot.days.map(({ low }) => low),
      bot.days.map(({ middle }) => middle),
      bot.days.map(() => bot.collateral),
      bot.days.map(({ equity }) => equity)
    ]
  )

/** How far the equity was below its height before. */
export const drawdownChart = (place: HTMLElement, bot: BacktestBot): void =>
  chart(
    place,
    () => ({
      scales: { x: dayScale, y: { range: (_, low) => [(low ?? 0) * 1.06 || -1, 0] } },
      axes: [axis({ ...dayAxis, incrs: dayIncrements }), axis(moneyAxis)],
      series: [daySeries, line("Below its height", "--loss", { fill: `${colour("--loss")}22`, fillTo: 0 })]
    }),
    [secondsOf(bot), bot.days.map(({ fall }) => fall)]
  )

/** What each asset earned or cost. */
export const assetChart = (place: HTMLElement, { assets }: BacktestBot): void => {
  const labels = assets.map(({ asset, commitments }) => `${asset}, ${commitments} commitments`)
  const fills = () => assets.map(({ profit }) => colour(profit < 0 ? "--loss" : "--gain"))
  chart(place, () => {
    const options = barsOptions("Asset", labels, moneyAxis, [
      {
        label: "Profit",
        paths: bars(fills),
        fill: colour("--accent"),
        points: { show: false },
        value: (_, one) => shown(one)
      }
    ])
    const names = axis({
      incrs: [1],
      space: 20,
      rotate: -60,
      size: 70,
      values: (_, splits) => splits.map((index) => assets[index]?.asset ?? "")
    })
    return { ...options, axes: [names, axis(moneyAxis)] }
  }, [numbers(assets.length), assets.map(({ profit }) => profit)])
}
