import type { Node } from "oxc-parser"
import { at, keep } from "./Rule.ts"
import { type Source, sources } from "./Source.ts"

const src = sources("src")

/** What only one runtime has: its global, its modules, and its own fields of `import.meta`. */
interface Own {
  readonly global: string
  readonly modules: RegExp
  readonly meta: ReadonlySet<string>
}

const OWN: Readonly<Record<string, Own>> = {
  bun: { global: "Bun", modules: /^bun(:|$)/, meta: new Set(["dir", "file", "path", "env", "require", "resolveSync"]) },
  deno: { global: "Deno", modules: /^(jsr:|npm:|ext:|https?:|@std\/)/, meta: new Set() }
}

const isName = (node: Node, parent: Node | undefined): boolean =>
  (parent?.type === "MemberExpression" && parent.property === node && !parent.computed) ||
  (parent?.type === "Property" && parent.key === node && !parent.computed && !parent.shorthand)

const property = (node: Node): string | undefined =>
  node.type === "Identifier" ? node.name : node.type === "Literal" ? String(node.value) : undefined

const use = ({ global, meta }: Own, { node, parent }: Source["nodes"][number]): string | undefined => {
  if (node.type === "Identifier" && node.name === global && !isName(node, parent)) return `uses ${global}`
  if (node.type !== "MemberExpression") return undefined
  const name = property(node.property)
  const isGlobal = node.object.type === "Identifier" && node.object.name === "globalThis"
  if (isGlobal && name === global) return `uses ${global}`
  return node.object.type === "MetaProperty" && meta.has(name ?? "") ? `uses import.meta.${name}` : undefined
}

/** What loads modules that users name. */
const USERS_MODULES = "src/cli/UserModule.ts"

keep({
  name: "Only src/runtime/bun uses Bun's own API, and only src/runtime/deno that of Deno",
  over: src,
  violations: (files) =>
    files.flatMap((file) =>
      Object.entries(OWN)
        .filter(([folder]) => !file.path.startsWith(`src/runtime/${folder}/`))
        .flatMap(([, own]) => [
          ...file.imports
            .filter(({ specifier }) =>
              specifier === undefined ? file.path !== USERS_MODULES : own.modules.test(specifier)
            )
            .map(({ line, specifier }) => at(file, line, `imports ${specifier ?? "a computed module"}`)),
          ...file.nodes.flatMap((entry) => {
            const what = use(own, entry)
            return what === undefined ? [] : [at(file, file.lineOf(entry.node.start), what)]
          })
        ])
    ),
  broken: [
    ["src/http/A.ts", `const a = Bun.file("a")`],
    ["src/http/A.ts", `const { file } = Bun`],
    ["src/http/A.ts", `const a = { Bun }`],
    ["src/http/A.ts", `const a = globalThis.Bun`],
    ["src/http/A.ts", `const a = globalThis["Bun"]`],
    ["src/http/A.ts", `type A = Bun.Server<unknown>`],
    ["src/http/A.ts", `import type { Server } from "bun"`],
    ["src/http/A.ts", `import { Database } from "bun:sqlite"`],
    ["src/http/A.ts", `const a = await import("bun")`],
    ["src/http/A.ts", `const a = await import(name)`],
    ["src/http/A.ts", `const a = import.meta.dir`],
    ["src/runtime/deno/A.ts", `const a = Bun.env`],
    ["src/http/A.ts", `const a = Deno.env`],
    ["src/runtime/ServerRuntime.ts", `const a = Deno.env`],
    ["src/runtime/bun/A.ts", `const a = Deno.env`],
    ["src/http/A.ts", `import { assert } from "jsr:@std/assert"`]
  ],
  kept: [
    ["src/runtime/bun/A.ts", `import { serve } from "bun"\nconst a = Bun.file(import.meta.dir)`],
    ["src/runtime/deno/A.ts", `const a = Deno.serve({}, () => new Response())`],
    ["src/http/A.ts", `const a = { Bun: runtimes.Bun, at: import.meta.dirname, file: import.meta.filename }`]
  ]
})

keep({
  name: "A file of JSON is imported as such, which Deno asks for",
  over: src,
  violations: (files) =>
    files.flatMap((file) =>
      file.nodes
        .filter(
          ({ node }) =>
            node.type === "ImportDeclaration" &&
            node.source.value.endsWith(".json") &&
            !node.attributes.some(({ value }) => value.value === "json")
        )
        .map(({ node }) => at(file, file.lineOf(node.start), "imports JSON without its type"))
    ),
  broken: [["src/http/A.ts", `import a from "../a.json"`]],
  kept: [["src/http/A.ts", `import a from "../a.json" with { type: "json" }`]]
})
