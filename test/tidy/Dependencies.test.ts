import manifest from "../../package.json" with { type: "json" }
import { at, keep } from "./Rule.ts"
import { type Source, sources } from "./Source.ts"

const installed: ReadonlySet<string> = new Set(Object.keys(manifest.dependencies))

/** What `npm start` and the commands are made of, beside `src` and `engine`. */
const STARTING = /^scripts\/(start|emporion|bundle|prepare)\.ts$|^scripts\/launch\//

/** The package that a specifier names; undefined for a file, the runtime's own modules, and an alias of the project. */
const packageOf = (specifier: string): string | undefined => {
  if (/^(\.|#|node:|bun(:|$)|https?:)/.test(specifier)) return undefined
  const [scope = "", name = ""] = specifier.split("/")
  return scope.startsWith("@") ? `${scope}/${name}` : scope
}

const missing = (file: Source): ReadonlyArray<string> =>
  file.imports.flatMap(({ line, specifier, typeOnly }) => {
    const name = typeOnly || specifier === undefined ? undefined : packageOf(specifier)
    return name === undefined || installed.has(name) ? [] : [at(file, line, `imports ${name}, which is no dependency`)]
  })

keep({
  name: "What runs needs nothing but the dependencies: `npm install --omit=dev` is enough",
  over: [...sources("src"), ...sources("engine"), ...sources("scripts").filter(({ path }) => STARTING.test(path))],
  violations: (files) => files.flatMap(missing),
  broken: [
    ["src/http/A.ts", `import { fastify } from "fastify"`],
    ["scripts/launch/A.ts", `const a = await import("oxc-parser")`],
    ["engine/A.ts", `export { a } from "@types/bun"`]
  ],
  kept: [
    [
      "src/http/A.ts",
      `import type { Client } from "pg"\nimport { Effect } from "effect"\nimport { join } from "node:path"`
    ],
    ["src/runtime/bun/A.ts", `import { serve } from "bun"\nimport { Database } from "bun:sqlite"`],
    ["src/http/B.ts", `import { b } from "../B.ts"\nimport { c } from "@effect/sql-pg/PgClient"`]
  ]
})
