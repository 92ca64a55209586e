import type { Node } from "oxc-parser"
import { at, keep } from "./Rule.ts"
import { type Source, sources } from "./Source.ts"

const engine = sources("engine")

keep({
  name: "The engine imports only effect and itself",
  over: engine,
  violations: (files) =>
    files.flatMap((file) =>
      file.imports
        .filter(({ specifier, target }) =>
          target === undefined ? !/^effect(\/|$)/.test(specifier ?? "") : !target.startsWith("engine/")
        )
        .map(({ line, specifier }) => at(file, line, `imports ${specifier ?? "a computed module"}`))
    ),
  broken: [
    ["engine/A.ts", `import { a } from "../src/B.ts"`],
    ["engine/A.ts", `import { a } from "node:crypto"`],
    ["engine/A.ts", `import type { a } from "bun"`],
    ["engine/A.ts", `export * from "fast-check"`],
    ["engine/A.ts", `export { a } from "../test/lib/Property.ts"`],
    ["engine/A.ts", `type A = import("node:fs").Stats`],
    ["engine/A.ts", `const a = require("fs")`],
    ["engine/A.ts", `const a = import(name)`],
    ["engine/A.ts", `import { a } from "effectful"`]
  ],
  kept: [
    ["engine/a/A.ts", `import { a } from "../b/B.ts"`],
    ["engine/a/A.ts", `import { Effect } from "effect"\nimport { TestClock } from "effect/testing"`]
  ]
})

const BANNED = new Set(
  (
    "Bun Buffer Date Deno Intl XMLHttpRequest WebSocket clearInterval clearTimeout console crypto fetch globalThis " +
    "performance process queueMicrotask require setImmediate setInterval setTimeout"
  ).split(" ")
)
/** What IEEE 754 or the language fixes to the last bit. */
const EXACT_MATH = new Set("abs ceil clz32 floor fround imul max min round sign sqrt trunc".split(" "))
const BY_LOCALE = /^(localeCompare|toLocale\w*|nowUnsafe)$/

const named = (node: Node | undefined): string | undefined =>
  node?.type === "Identifier" ? node.name : node?.type === "Literal" ? String(node.value) : undefined

/** Whether an identifier is a value that is read, not a property's name, a key or a type. */
const isRead = (node: Node, parent: Node | undefined): boolean => {
  if (node.type !== "Identifier" || parent === undefined) return false
  if (parent.type === "MemberExpression") return parent.object === node || parent.computed
  if (parent.type === "Property") return parent.value === node || parent.computed
  return !/^(TS|MethodDefinition|PropertyDefinition|ImportSpecifier|ExportSpecifier)/.test(parent.type)
}

const isBigInt = (node: Node): boolean => node.type === "Literal" && "bigint" in node && node.bigint !== undefined

/** A whole power of two is exact everywhere; of ten it is not. */
const isTwo = (node: Node): boolean => node.type === "Literal" && node.value === 2

const impurity = ({ node, parent }: Source["nodes"][number]): string | undefined => {
  if (node.type === "Identifier" && isRead(node, parent)) {
    if (BANNED.has(node.name)) return `reads ${node.name}`
    if (node.name === "Math" && parent?.type !== "MemberExpression") return "takes Math apart"
  }
  if (node.type === "MemberExpression") {
    const property = named(node.property)
    if (property !== undefined && BY_LOCALE.test(property)) return `calls ${property}`
    if (named(node.object) === "Math" && (!EXACT_MATH.has(property ?? "") || node.computed)) {
      return `uses Math.${property ?? "?"}`
    }
  }
  const power =
    (node.type === "BinaryExpression" && node.operator === "**") ||
    (node.type === "AssignmentExpression" && node.operator === "**=")
  if (power && !isBigInt(node.left) && !isBigInt(node.right) && !isTwo(node.left)) return "raises to an inexact power"
  return undefined
}

keep({
  name: "The engine has no clock, randomness, process or inexact arithmetic",
  over: engine,
  violations: (files) =>
    files.flatMap((file) =>
      file.nodes.flatMap((entry) => {
        const what = impurity(entry)
        return what === undefined ? [] : [at(file, file.lineOf(entry.node.start), what)]
      })
    ),
  broken: [
    ["engine/A.ts", `const a = Date.now()`],
    ["engine/A.ts", `const a = new Date(0)`],
    ["engine/A.ts", `const a = Math.random()`],
    ["engine/A.ts", `const a = Math.exp(1)`],
    ["engine/A.ts", `const a = Math["log"](1)`],
    ["engine/A.ts", `const { sin } = Math`],
    ["engine/A.ts", `const a = globalThis.Math`],
    ["engine/A.ts", `const a = x ** 0.5`],
    ["engine/A.ts", `const a = 10 ** n`],
    ["engine/A.ts", `x **= 2`],
    ["engine/A.ts", `setTimeout(() => {}, 1)`],
    ["engine/A.ts", `const a = process.env`],
    ["engine/A.ts", `console.log(1)`],
    ["engine/A.ts", `const a = b.localeCompare(c)`],
    ["engine/A.ts", `const a = DateTime.nowUnsafe()`]
  ],
  kept: [
    ["engine/A.ts", `const a = Math.floor(Math.sqrt(2)) + clock.Date + { process: 1 }.process`],
    ["engine/A.ts", `const a = 10n ** BigInt(x) + 2 ** attempts`]
  ]
})

const HTTP = /^(https?|HttpApi\w*|HttpServer\w*|httpApi\w*|httpStatus\w*|statusCode)$/i
const STATUS_KEY = /^(status|code)$/i

const tellsHttp = ({ node }: Source["nodes"][number]): boolean => {
  if (node.type === "Identifier") return HTTP.test(node.name)
  if (node.type !== "Property" && node.type !== "PropertyDefinition") return false
  const { key, value } = node
  return (
    STATUS_KEY.test(named(key) ?? "") &&
    value?.type === "Literal" &&
    typeof value.value === "number" &&
    value.value >= 100 &&
    value.value < 600
  )
}

keep({
  name: "The engine knows no HTTP status",
  over: engine,
  violations: (files) =>
    files.flatMap((file) => [
      ...file.imports
        .filter(({ specifier }) => /^effect\/(http|sql|rpc|cluster)/.test(specifier ?? ""))
        .map(({ line, specifier }) => at(file, line, `imports ${specifier}`)),
      ...file.nodes.filter(tellsHttp).map(({ node }) => at(file, file.lineOf(node.start), "tells an HTTP status"))
    ]),
  broken: [
    ["engine/A.ts", `import { HttpApiError } from "effect/http-api"`],
    ["engine/A.ts", `class A { readonly status = 404 }`],
    ["engine/A.ts", `const a = { statusCode: x }`],
    ["engine/A.ts", `const a = schema.annotate({ httpApiStatus: 409 })`]
  ],
  kept: [["engine/A.ts", `const a = { status: "open", amount: 404 }`]]
})

keep({
  name: "An event's type comes from its schema",
  over: sources("engine").filter(({ path }) => !path.startsWith("engine/replay/")),
  violations: (files) =>
    files.flatMap((file) =>
      file.text
        .split("\n")
        .flatMap((text, index) =>
          (file.path.endsWith("Event.ts") && /^(export )?interface /.test(text)) ||
          /fromJsonString\(\w*Event\b/.test(text)
            ? [at(file, index + 1, "tells an event beside its schema")]
            : []
        )
    ),
  broken: [
    ["engine/money/CoinEvent.ts", `export interface CoinMinted { readonly _tag: "CoinMinted" }`],
    ["engine/money/CoinCodec.ts", "const read = Schema.decodeUnknownSync(Schema.fromJsonString(CoinEvent))"]
  ],
  kept: [["engine/money/CoinEvent.ts", `export const CoinMinted = Schema.TaggedStruct("CoinMinted", {})`]]
})
