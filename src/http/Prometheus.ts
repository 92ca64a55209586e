import { Metric } from "effect"

type Snapshot = Metric.Metric.Snapshot

const name = (id: string): string => id.replace(/[^a-zA-Z0-9_:]/g, "_").replace(/^(?=\d)/, "_")

const escaped = (value: string): string => value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"')

const labels = (attributes: Readonly<Record<string, string>>, more: Readonly<Record<string, string>> = {}): string => {
  const pairs = Object.entries({ ...attributes, ...more }).map(([key, value]) => `${name(key)}="${escaped(value)}"`)
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`
}

const number = (value: number | bigint): string =>
  value === Infinity ? "+Inf" : value === -Infinity ? "-Inf" : String(value)

const histogram = (id: string, snapshot: Extract<Snapshot, { readonly type: "Histogram" }>): ReadonlyArray<string> => {
  const attributes = snapshot.attributes ?? {}
  const { buckets, count, sum } = snapshot.state
  const lines = buckets
    .filter(([bound]) => Number.isFinite(bound))
    .map(([bound, below]) => `${id}_bucket${labels(attributes, { le: number(bound) })} ${below}`)
  return [
    ...lines,
    `${id}_bucket${labels(attributes, { le: "+Inf" })} ${count}`,
    `${id}_sum${labels(attributes)} ${number(sum)}`,
    `${id}_count${labels(attributes)} ${count}`
  ]
}

const summary = (id: string, snapshot: Extract<Snapshot, { readonly type: "Summary" }>): ReadonlyArray<string> => {
  const attributes = snapshot.attributes ?? {}
  const { count, quantiles, sum } = snapshot.state
  return [
    ...quantiles.flatMap(([quantile, value]) =>
      value === undefined ? [] : [`${id}${labels(attributes, { quantile: number(quantile) })} ${number(value)}`]
    ),
    `${id}_sum${labels(attributes)} ${number(sum)}`,
    `${id}_count${labels(attributes)} ${count}`
  ]
}

const samples = (id: string, snapshot: Snapshot): ReadonlyArray<string> => {
  const attributes = snapshot.attributes ?? {}
  switch (snapshot.type) {
    case "Counter":
      return [`${id}${labels(attributes)} ${number(snapshot.state.count)}`]
    case "Gauge":
      return [`${id}${labels(attributes)} ${number(snapshot.state.value)}`]
    case "Frequency":
      return [...snapshot.state.occurrences].map(([key, count]) => `${id}${labels(attributes, { key })} ${count}`)
    case "Histogram":
      return histogram(id, snapshot)
    case "Summary":
      return summary(id, snapshot)
  }
}

const KINDS = {
  Counter: "counter",
  Gauge: "gauge",
  Frequency: "counter",
  Histogram: "histogram",
  Summary: "summary"
} as const

const familyOf = (snapshot: Snapshot): string => {
  const id = name(snapshot.id)
  return KINDS[snapshot.type] === "counter" && !id.endsWith("_total") ? `${id}_total` : id
}

/** The text exposition format, version 0.0.4, of a registry's snapshot. */
export const render = (snapshots: ReadonlyArray<Snapshot>): string => {
  const families = Map.groupBy(snapshots, familyOf)
  const blocks = [...families]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([id, members]) => {
      const [first] = members
      if (first === undefined) return ""
      const help = (first.description ?? id).replaceAll("\\", "\\\\").replaceAll("\n", "\\n")
      const lines = members.flatMap((snapshot) => samples(id, snapshot))
      return [`# HELP ${id} ${help}`, `# TYPE ${id} ${KINDS[first.type]}`, ...lines, ""].join("\n")
    })
  return blocks.join("")
}
