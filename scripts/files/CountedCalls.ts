import { type Node, parseSync, visitorKeys } from "oxc-parser"

/** The global function that counted modules call, with the path of the module. */
export const COUNT = "__emporionPassed"

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"

interface Insertion {
  readonly at: number
  readonly text: string
}

/** What counts an entry into a function, at the begin of its body. */
const insertionsOf = (node: Node, call: string): ReadonlyArray<Insertion> => {
  if (
    node.type !== "FunctionDeclaration" &&
    node.type !== "FunctionExpression" &&
    node.type !== "ArrowFunctionExpression"
  ) {
    return []
  }
  const { body } = node
  if (!isNode(body)) return []
  if (body.type === "BlockStatement") return [{ at: body.start + 1, text: `${call};` }]
  return [
    { at: body.start, text: `(${call},(` },
    { at: body.end, text: "))" }
  ]
}

const collect = (node: Node, call: string, into: Array<Insertion>): void => {
  into.push(...insertionsOf(node, call))
  const fields = node as unknown as Record<string, unknown>
  for (const key of visitorKeys[node.type] ?? []) {
    const children = Array.isArray(fields[key]) ? fields[key] : [fields[key]]
    for (const child of children) if (isNode(child)) collect(child, call, into)
  }
}

/** A module's text, each of whose functions first says that it was entered. */
export const countedCalls = (path: string, text: string): string => {
  const insertions: Array<Insertion> = []
  collect(parseSync(path, text).program, `globalThis.${COUNT}(${JSON.stringify(path)})`, insertions)
  const parts: Array<string> = []
  let last = 0
  for (const { at, text: inserted } of insertions.toSorted((one, other) => one.at - other.at)) {
    parts.push(text.slice(last, at), inserted)
    last = at
  }
  return [...parts, text.slice(last)].join("")
}
