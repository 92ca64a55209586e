import { describe, expect, it } from "bun:test"
import type { Node } from "oxc-parser"
import { at, keep } from "./Rule.ts"
import { paths, type Source, sources, textOf } from "./Source.ts"

const MAX_LINES = 400

/** Made from the contract, whole. */
const GENERATED = "packages/client/src/Contract.ts"

const modules = sources("engine", "src", "packages")
const everything = sources("engine", "src", "packages", "test", "scripts")

const VAGUE = /^(index|utils?|common|helpers?|types?|misc|shared|constants?)$/i
const nameOf = (path: string): string => path.replace(/^.*\//, "").replace(/\.tsx?$/, "")
const isMigration = (path: string): boolean => path.startsWith("src/database/migrations/")

const misnamed = (path: string): string | undefined => {
  const name = nameOf(path)
  if (path.split("/").some((part) => VAGUE.test(nameOf(part)))) return "says nothing about what it holds"
  if (path === "src/main.ts") return undefined
  if (isMigration(path) && /^\d{4}_[a-z][a-z0-9_]*$/.test(name)) return undefined
  return /^[A-Z][A-Za-z0-9]*$/.test(name) ? undefined : "is not in PascalCase"
}

keep({
  name: "A module is named for its one concept, in PascalCase",
  over: modules,
  violations: (files) =>
    files.flatMap((file) => {
      const what = misnamed(file.path)
      return what === undefined ? [] : [at(file, 1, what)]
    }),
  broken: [
    ["engine/money/index.ts", "export {}"],
    ["engine/money/amount.ts", "export {}"],
    ["src/arena/Types.ts", "export {}"],
    ["src/arena/Helpers.ts", "export {}"],
    ["src/utils/Clock.ts", "export {}"],
    ["src/common/Clock.ts", "export {}"],
    ["src/arena/0001_orders.ts", "export {}"]
  ],
  kept: [
    ["src/main.ts", "export {}"],
    ["src/database/migrations/0001_ledger.ts", "export {}"]
  ]
})

keep({
  name: `A file has at most ${MAX_LINES} lines`,
  over: everything.filter(({ path }) => path !== GENERATED),
  violations: (files) =>
    files.flatMap((file) => {
      const lines = file.text.trimEnd().split("\n").length
      return lines > MAX_LINES ? [at(file, lines, `has ${lines} lines`)] : []
    }),
  broken: [["src/A.ts", "export {}\n".repeat(MAX_LINES + 1)]],
  kept: [["src/A.ts", "export {}\n".repeat(MAX_LINES)]]
})

keep({
  name: "No barrels, but for what a package's names stand for",
  over: everything.filter(({ path }) => !/^packages\/\w+\/src\/entries\//.test(path)),
  violations: (files) =>
    files.flatMap((file) =>
      file.nodes
        .filter(
          ({ node }) =>
            node.type === "ExportAllDeclaration" || (node.type === "ExportNamedDeclaration" && node.source !== null)
        )
        .map(({ node }) => at(file, file.lineOf(node.start), "passes on another module's exports"))
    ),
  broken: [
    ["src/A.ts", `export * from "./B.ts"`],
    ["src/A.ts", `export { b } from "./B.ts"`],
    ["src/A.ts", `export type { B } from "./B.ts"`]
  ],
  kept: [["src/A.ts", `import { b } from "./B.ts"\nexport const a = b`]]
})

const exportsBehaviour = (file: Source): boolean =>
  file.nodes.some(({ node, parent }) => {
    if (parent?.type !== "ExportNamedDeclaration") return false
    if (node.type === "FunctionDeclaration") return true
    if (node.type === "VariableDeclaration") return node.declarations.some(({ init }) => isFunction(init))
    return node.type === "ClassDeclaration" && node.body.body.some((member) => member.type === "MethodDefinition")
  })

/** A function, or a call that makes one such as `Effect.fn("name")(…)`. */
const isFunction = (node: Node | null): boolean => {
  if (node?.type === "ArrowFunctionExpression" || node?.type === "FunctionExpression") return true
  return (
    node?.type === "CallExpression" &&
    (isFunction(node.callee) || node.arguments.some((argument) => isFunction(argument)))
  )
}

/** A service that this module also makes. Repositories are tested through the services that use them. */
const makesService = (file: Source): boolean =>
  /\bextends Context\.Service\b/.test(file.text) &&
  /\bstatic readonly (layer|make)/.test(file.text) &&
  !file.path.endsWith("Repository.ts")

const needsTest = (file: Source): boolean =>
  file.path.startsWith("engine/") ? exportsBehaviour(file) : makesService(file)

const testsOf = (path: string): ReadonlyArray<string> => {
  const bare = path.replace(/\.tsx?$/, "")
  return [".test.ts", ".long.test.ts", ".test.tsx"].map((end) => `test/${bare}${end}`)
}

keep({
  name: "A module that does something has a test of the same name",
  over: modules,
  violations: (files) =>
    files
      .filter((file) => needsTest(file) && !testsOf(file.path).some((path) => textOf(path) !== undefined))
      .map((file) => at(file, 1, `has no ${testsOf(file.path)[0]}`)),
  broken: [
    ["engine/arena/Untested.ts", `export const a = (n: bigint) => n + 1n`],
    ["engine/arena/Untested.ts", `export function a() { return 1 }`],
    ["engine/arena/Untested.ts", `export class A { a() { return 1 } }`],
    ["src/arena/Untested.ts", `export class A extends Context.Service<A, {}>()("A") { static readonly layer = 1 }`]
  ],
  kept: [
    ["src/arena/Untested.ts", `export class A extends Context.Service<A, {}>()("A") {}`],
    ["engine/arena/Untested.ts", `export interface A { readonly id: string }\nexport const MAX = 3`],
    ["engine/ledger/Book.ts", `export class Book { apply() { return 1 } }`]
  ]
})

describe("Tests of the engine", () => {
  const subjectOf = (path: string): string => path.replace(/^test\//, "").replace(/\.([a-z]+\.)*test\.ts$/, ".ts")
  const lost = (tests: ReadonlyArray<string>): ReadonlyArray<string> =>
    tests.filter((path) => textOf(subjectOf(path)) === undefined)

  it("finds a test whose module is gone", () => {
    const kept = ["test/engine/ledger/Book.test.ts", "test/engine/ledger/Book.crash.long.test.ts"]
    expect(lost(["test/engine/ledger/Gone.test.ts", ...kept])).toEqual(["test/engine/ledger/Gone.test.ts"])
  })

  it("stand where their modules stand", () => {
    const tests = paths("test/engine/**/*.test.ts")
    expect(tests.length).toBeGreaterThan(0)
    expect(lost(tests)).toEqual([])
  })
})
