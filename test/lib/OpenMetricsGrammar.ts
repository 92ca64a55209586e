/** A reader of OpenMetrics 1.0 that takes nothing else: https://prometheus.io/docs/specs/om/open_metrics_spec/ */

/** A sample's exemplar. */
export interface ReadExemplar {
  readonly labels: ReadonlyMap<string, string>
  readonly value: number
  readonly seconds: number | undefined
}

export interface ReadSample {
  readonly name: string
  readonly labels: ReadonlyMap<string, string>
  readonly value: number
  readonly exemplar: ReadExemplar | undefined
}

export interface ReadFamily {
  readonly name: string
  readonly type: string
  help: string | undefined
  readonly samples: Array<ReadSample>
}

/** What samples of a type may be named behind their family. */
const ENDS: Readonly<Record<string, ReadonlyArray<string>>> = {
  counter: ["_total", "_created"],
  gauge: [""],
  histogram: ["_bucket", "_count", "_sum", "_created"],
  summary: ["", "_count", "_sum", "_created"]
}

const MAX_EXEMPLAR = 128

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*/
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[n"\\])*)"/
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|inf(?:inity)?)$|^nan$/i
const ESCAPED = /^(?:[^"\\\n]|\\[n"\\])*$/

/** Go's `%g` with a point: exponents have a sign and two digits, and begin at 10⁶ and below 10⁻⁴. */
const CANONICAL_BOUND = /^(?:\+Inf|-?\d{1,6}\.\d+|-?\d(?:\.\d*[1-9])?e(?:\+(?:0[6-9]|[1-9]\d+)|-(?:0[5-9]|[1-9]\d+)))$/

const refuse = (line: string, why: string): never => {
  throw new Error(`${why}: ${line}`)
}

const numberOf = (text: string, line: string): number => {
  if (!NUMBER.test(text)) refuse(line, `"${text}" is no number`)
  return /inf/i.test(text) ? (text.startsWith("-") ? -Infinity : Infinity) : Number(text)
}

/** Labels in braces, and what follows them. */
const labelsOf = (text: string, line: string): readonly [ReadonlyMap<string, string>, string] => {
  const labels = new Map<string, string>()
  if (!text.startsWith("{")) return [labels, text]
  let rest = text.slice(1)
  while (!rest.startsWith("}")) {
    const [whole, name = "", value = ""] = LABEL.exec(rest) ?? refuse(line, "no label")
    if (labels.has(name)) refuse(line, `"${name}" is there twice`)
    labels.set(name, value)
    rest = rest.slice(whole.length)
    if (rest.startsWith(",")) rest = rest.slice(1)
    else if (!rest.startsWith("}")) refuse(line, "labels that do not end")
  }
  return [labels, rest.slice(1)]
}

const exemplarOf = (text: string, line: string): ReadExemplar => {
  const [labels, rest] = labelsOf(text, line)
  const length = [...labels].reduce((sum, [name, value]) => sum + [...name].length + [...value].length, 0)
  if (!text.startsWith("{") || length > MAX_EXEMPLAR) refuse(line, "no exemplar")
  const [, value = "", seconds] = /^ (\S+)(?: (\S+))?$/.exec(rest) ?? refuse(line, "an exemplar without a value")
  return { labels, value: numberOf(value, line), seconds: seconds === undefined ? undefined : numberOf(seconds, line) }
}

/** Reads one line of a sample, which plain text has in the same form; throws where it is none. */
export const sampleOf = (line: string): ReadSample => {
  const [name] = NAME.exec(line) ?? refuse(line, "no name")
  const [labels, rest] = labelsOf(line.slice(name.length), line)
  const [, value = "", exemplar] = /^ (\S+)(?: # (.+))?$/s.exec(rest) ?? refuse(line, "no value")
  return {
    name,
    labels,
    value: numberOf(value, line),
    exemplar: exemplar === undefined ? undefined : exemplarOf(exemplar, line)
  }
}

const seriesOf = ({ labels }: ReadSample): string =>
  [...labels]
    .filter(([name]) => name !== "le")
    .toSorted()
    .join(";")

/** Buckets rise, end with all, and name only traces whose values are in them. */
const checkHistogram = ({ name, samples }: ReadFamily): void => {
  const counts = new Map(samples.filter((one) => one.name === `${name}_count`).map((one) => [seriesOf(one), one.value]))
  const buckets = Map.groupBy(
    samples.filter((one) => one.name === `${name}_bucket`),
    seriesOf
  )
  for (const [series, all] of buckets) {
    let [bound, count] = [-Infinity, 0]
    for (const { exemplar, labels, value } of all) {
      const le = labels.get("le") ?? ""
      if (!CANONICAL_BOUND.test(le)) refuse(name, `"${le}" is no canonical bound`)
      const next = numberOf(le, name)
      if (next <= bound || value < count) refuse(name, `bucket ${le} does not rise`)
      if (exemplar !== undefined && (exemplar.value > next || exemplar.value <= bound)) {
        refuse(name, `the exemplar of ${le} is of another bucket`)
      }
      bound = next
      count = value
    }
    if (bound !== Infinity || counts.get(series) !== count) refuse(name, "the last bucket has not all")
  }
}

const check = (family: ReadFamily): void => {
  const ends = ENDS[family.type] ?? refuse(family.name, `no type "${family.type}"`)
  const seen = new Set<string>()
  for (const sample of family.samples) {
    const end = sample.name.slice(family.name.length)
    if (!sample.name.startsWith(family.name) || !ends.includes(end)) refuse(sample.name, "a sample of another family")
    if (sample.exemplar !== undefined && !["_bucket", "_total"].includes(end)) refuse(sample.name, "no place for one")
    if (family.type === "counter" && !(sample.value >= 0)) refuse(sample.name, "a counter below nothing")
    const key = `${sample.name} ${[...sample.labels].toSorted().join(";")}`
    if (seen.has(key)) refuse(key, "a sample that is there twice")
    seen.add(key)
  }
  if (family.type === "histogram") checkHistogram(family)
}

/** Reads a text; throws where it is none of OpenMetrics. */
export const readOpenMetrics = (text: string): ReadonlyMap<string, ReadFamily> => {
  if (!text.endsWith("# EOF\n")) refuse(text.slice(-100), "no end")
  const families = new Map<string, ReadFamily>()
  let family: ReadFamily | undefined
  for (const line of text.slice(0, -"# EOF\n".length).split("\n").slice(0, -1)) {
    const [, what, name = "", rest = ""] = /^# (TYPE|HELP) (\S+) ?(.*)$/s.exec(line) ?? []
    if (what === "TYPE") {
      if (families.has(name)) refuse(line, "a family that is there twice")
      family = { name, type: rest, help: undefined, samples: [] }
      families.set(name, family)
    } else if (what === "HELP") {
      if (family?.name !== name || family.help !== undefined || family.samples.length > 0) refuse(line, "no family")
      if (!ESCAPED.test(rest)) refuse(line, "a help that is not escaped")
      if (family !== undefined) family.help = rest
    } else {
      if (family === undefined) throw new Error(`a sample before its family: ${line}`)
      family.samples.push(sampleOf(line))
    }
  }
  for (const one of families.values()) check(one)
  const names = new Set([...families].flatMap(([name, { type }]) => (ENDS[type] ?? []).map((end) => name + end)))
  const all = [...families].flatMap(([, { type }]) => ENDS[type] ?? []).length
  if (names.size !== all) refuse(String(all - names.size), "families whose samples have the same names")
  return families
}
