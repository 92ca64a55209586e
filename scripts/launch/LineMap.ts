/** A source map, revision 3 (ECMA-426), as the bundler writes it. */
export interface SourceMapJson {
  readonly version: number
  readonly sources: ReadonlyArray<string>
  readonly sourcesContent?: ReadonlyArray<string | null>
  readonly names: ReadonlyArray<string>
  readonly mappings: string
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
const VALUES: ReadonlyMap<string, number> = new Map(Array.from(DIGITS, (digit, value) => [digit, value]))

/** A digit has five bits, and a sixth where more digits follow. The lowest bit of a number is its sign. */
const BITS = 5
const MORE = 32

/** A segment: a column, and where its text comes from a source: that, the line and the column there, perhaps a name. */
const numbersOf = (segment: string): ReadonlyArray<number> => {
  const numbers: Array<number> = []
  let [value, shift] = [0, 0]
  for (const digit of segment) {
    const bits = VALUES.get(digit)
    if (bits === undefined) throw new Error(`no digit of a source map: ${digit}`)
    value |= (bits & (MORE - 1)) << shift
    shift += BITS
    if (bits < MORE) {
      numbers.push((value & 1) === 1 ? -(value >>> 1) : value >>> 1)
      value = shift = 0
    }
  }
  return numbers
}

const digitsOf = (number: number): string => {
  let rest = number < 0 ? (-number << 1) | 1 : number << 1
  let digits = ""
  do {
    const bits = rest & (MORE - 1)
    rest >>>= BITS
    digits += DIGITS[rest > 0 ? bits | MORE : bits]
  } while (rest > 0)
  return digits
}

/** Where something is in the sources. Every number in a map is told as the difference to the one before. */
interface Place {
  source: number
  line: number
  column: number
}

/** One line of the bundle: what begins another line of the sources than what is before it. */
const lineOf = (segments: string, read: Place, written: Place): string => {
  let [column, writtenColumn] = [0, 0]
  let isMapped = false
  const kept: Array<string> = []
  for (const segment of segments === "" ? [] : segments.split(",")) {
    const [columns = 0, ...place] = numbersOf(segment)
    column += columns
    const [sources, lines = 0, columnsThere = 0] = place
    const differences: Array<number> = []
    if (sources !== undefined) {
      read.source += sources
      read.line += lines
      read.column += columnsThere
      if (isMapped && read.source === written.source && read.line === written.line) continue
      differences.push(read.source - written.source, read.line - written.line, read.column - written.column)
      Object.assign(written, read)
    }
    isMapped = sources !== undefined
    kept.push([column - writtenColumn, ...differences].map(digitsOf).join(""))
    writtenColumn = column
  }
  return kept.join(",")
}

/**
 * The same map with what tells lines apart and no more: a place in a trace has its file and its line, and the column at which
 * that begins. The runtime keeps each mapping of a map that it has read, and reads it early, because it also makes the
 * traces of errors that nobody threw. The sources' texts, which it does not need where their files are, are left out.
 */
export const linesOnly = (map: SourceMapJson): SourceMapJson => {
  const read: Place = { source: 0, line: 0, column: 0 }
  const written: Place = { source: 0, line: 0, column: 0 }
  const mappings = map.mappings
    .split(";")
    .map((line) => lineOf(line, read, written))
    .join(";")
  return { ...map, names: [], sourcesContent: map.sources.map(() => null), mappings }
}
