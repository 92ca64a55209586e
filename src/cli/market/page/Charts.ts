/** Draws a report's charts in the browser. Their data stands in the page itself. */

import { AreaSeries, createChart, HistogramSeries, LineSeries, type UTCTimestamp } from "lightweight-charts"
import type { ChartData } from "../ReplayPage.tsx"

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** Times must rise strictly: of several within a second the last one counts. */
const pointsOf = (times: ReadonlyArray<number>, values: ReadonlyArray<number>) => {
  const bySecond = new Map(times.map((time, index) => [time as UTCTimestamp, values[index] ?? 0]))
  return [...bySecond].map(([time, value]) => ({ time, value }))
}

const drawn = (id: string) => {
  const place = document.querySelector<HTMLElement>(`#${id}`)
  return place === null
    ? undefined
    : createChart(place, {
        autoSize: true,
        localization: { locale: "en-GB" },
        layout: {
          background: { color: "transparent" },
          textColor: colour("--soft"),
          fontSize: 11,
          attributionLogo: false
        },
        grid: { vertLines: { visible: false }, horzLines: { color: colour("--line") } },
        rightPriceScale: { borderVisible: false },
        timeScale: { borderVisible: false, timeVisible: true },
        handleScroll: false,
        handleScale: false
      })
}

const usual = { priceLineVisible: false, lineWidth: 2 } as const

const data = JSON.parse(document.querySelector("#data")?.textContent ?? "{}") as ChartData

const balance = drawn("balance")
balance
  ?.addSeries(LineSeries, { ...usual, color: colour("--soft"), title: "best bids" })
  .setData(pointsOf(data.balance.at, data.balance.best))
balance
  ?.addSeries(AreaSeries, {
    ...usual,
    title: "program",
    lineColor: colour("--main"),
    topColor: `${colour("--main")}30`,
    bottomColor: `${colour("--main")}00`
  })
  .setData(pointsOf(data.balance.at, data.balance.program))
balance?.timeScale().fitContent()

const profits = drawn("profits")
profits?.addSeries(HistogramSeries, { priceLineVisible: false, lastValueVisible: false }).setData(
  pointsOf(data.profits.at, data.profits.profit).map((point) => ({
    ...point,
    color: colour(point.value < 0 ? "--bad" : "--good")
  }))
)
profits?.timeScale().fitContent()
