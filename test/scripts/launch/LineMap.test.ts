import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import fc from "fast-check"
import { readFileSync, writeFileSync } from "node:fs"
import { SourceMap } from "node:module"
import { join } from "node:path"
import { linesOnly, type SourceMapJson } from "../../../scripts/launch/LineMap.ts"
import { WRITTEN } from "../../../scripts/launch/Program.ts"
import { itLive } from "../../lib/Effects.ts"
import { property } from "../../lib/Property.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

/** Where a column of the bundle comes from. */
interface Segment {
  readonly column: number
  readonly place: readonly [source: number, line: number, column: number] | undefined
}

type Lines = ReadonlyArray<ReadonlyArray<Segment>>

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

const encoded = (number: number): string => {
  const bits = (number < 0 ? 1 - 2 * number : 2 * number).toString(2)
  const groups = bits.padStart(Math.ceil(bits.length / 5) * 5, "0").match(/.{5}/g) ?? []
  return groups
    .toReversed()
    .map((group, index) => DIGITS[Number.parseInt(group, 2) + (index < groups.length - 1 ? 32 : 0)])
    .join("")
}

const mapOf = (lines: Lines): SourceMapJson => {
  let before: readonly [number, number, number] = [0, 0, 0]
  const mappings = lines.map((segments) => {
    let from = 0
    return segments.map(({ column, place }) => {
      const differences = place === undefined ? [] : place.map((value, index) => value - (before[index] ?? 0))
      const numbers = [column - from, ...differences]
      from = column
      before = place ?? before
      return numbers.map(encoded).join("")
    })
  })
  const sources = Array.from({ length: SOURCES }, (_, index) => `${index}.ts`)
  const sourcesContent = sources.map(() => "a text")
  return { version: 3, sources, sourcesContent, names: [], mappings: mappings.map((each) => each.join(",")).join(";") }
}

const asRead = ({ mappings, sources, version }: SourceMapJson): SourceMap =>
  new SourceMap({ file: "", version, sources: [...sources], sourcesContent: [], names: [], mappings, sourceRoot: "" })

/** The source of a place of the bundle, and its line there. */
const originOf = (map: SourceMap, line: number, column: number) => {
  const found = map.findEntry(line, column)
  return "originalLine" in found ? [found.originalSource, found.originalLine] : undefined
}

const SOURCES = 3

const place = fc.tuple(fc.nat(SOURCES - 1), fc.nat(2_000), fc.nat(100))

const segments = (part: fc.Arbitrary<Segment["place"]>) =>
  fc
    .array(fc.record({ column: fc.nat(100_000), place: part }), { maxLength: 8 })
    .map((all) => all.toSorted((one, other) => one.column - other.column))
    .map((all) => all.filter(({ column }, index) => column !== all[index - 1]?.column))

const lines = fc.array(segments(place), { minLength: 1, maxLength: 6 })

const countOf = ({ mappings }: SourceMapJson): number => mappings.split(/[;,]/).filter((each) => each !== "").length

describe("LineMap", () => {
  it("leaves every mapped place its source and its line, as the runtime reads a map", () => {
    fc.assert(
      fc.property(lines, (given) => {
        const whole = mapOf(given)
        const kept = linesOnly(whole)
        const [read, readKept] = [asRead(whole), asRead(kept)]
        for (const [line, all] of given.entries()) {
          for (const { column, place: [source, at] = [] } of all) {
            expect(originOf(read, line, column)).toEqual([`${source}.ts`, at ?? 0])
            expect(originOf(readKept, line, column)).toEqual(originOf(read, line, column))
          }
        }
        expect(linesOnly(kept)).toEqual(kept)
      }),
      property()
    )
  })

  it("keeps one mapping for each line that a line of the bundle comes from", () => {
    fc.assert(
      fc.property(lines, (given) => {
        const changes = given.flatMap((all) =>
          all.filter(({ place: here }, index) => here?.slice(0, 2).join() !== all[index - 1]?.place?.slice(0, 2).join())
        )
        expect(countOf(linesOnly(mapOf(given)))).toBe(changes.length)
      }),
      property()
    )
  })

  it("keeps what comes from no source apart", () => {
    const [first, second] = [[0, 4, 2] as const, [1, 9, 0] as const]
    const line = [
      { column: 0, place: first },
      { column: 8, place: undefined },
      { column: 9, place: first },
      { column: 12, place: second }
    ]
    expect(linesOnly(mapOf([line]))).toEqual({ ...mapOf([line]), sourcesContent: [null, null, null] })
  })

  it("refuses what is no map", () => {
    expect(() => linesOnly({ ...mapOf([]), mappings: "A!" })).toThrow("no digit of a source map: !")
  })

  itLive("lets traces name functions and the sources' files and lines, as programs are written", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const write = (name: string, ...text: ReadonlyArray<string>) => writeFileSync(join(folder, name), text.join("\n"))
      write(
        "deep.ts",
        "/** A comment. */",
        "export const deep = (given: number): number => {",
        "",
        '  if (given > 1) throw new Error("a number: " +',
        "    given)",
        "  return given",
        "}"
      )
      write(
        "main.ts",
        'import { deep } from "./deep.ts"',
        "",
        "interface None {}",
        "const none: None = deep(2)",
        "void none"
      )
      const out = join(folder, "out")
      yield* Effect.promise(() => Bun.build({ entrypoints: [join(folder, "main.ts")], outdir: out, ...WRITTEN }))
      const map = join(out, "main.js.map")
      writeFileSync(map, JSON.stringify(linesOnly(JSON.parse(readFileSync(map, "utf8")) as SourceMapJson)))
      const { stderr } = Bun.spawnSync([process.execPath, join(out, "main.js")], { env: { NO_COLOR: "1" } })
      expect(stderr.toString()).toMatch(new RegExp(`deep \\(${join(folder, "deep.ts")}:4:`))
      expect(stderr.toString()).toContain(`${join(folder, "main.ts")}:4:`)
    })
  )
})
