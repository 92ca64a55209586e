import { readFileSync } from "node:fs"
import { join } from "node:path"
import { type Comment, type Node, parseSync, visitorKeys } from "oxc-parser"

/** A module named by another, and how. */
export interface Import {
  /** What was written between the quotes; undefined when it is computed. */
  readonly specifier: string | undefined
  /** The project's file it means, for a relative one. */
  readonly target: string | undefined
  readonly typeOnly: boolean
  readonly line: number
}

/** One parsed file of the project. */
export interface Source {
  /** From the project's root, such as `engine/money/Amount.ts`. */
  readonly path: string
  readonly text: string
  readonly comments: ReadonlyArray<Comment>
  readonly imports: ReadonlyArray<Import>
  /** Every node of the tree with its parent, in the order of the text. */
  readonly nodes: ReadonlyArray<{ readonly node: Node; readonly parent: Node | undefined }>
  readonly lineOf: (offset: number) => number
}

const ROOT = join(import.meta.dir, "..", "..")
const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"

const walk = (node: Node, parent: Node | undefined, into: Array<Source["nodes"][number]>): void => {
  into.push({ node, parent })
  const fields = node as unknown as Record<string, unknown>
  for (const key of visitorKeys[node.type] ?? []) {
    const children = Array.isArray(fields[key]) ? fields[key] : [fields[key]]
    for (const child of children) if (isNode(child)) walk(child, node, into)
  }
}

const literal = (node: unknown): string | undefined =>
  isNode(node) && node.type === "Literal" && typeof node.value === "string" ? node.value : undefined

const specifierOf = (node: Node): { readonly value: string | undefined; readonly typeOnly: boolean } | undefined => {
  switch (node.type) {
    case "ImportDeclaration":
      return { value: literal(node.source), typeOnly: node.importKind === "type" }
    case "ExportAllDeclaration":
      return { value: literal(node.source), typeOnly: node.exportKind === "type" }
    case "ExportNamedDeclaration":
      return node.source === null ? undefined : { value: literal(node.source), typeOnly: node.exportKind === "type" }
    case "ImportExpression":
      return { value: literal(node.source), typeOnly: false }
    case "TSImportType":
      return { value: literal(node.source), typeOnly: true }
    case "CallExpression":
      return node.callee.type === "Identifier" && node.callee.name === "require"
        ? { value: literal(node.arguments[0]), typeOnly: false }
        : undefined
    default:
      return undefined
  }
}

/** Parses a text as the file of that path. Dies when it does not parse: a rule must not pass what it cannot read. */
export const source = (path: string, text: string): Source => {
  const parsed = parseSync(path, text, { range: false })
  if (parsed.errors.length > 0) throw new Error(`${path} does not parse: ${parsed.errors[0]?.message}`)
  const starts = [0]
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1)
  const lineOf = (offset: number) => starts.findLastIndex((start) => start <= offset) + 1
  const nodes: Array<Source["nodes"][number]> = []
  walk(parsed.program, undefined, nodes)
  const imports = nodes.flatMap(({ node }): ReadonlyArray<Import> => {
    const found = specifierOf(node)
    if (found === undefined) return []
    const { value: specifier, typeOnly } = found
    const target = specifier?.startsWith(".") === true ? join(path, "..", specifier) : undefined
    return [{ specifier, target, typeOnly, line: lineOf(node.start) }]
  })
  return { path, text, comments: parsed.comments, imports, nodes, lineOf }
}

/** Paths of the project's files that match a glob, sorted. */
export const paths = (pattern: string): ReadonlyArray<string> =>
  [...new Bun.Glob(pattern).scanSync({ cwd: ROOT, dot: true })]
    .filter((path) => !path.includes("node_modules/") && !path.startsWith(".git/"))
    .toSorted()

/** The text of one of the project's files, or undefined when there is none. */
export const textOf = (path: string): string | undefined => {
  try {
    return readFileSync(join(ROOT, path), "utf8")
  } catch {
    return undefined
  }
}

const all = ["{engine,src,test,scripts}/**/*.{ts,tsx}", "packages/*/src/**/*.ts"]
  .flatMap(paths)
  .map((path) => source(path, textOf(path) ?? ""))

/** The project's sources below any of these folders. */
export const sources = (...folders: ReadonlyArray<string>): ReadonlyArray<Source> =>
  all.filter(({ path }) => folders.some((folder) => path.startsWith(`${folder}/`)))
