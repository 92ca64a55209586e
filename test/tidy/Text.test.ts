import { at, keep, type Rule } from "./Rule.ts"
import { paths, type Source, sources, textOf } from "./Source.ts"

const everything = sources("engine", "src", "packages", "test", "scripts")

/** Marks are put together here, so that this file does not hold what it looks for. */
const mark = (...parts: ReadonlyArray<string>): string => parts.join("")
const SUPPRESSION = new RegExp(mark("@ts", "-(ignore|nocheck|expect-error)"))
const LATER = new RegExp(mark("\\b(TO", "DO|FIX", "ME|XX", "X|HA", "CK)\\b"))
const DISABLED = new RegExp(mark("(ox|es)", "lint-disable|@effect-", "diagnostics"))
const REASONED = new RegExp(mark("^\\s*oxlint-", "disable-next-line [\\w/@, -]+? -- \\S+ \\S+"))
const BANNER = /^[*\s]*([-=*#~_/+])\1{3,}|([-=*#~_/+])\2{3,}\s*$/

/** A rule over every comment of a file. */
const inComments =
  (found: (text: string) => string | undefined): Rule["violations"] =>
  (files) =>
    files.flatMap((file) =>
      file.comments.flatMap(({ value, start }) => {
        const what = value
          .split("\n")
          .map(found)
          .find((one) => one !== undefined)
        return what === undefined ? [] : [at(file, file.lineOf(start), what)]
      })
    )

keep({
  name: "No check is switched off",
  over: everything,
  violations: inComments((text) => {
    if (SUPPRESSION.test(text)) return "silences the compiler"
    return DISABLED.test(text) && !REASONED.test(text) ? "switches a rule off without a reason" : undefined
  }),
  broken: [
    ["src/A.ts", mark("// @ts", "-ignore\nconst a = 1")],
    ["src/A.ts", mark("/* @ts", "-expect-error */ const a = 1")],
    ["src/A.ts", mark("// @ts", "-nocheck")],
    ["src/A.ts", mark("/* oxlint-", "disable */")],
    ["src/A.ts", mark("// eslint-", "disable-next-line no-console")],
    ["src/A.ts", mark("// @effect-", "diagnostics floatingEffect:off")]
  ],
  kept: [["src/A.ts", mark("// oxlint-", "disable-next-line no-bitwise -- the mask is the protocol's\nconst a = 1")]]
})

keep({
  name: "Nothing is left for later in a comment",
  over: everything,
  violations: inComments((text) => (LATER.test(text) ? "leaves something for later" : undefined)),
  broken: [
    ["src/A.ts", mark("// TO", "DO: more")],
    ["src/A.ts", mark("/** FIX", "ME */")]
  ],
  kept: [["src/A.ts", "// what a buyer has to do"]]
})

keep({
  name: "No banner comments",
  over: everything,
  violations: inComments((text) => (BANNER.test(text) ? "is a banner" : undefined)),
  broken: [
    ["src/A.ts", mark("// ==", "== Orders ====")],
    ["src/A.ts", mark("// --", "------")],
    ["src/A.ts", mark("/**", "***\n * Orders\n ****/")]
  ],
  kept: [["src/A.ts", "/**\n * Orders.\n *\n * - one\n */\nconst a = 1 // a -- b"]]
})

keep({
  name: "No any",
  over: everything,
  violations: (files) =>
    files.flatMap((file) =>
      file.nodes
        .filter(({ node }) => node.type === "TSAnyKeyword")
        .map(({ node }) => at(file, file.lineOf(node.start), "says any"))
    ),
  broken: [
    ["src/A.ts", mark("const a = b as", " any")],
    ["src/A.ts", "const a = <any>b"],
    ["src/A.ts", "const a = (b: Array<any>) => b"]
  ],
  kept: [["src/A.ts", `const any = (a: unknown) => a as string`]]
})

const RUNNERS = new Set(["it", "test", "describe", "expect"])
const SELECTIVE = new Set(["skip", "only", "todo", "failing", "skipIf", "todoIf", "if"])

const selects = ({ node }: Source["nodes"][number]): string | undefined => {
  if (node.type !== "MemberExpression" || node.property.type !== "Identifier") return undefined
  let root = node.object
  while (root.type === "MemberExpression" || root.type === "CallExpression") {
    root = root.type === "MemberExpression" ? root.object : root.callee
  }
  return root.type === "Identifier" && RUNNERS.has(root.name) && SELECTIVE.has(node.property.name)
    ? `${root.name}.${node.property.name}`
    : undefined
}

keep({
  name: "Every test runs",
  over: sources("test"),
  violations: (files) =>
    files.flatMap((file) =>
      file.nodes.flatMap((entry) => {
        const what = selects(entry)
        return what === undefined ? [] : [at(file, file.lineOf(entry.node.start), `says ${what}`)]
      })
    ),
  broken: [
    ["test/A.test.ts", mark("it.sk", `ip("a", () => {})`)],
    ["test/A.test.ts", mark("describe.on", `ly("a", () => {})`)],
    ["test/A.test.ts", mark("test.to", `do("a")`)],
    ["test/A.test.ts", mark("it.effect.sk", `ip("a", () => {})`)],
    ["test/A.test.ts", `it.skipIf(true)("a", () => {})`]
  ],
  kept: [["test/A.test.ts", `it.each([1])("a", () => { list.only; stream.skipped(1).todo })`]]
})

/** Text that only makes sense on one machine, or that names where packages come from. */
const FOREIGN = [
  new RegExp(mark("registry\\.(npm", "js|yarn", "pkg)\\.")),
  new RegExp(mark("(npm\\.|jsr\\.)[a-z]*\\.?pkg\\.git", "hub")),
  new RegExp(mark("(^|[\\s\"'`(=:])/(ho", "me|Us", "ers|ro", "ot|wo", "rk)/[\\w.-]")),
  new RegExp(mark("\\b[A-Z]:\\\\", "\\\\?(Us", "ers|wo", "rk)"))
]
const LISTED = [
  "*",
  ".ci/*",
  ...["docs", "engine", "packages", "src", "scripts", "test", "data"].map((folder) => `${folder}/**/*`)
]
  .flatMap(paths)
  .filter((path) => /\.(md|json|ts|tsx|py|toml|lock|sh|html|css)$|(^|\/)(run|\.npmrc|\.gitignore|LICENSE)$/.test(path))
const asText = (path: string, text: string): Source => ({
  path,
  text,
  comments: [],
  imports: [],
  nodes: [],
  lineOf: () => 1
})

keep({
  name: "No path of one machine and no package registry's address",
  over: LISTED.map((path) => asText(path, textOf(path) ?? "")),
  violations: (files) =>
    files.flatMap((file) =>
      file.text.split("\n").flatMap((line, index) => {
        const isFound = FOREIGN.some((pattern) => pattern.test(line))
        return isFound ? [at(file, index + 1, "names a machine's path or a registry")] : []
      })
    ),
  broken: [
    ["src/A.ts", mark(`const a = "/ho`, `me/someone/file"`)],
    ["src/A.ts", mark("// see /wo", "rk/notes")],
    ["src/A.ts", mark(`const a = "https://registry.npm`, `js.org/effect"`)]
  ],
  kept: [["src/A.ts", `const a = "/api/work/1" + "/v1/users"`]]
})
