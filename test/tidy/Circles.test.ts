import { describe, expect, it } from "bun:test"
import { type Source, source, sources } from "./Source.ts"

type Arrows = ReadonlyMap<string, ReadonlySet<string>>

/** What imports what, by the name that a file goes by; types count like values. */
const arrowsOf = (files: ReadonlyArray<Source>, nameOf: (path: string) => string): Arrows => {
  const arrows = new Map<string, Set<string>>()
  for (const { imports, path } of files) {
    const from = nameOf(path)
    const targets = arrows.get(from) ?? new Set<string>()
    arrows.set(from, targets)
    for (const { target } of imports) {
      if (target !== undefined && nameOf(target) !== from) targets.add(nameOf(target))
    }
  }
  return arrows
}

/** What is left when all have gone that point at nothing that is left. */
const rest = (arrows: Arrows): Arrows => {
  const left = new Map(arrows)
  const isEnd = (name: string) => ![...(left.get(name) ?? [])].some((target) => left.has(target))
  for (let ends: ReadonlyArray<string> = [""]; ends.length > 0;) {
    ends = [...left.keys()].filter(isEnd)
    for (const name of ends) left.delete(name)
  }
  return left
}

const turned = (arrows: Arrows): Arrows => {
  const back = new Map<string, Set<string>>()
  for (const [from, targets] of arrows) {
    for (const target of targets) {
      if (arrows.has(target)) back.set(target, (back.get(target) ?? new Set()).add(from))
    }
  }
  return back
}

/** The names that are in a circle, or between two. */
const circling = (arrows: Arrows): ReadonlyArray<string> => [...rest(turned(rest(arrows))).keys()].toSorted()

/** The engine is one room; in `src` each folder is one, and each file beside them. */
const roomOf = (path: string): string => {
  const [top = "", second = ""] = path.split("/")
  return top === "src" ? `${top}/${second}` : top
}

const house = [...sources("engine"), ...sources("src"), ...sources("scripts")]

const planted = [
  source("src/stream/Feed.ts", `import type { Order } from "../arena/Order.ts"`),
  source("src/arena/Order.ts", `import { Feed } from "../stream/Feed.ts"`),
  source("src/App.ts", `import { Feed } from "./stream/Feed.ts"`)
]

describe("Files", () => {
  it("that import each other in a circle are found, and no other", () => {
    expect(circling(arrowsOf(planted, (path) => path))).toEqual(["src/arena/Order.ts", "src/stream/Feed.ts"])
  })

  it("import each other in no circle, by types neither", () => {
    expect(circling(arrowsOf(house, (path) => path))).toEqual([])
  })
})

describe("Rooms", () => {
  it("of which one imports from above are found", () => {
    expect(circling(arrowsOf(planted, roomOf))).toEqual(["src/arena", "src/stream"])
  })

  it("stand on floors: each imports from below alone", () => {
    expect(circling(arrowsOf(house, roomOf))).toEqual([])
  })
})
