/** The text format OpenMetrics 1.0, which has a place for traces: https://prometheus.io/docs/specs/om/open_metrics_spec. */

import { type Context, Metric } from "effect"
import { type Exemplar, namesTraces } from "../ExemplarHistogram.ts"

/** The content types of metrics: Prometheus' own text format, and this one. */
export const PLAIN = "text/plain; version=0.0.4; charset=utf-8"
export const OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8"

const MEDIA_TYPE = "application/openmetrics-text"

/** How much a media type of an `Accept` is wanted. RFC 9110, 12.4.2. */
const weightOf = (range: string): number => {
  const [, weight = "1"] = /;\s*q=([0-9.]+)/i.exec(range) ?? []
  return Number(weight)
}

/** Whether a caller wants OpenMetrics at least as much as plain text. Wildcards get what everybody got before. */
export const wantsOpenMetrics = (accept: string | null | undefined): boolean => {
  const weights = { open: 0, plain: 0 }
  for (const range of (accept ?? "").split(",")) {
    const type = range.split(";", 1)[0]?.trim().toLowerCase()
    if (type === MEDIA_TYPE) weights.open = Math.max(weights.open, weightOf(range))
    if (type === "text/plain") weights.plain = Math.max(weights.plain, weightOf(range))
  }
  return weights.open > 0 && weights.open >= weights.plain
}

type Snapshot = Metric.Metric.Snapshot

const nameOf = (id: string): string => id.replaceAll(/[^a-zA-Z0-9_:]+/g, "_").replace(/^(?=[0-9:])/, "_")

const labelOf = (name: string): string => name.replaceAll(/[^a-zA-Z0-9_]+/g, "_").replace(/^(?=[0-9])/, "_")

const escaped = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")

const numberText = (value: number | bigint): string => {
  if (value === Infinity) return "+Inf"
  return value === -Infinity ? "-Inf" : String(value)
}

/** The exponents that the specification's canonical numbers are written out for, as Go's `%g` does. */
const LEAST_WRITTEN_OUT = -4
const LARGEST_WRITTEN_OUT = 5

/**
 * The canonical number of a bound, as the specification asks: `1.0` and `1e+06` where the plain text has `1` and
 * `1000000`.
 */
const boundText = (bound: number): string => {
  if (!Number.isFinite(bound)) return numberText(bound)
  const [digits, power] = bound.toExponential().split("e")
  const exponent = Number(power)
  if (exponent >= LEAST_WRITTEN_OUT && exponent <= LARGEST_WRITTEN_OUT) {
    return Number.isInteger(bound) ? `${bound}.0` : String(bound)
  }
  return `${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`
}

const labels = (attributes: Snapshot["attributes"], ...own: ReadonlyArray<readonly [string, string]>): string => {
  // What Effect notes of a metric is no label.
  const given = Object.entries(attributes ?? {}).filter(([name]) => name !== "unit" && name !== "time_unit")
  const all = [...given, ...own].map(([name, value]) => `${labelOf(name)}="${escaped(value)}"`)
  return all.length === 0 ? "" : `{${all.join(",")}}`
}

const MILLIS = 1_000

const exemplarText = (exemplar: Exemplar | undefined): string =>
  exemplar === undefined
    ? ""
    : ` # {trace_id="${escaped(exemplar.traceId)}"} ${numberText(exemplar.value)} ${exemplar.at / MILLIS}`

const histogramLines = (name: string, { attributes, state }: Snapshot & { readonly type: "Histogram" }) => {
  const exemplars = namesTraces(state) ? state.exemplars : []
  const bounded = state.buckets.filter(([bound]) => bound !== Infinity)
  const buckets = [...bounded, [Infinity, state.count] as const]
  const all = labels(attributes)
  return [
    ...buckets.map(([bound, count], index) => {
      const text = exemplarText(exemplars[index])
      return `${name}_bucket${labels(attributes, ["le", boundText(bound)])} ${count}${text}`
    }),
    `${name}_sum${all} ${numberText(state.sum)}`,
    `${name}_count${all} ${state.count}`
  ]
}

const summaryLines = (name: string, { attributes, state }: Snapshot & { readonly type: "Summary" }) => {
  const all = labels(attributes)
  return [
    ...state.quantiles.flatMap(([quantile, value]) =>
      value === undefined
        ? []
        : [`${name}${labels(attributes, ["quantile", boundText(quantile)])} ${numberText(value)}`]
    ),
    `${name}_sum${all} ${numberText(state.sum)}`,
    `${name}_count${all} ${state.count}`
  ]
}

const linesOf = (name: string, metric: Snapshot): ReadonlyArray<string> => {
  switch (metric.type) {
    case "Counter":
      return [`${name}_total${labels(metric.attributes)} ${numberText(metric.state.count)}`]
    case "Frequency":
      return Array.from(
        metric.state.occurrences,
        ([key, count]) => `${name}_total${labels(metric.attributes, ["key", key])} ${count}`
      )
    case "Gauge":
      return [`${name}${labels(metric.attributes)} ${numberText(metric.state.value)}`]
    case "Histogram":
      return histogramLines(name, metric)
    case "Summary":
      return summaryLines(name, metric)
  }
}

const TYPES = {
  Counter: "counter",
  Frequency: "counter",
  Gauge: "gauge",
  Histogram: "histogram",
  Summary: "summary"
} as const

/** The family of a metric: counters are named without the end that their samples have. */
const familyOf = ({ id, type }: Snapshot): string =>
  TYPES[type] === "counter" ? nameOf(id).replace(/_total$/, "") : nameOf(id)

/** Every metric as OpenMetrics. */
export const render = (context: Context.Context<never>): string => {
  const families = Map.groupBy(Metric.snapshotUnsafe(context), familyOf)
  const lines = [...families].flatMap(([name, metrics]) => {
    const [first] = metrics
    if (first === undefined) return []
    const help = first.description === undefined ? [] : [`# HELP ${name} ${escaped(first.description)}`]
    return [`# TYPE ${name} ${TYPES[first.type]}`, ...help, ...metrics.flatMap((metric) => linesOf(name, metric))]
  })
  return [...lines, "# EOF", ""].join("\n")
}
