import { describe, expect, it } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { at, keep } from "./Rule.ts"
import { paths, sources, textOf } from "./Source.ts"

const ROOT = join(import.meta.dir, "../..")

const GUIDE = readFileSync(join(ROOT, "docs/contributing.md"), "utf8")

/** The first column of the guide's tables under a heading, from one marker to the next. */
const listed = (from: string, to: string): ReadonlySet<string> => {
  const part = GUIDE.slice(GUIDE.indexOf(from), to === "" ? undefined : GUIDE.indexOf(to))
  return new Set([...part.matchAll(/^\| `(\w+)` /gm)].map(([, word = ""]) => word))
}

const SUFFIXES = listed("## Suffixes", "Plain nouns")
const NOUNS = new Set([...(/Plain nouns.*/.exec(GUIDE)?.[0] ?? "").matchAll(/`(\w+)`/g)].map(([, word = ""]) => word))
const REPLACED = listed("No file name ends with", "")

const isReplaced = (word: string): boolean => REPLACED.has(word) || REPLACED.has(word.replace(/s$/, ""))

const modules = sources("engine", "src", "packages").filter(({ path }) => !/\/(app|migrations)\//.test(path))

/** The last word of a file's name that has several. */
const lastWord = (path: string): string | undefined => {
  const words =
    path
      .slice(path.lastIndexOf("/") + 1)
      .replace(/\.tsx?$/, "")
      .match(/[A-Z][a-z0-9]*/g) ?? []
  return words.length > 1 ? words.at(-1) : undefined
}

keep({
  name: "No module ends in a word that another one replaced",
  over: sources("engine", "src", "packages", "test/lib"),
  violations: (files) =>
    files.flatMap((file) => {
      const word = lastWord(file.path) ?? ""
      return isReplaced(word) ? [at(file, 1, `ends in ${word}`)] : []
    }),
  broken: [
    ["src/http/PlainFace.ts", "export const a = 1"],
    ["src/bots/BotKeeper.ts", "export const a = 1"],
    ["test/lib/MoneyScene.ts", "export const a = 1"]
  ],
  kept: [["src/http/HttpConventions.ts", "export const a = 1"]]
})

const TYPES: ReadonlySet<string> = new Set(["ClassDeclaration", "TSInterfaceDeclaration", "TSTypeAliasDeclaration"])

keep({
  name: "No type ends in a word that another one replaced",
  over: sources("engine", "src", "packages", "test", "scripts").filter(
    ({ path }) => path !== "packages/client/src/Contract.ts"
  ),
  violations: (files) =>
    files.flatMap((file) =>
      file.nodes.flatMap(({ node }) => {
        if (!TYPES.has(node.type) || !("id" in node) || node.id?.type !== "Identifier") return []
        const word = node.id.name.match(/[A-Z][a-z0-9]*/g)?.at(-1) ?? ""
        return !/^Answers?$/.test(word) && isReplaced(word)
          ? [at(file, file.lineOf(node.start), `${node.id.name}`)]
          : []
      })
    ),
  broken: [
    ["test/lib/A.ts", "interface Play {}"],
    ["src/stream/A.ts", "interface ReaderWatch {}"],
    ["engine/bots/A.ts", "export type KeptTales = string"],
    ["engine/ledger/A.ts", "export class OrderBasket {}"]
  ],
  kept: [
    ["src/api/A.ts", "export type ProductAnswer = string"],
    ["engine/ledger/A.ts", "export class MultiHold {}"]
  ]
})

/** Words at the end of four modules or more that the guide has not. */
const unlisted = (paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  for (const word of paths.map(lastWord)) if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts]
    .filter(([word, count]) => count >= 4 && !SUFFIXES.has(word) && !NOUNS.has(word))
    .map(([word]) => word)
}

describe("A suffix that several modules share has its meaning in the guide", () => {
  it("finds one that has none", () => {
    expect(unlisted(["A", "B", "C", "D"].map((name) => `src/http/${name}xWizard.ts`))).toEqual(["Wizard"])
    expect(unlisted(["A", "B", "C", "D"].map((name) => `src/http/${name}xRepository.ts`))).toEqual([])
  })

  it("in the whole project", () => {
    expect(SUFFIXES.size).toBeGreaterThan(10)
    expect(unlisted(modules.map(({ path }) => path))).toEqual([])
  })
})

const namedFiles = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/`((?:engine|src|packages|test|scripts)\/[\w/.-]+\.tsx?)`/g)].map(([, path = ""]) => path)

/** Pages that tell of pages and of the simulation, not of rules. */
const WITHOUT_RULES: ReadonlySet<string> = new Set(["docs/concepts/dashboard.md", "docs/concepts/determinism.md"])

describe("Pages name files that are there", () => {
  it("in the guide", () => {
    expect(namedFiles("see `src/http/Nowhere.ts`")).toEqual(["src/http/Nowhere.ts"])
    const named = namedFiles(GUIDE)
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })

  it("in concepts, operating and reference, where each page of concepts says where its rules stand", () => {
    const pages = paths("docs/{concepts,operating,reference}/*.md")
    const lost = pages.flatMap((page) => namedFiles(textOf(page) ?? "").filter((path) => textOf(path) === undefined))
    expect(lost).toEqual([])
    const told = pages.filter((page) => page.startsWith("docs/concepts/") && !WITHOUT_RULES.has(page))
    expect(told.length).toBeGreaterThan(15)
    expect(told.filter((page) => !textOf(page)?.includes("\n## In the code\n"))).toEqual([])
  })
})
