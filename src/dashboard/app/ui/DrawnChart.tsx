import { AreaSeries, createChart, HistogramSeries, LineSeries, LineStyle } from "lightweight-charts"
import type { AutoscaleInfoProvider, IChartApi, ISeriesApi, SeriesType, UTCTimestamp } from "lightweight-charts"
import { useEffect, useRef } from "react"
import { useTheme } from "../shell/Theme.tsx"

/** One value at one time, in milliseconds since 1970. */
export interface Point {
  readonly time: number
  readonly value: number
}

/** One line of a chart. Times rise. */
export interface ChartLine {
  readonly name: string
  readonly points: ReadonlyArray<Point>
  /** By default an area. */
  readonly as?: "area" | "line" | "bars"
  readonly tone?: "main" | "second" | "bad"
}

/** A level across the chart, such as the clearing price. */
export interface ChartLevel {
  readonly name: string
  readonly value: number
}

interface DrawnChartProps {
  /** What the chart shows, for screen readers: they are also told its first, last, lowest and highest value. */
  readonly label: string
  readonly lines: ReadonlyArray<ChartLine>
  readonly levels?: ReadonlyArray<ChartLevel>
  /** How a value is written. */
  readonly format: (value: number) => string
  /** In pixels, by default 240. */
  readonly height?: number
  /** Whether times are days rather than moments. */
  readonly days?: boolean
}

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

const toneOf = (tone: ChartLine["tone"] = "main"): string =>
  colour(tone === "main" ? "--chart" : tone === "second" ? "--chart-second" : "--bad")

const looks = () => ({
  layout: {
    background: { color: "transparent" },
    textColor: colour("--text-soft"),
    fontFamily: colour("--font"),
    fontSize: 11,
    attributionLogo: false
  },
  grid: { vertLines: { visible: false }, horzLines: { color: colour("--line") } },
  rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.12, bottom: 0.06 } },
  timeScale: { borderVisible: false }
})

const seconds = (time: number): UTCTimestamp => Math.floor(time / 1000) as UTCTimestamp

/** Times must rise strictly: of several within a second the last one counts. */
const dataOf = (points: ReadonlyArray<Point>) => {
  const bySecond = new Map(points.map(({ time, value }) => [seconds(time), value]))
  return [...bySecond].map(([time, value]) => ({ time, value }))
}

const addLine = (
  chart: IChartApi,
  { as = "area", name, tone }: ChartLine,
  format: (value: number) => string
): ISeriesApi<SeriesType> => {
  const color = toneOf(tone)
  const priceFormat = { type: "custom", formatter: format, minMove: as === "bars" ? 1 : 0.000001 } as const
  if (as === "bars") {
    return chart.addSeries(HistogramSeries, { color, priceFormat, priceLineVisible: false, lastValueVisible: false })
  }
  const usual = { lineWidth: 2, priceFormat, priceLineVisible: false, title: name } as const
  return as === "line"
    ? chart.addSeries(LineSeries, { ...usual, color })
    : chart.addSeries(AreaSeries, {
        ...usual,
        title: "",
        lineColor: color,
        topColor: `${color}38`,
        bottomColor: `${color}00`
      })
}

const summary = ({ lines, format }: DrawnChartProps): string =>
  lines
    .map(({ name, points }) => {
      const values = points.map(({ value }) => value)
      const [first, last] = [values[0], values.at(-1)]
      if (first === undefined || last === undefined) return `${name}: no values.`
      return `${name}: from ${format(first)} to ${format(last)}, lowest ${format(Math.min(...values))}, highest ${format(Math.max(...values))}.`
    })
    .join(" ")

/** Keeps the levels in sight. */
const withLevels =
  (levels: ReadonlyArray<ChartLevel>): AutoscaleInfoProvider =>
  (usual) => {
    const found = usual()
    if (found?.priceRange === null || found?.priceRange === undefined) return found
    const values = levels.map(({ value }) => value)
    const { minValue, maxValue } = found.priceRange
    return {
      ...found,
      priceRange: { minValue: Math.min(minValue, ...values), maxValue: Math.max(maxValue, ...values) }
    }
  }

/** A span of times that is told in seconds, in milliseconds. */
const SHORT = 900_000

const isShort = (lines: ReadonlyArray<ChartLine>): boolean => {
  const [first, last] = [lines[0]?.points[0], lines[0]?.points.at(-1)]
  return first !== undefined && last !== undefined && last.time - first.time < SHORT
}

/** The chart itself. Use it through `Chart`, which loads it. */
const DrawnChart = (props: DrawnChartProps) => {
  const { label, lines, levels = [], format, height = 240, days = false } = props
  const frame = useRef<HTMLDivElement>(null)
  const theme = useTheme()
  const drawn = useRef<{ readonly chart: IChartApi; readonly series: ReadonlyArray<ISeriesApi<SeriesType>> }>(null)
  const inSeconds = isShort(lines)
  const shape = JSON.stringify([lines.map(({ as, name, tone }) => [as, name, tone]), levels, inSeconds])

  useEffect(() => {
    if (frame.current === null) return undefined
    const chart = createChart(frame.current, {
      ...looks(),
      autoSize: true,
      localization: { locale: "en-GB" },
      timeScale: { borderVisible: false, timeVisible: !days, secondsVisible: inSeconds },
      handleScroll: false,
      handleScale: false
    })
    const series = lines.map((line) => addLine(chart, line, format))
    series[0]?.applyOptions({ autoscaleInfoProvider: withLevels(levels) })
    for (const { name, value } of levels) {
      series[0]?.createPriceLine({
        price: value,
        title: name,
        color: colour("--text-soft"),
        lineWidth: 1,
        lineStyle: LineStyle.Dashed,
        axisLabelVisible: true
      })
    }
    lines.forEach(({ points }, at) => series[at]?.setData(dataOf(points)))
    drawn.current = { chart, series }
    return () => {
      drawn.current = null
      chart.remove()
    }
  }, [shape, theme.shown, days, format])

  useEffect(() => {
    lines.forEach(({ points }, at) => drawn.current?.series[at]?.setData(dataOf(points)))
    drawn.current?.chart.timeScale().fitContent()
  })

  return (
    <figure className="chart" aria-label={label}>
      <div ref={frame} style={{ height }} aria-hidden="true" />
      <figcaption className="unseen">{summary(props)}</figcaption>
    </figure>
  )
}

export default DrawnChart
