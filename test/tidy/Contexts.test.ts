import type { Node } from "oxc-parser"
import { at, keep } from "./Rule.ts"
import { type Source, source, sources, textOf } from "./Source.ts"

const src = sources("src")
const api = sources("src/api")

keep({
  name: "The contract imports neither server nor client",
  over: api,
  violations: (files) =>
    files.flatMap((file) =>
      file.imports
        .filter(({ specifier, target }) =>
          target === undefined
            ? !/^(effect(\/(?!sql|cluster|process)|$)|i18n-iso-countries\/)/.test(specifier ?? "")
            : !/^(engine|src\/api)\//.test(target)
        )
        .map(({ line, specifier }) => at(file, line, `imports ${specifier ?? "a computed module"}`))
    ),
  broken: [
    ["src/api/A.ts", `import { a } from "../arena/Commitments.ts"`],
    ["src/api/A.ts", `import type { a } from "../http/B.ts"`],
    ["src/api/A.ts", `import { SqlClient } from "effect/sql"`],
    ["src/api/A.ts", `import { a } from "node:fs"`],
    ["src/api/A.ts", `import { a } from "jose"`]
  ],
  kept: [
    [
      "src/api/A.ts",
      `import { a } from "./B.ts"\nimport { b } from "../../engine/money/Amount.ts"\nimport { HttpApi } from "effect/http-api"`
    ]
  ]
})

keep({
  name: "A package imports its own alone",
  over: sources("packages"),
  violations: (files) =>
    files.flatMap((file) =>
      file.imports
        .filter(({ target }) => target?.startsWith(file.path.replace(/(?<=\/src\/).*/, "")) !== true)
        .map(({ line, specifier }) => at(file, line, `imports ${specifier ?? "a computed module"}`))
    ),
  broken: [
    ["packages/client/src/A.ts", `import { a } from "../../../src/api/Text.ts"`],
    ["packages/client/src/A.ts", `import type { a } from "../../../engine/money/Amount.ts"`],
    ["packages/client/src/A.ts", `import { a } from "../../other/src/A.ts"`],
    ["packages/client/src/A.ts", `import { a } from "effect"`],
    ["packages/client/src/A.ts", `import { a } from "node:fs"`]
  ],
  kept: [["packages/client/src/A.ts", `import { a } from "./B.ts"`]]
})

const PAGE_LIBRARIES =
  /^(react|react-dom\/client|wouter|@tanstack\/react-query|lightweight-charts|@noble\/hashes\/\w+\.js)$/

keep({
  name: "The dashboard's pages import the contract, clients, the engine and their own",
  over: sources("src/dashboard/app"),
  violations: (files) =>
    files.flatMap((file) =>
      file.imports
        .filter(({ specifier, target, typeOnly }) =>
          target === undefined
            ? !PAGE_LIBRARIES.test(specifier ?? "") && !/^effect(\/(http-api|rpc|socket))?$/.test(specifier ?? "")
            : !/^(engine|data|packages\/client\/src|src\/dashboard\/app)\//.test(target) &&
              !(typeOnly && target.startsWith("src/api/"))
        )
        .map(({ line, specifier }) => at(file, line, `imports ${specifier ?? "a computed module"}`))
    ),
  broken: [
    ["src/dashboard/app/A.tsx", `import { a } from "../../funds/Funds.ts"`],
    ["src/dashboard/app/A.tsx", `import { a } from "../../api/Api.ts"`],
    ["src/dashboard/app/A.tsx", `import { a } from "../DashboardBundle.ts"`],
    ["src/dashboard/app/A.tsx", `import { a } from "node:fs"`],
    ["src/dashboard/app/A.tsx", `import { a } from "d3"`]
  ],
  kept: [
    [
      "src/dashboard/app/A.tsx",
      `import type { a } from "../../api/Api.ts"\nimport { b } from "../../../engine/money/Amount.ts"\nimport { c } from "react"`
    ]
  ]
})

const CONTEXTS =
  "analytics arena bots commerce credit dashboard funds identity kyc oracles payments requests stream subscriptions transfers webhooks".split(
    " "
  )
const contextOf = (path: string): string | undefined => {
  const folder = /^src\/([^/]+)\//.exec(path)?.[1]
  return folder !== undefined && CONTEXTS.includes(folder) ? folder : undefined
}

/** Whether a base class is made by a function of this name, such as `Context.Service<A, B>()("id")`. */
const madeBy = (node: Node | null, names: RegExp): boolean => {
  if (node === null) return false
  if (node.type === "CallExpression") return madeBy(node.callee, names)
  if (node.type === "TSInstantiationExpression") return madeBy(node.expression, names)
  if (node.type === "Identifier") return names.test(node.name)
  return node.type === "MemberExpression" && node.property.type === "Identifier" && names.test(node.property.name)
}

const PUBLISHED = /^(refusal|Service|Reference|TaggedError|TaggedErrorClass|Error|TaggedClass|Class)$/

const hasClass = (file: Source, names: RegExp): boolean =>
  file.nodes.some(({ node }) => node.type === "ClassDeclaration" && madeBy(node.superClass, names))

const declaresValues = (file: Source): boolean =>
  file.nodes.some(
    ({ node }) =>
      (node.type === "ExportNamedDeclaration" || node.type === "ExportDefaultDeclaration") &&
      !(node.declaration?.type ?? "TSType").startsWith("TS")
  )

/** What another context may see of one: services, errors, domain classes and plain types; never a repository or handler. */
const isPublished = (file: Source): boolean =>
  !/(Repository|Handlers?|Row|Table)\.tsx?$/.test(file.path) && (hasClass(file, PUBLISHED) || !declaresValues(file))

const intrusions = (files: ReadonlyArray<Source>, read: (path: string) => Source | undefined): ReadonlyArray<string> =>
  files.flatMap((file) =>
    file.imports.flatMap(({ target, line }) => {
      const [here, there] = [contextOf(file.path), target === undefined ? undefined : contextOf(target)]
      if (target === undefined || here === undefined || there === undefined || here === there) return []
      const other = read(target)
      return other !== undefined && isPublished(other) ? [] : [at(file, line, `reaches into ${target}`)]
    })
  )

const PLANTED: Record<string, string> = {
  "src/funds/Funds.ts": `export class Funds extends Context.Service<Funds, {}>()("Funds") {}`,
  "src/funds/FundsRepository.ts": `export class FundsRepository extends Context.Service<A, {}>()("R") {}`,
  "src/funds/Helper.ts": `export const half = (n: number) => n / 2`,
  "src/funds/Fund.ts": `export interface Fund { readonly id: string }`
}
const read = (path: string): Source | undefined => {
  const text = PLANTED[path] ?? textOf(path)
  return text === undefined ? undefined : source(path, text)
}

keep({
  name: "A context reaches another only through its service",
  over: src,
  violations: (files) => intrusions(files, read),
  broken: [
    ["src/arena/A.ts", `import { a } from "../funds/FundsRepository.ts"`],
    ["src/arena/A.ts", `import { half } from "../funds/Helper.ts"`],
    ["src/arena/A.ts", `import { a } from "../funds/Missing.ts"`],
    ["src/arena/deep/A.ts", `export { a } from "../../funds/FundsRepository.ts"`]
  ],
  kept: [
    ["src/arena/A.ts", `import { Funds } from "../funds/Funds.ts"\nimport type { Fund } from "../funds/Fund.ts"`],
    ["src/funds/Funds.ts", `import { a } from "./FundsRepository.ts"`]
  ]
})

/** What its module brings to the platform, and nobody else does. */
const BROUGHT = /(Handlers|Projection|Rpcs|Worker)\.ts$/

const isModule = (path: string): boolean => path.endsWith("Module.ts")

keep({
  name: "What a context brings to the platform is in its module",
  over: src,
  violations: (files) => {
    const brought = new Set(
      files.filter(({ path }) => isModule(path)).flatMap(({ imports }) => imports.map(({ target }) => target))
    )
    return files
      .filter(({ path }) => BROUGHT.test(path) && contextOf(path) !== undefined && !brought.has(path))
      .map((file) => at(file, 1, "is in no module"))
  },
  broken: [
    ["src/funds/LostHandlers.ts", "export const layer = 1"],
    ["src/arena/LostProjection.ts", "export const lost = 1"]
  ],
  kept: [["src/http/SystemHandlers.ts", "export const layer = 1"]]
})

keep({
  name: "The application knows of a context what its module and its services say",
  over: src.filter(({ path }) => path === "src/App.ts"),
  violations: (files) =>
    files.flatMap((file) =>
      file.imports.flatMap(({ target = "", line }) =>
        contextOf(target) !== undefined &&
        /(Handlers|Projection|Repository|Rpcs|Worker|Fast\w+|Cached\w+)\.ts$/.test(target)
          ? [at(file, line, `imports ${target}`)]
          : []
      )
    ),
  broken: [
    ["src/App.ts", `import * as FundsHandlers from "./funds/FundsHandlers.ts"`],
    ["src/App.ts", `import { FundsRepository } from "./funds/FundsRepository.ts"`],
    ["src/App.ts", `import { fastOrders } from "./commerce/FastOrder.ts"`]
  ],
  kept: [["src/App.ts", `import { module as funds } from "./funds/FundsModule.ts"`]]
})

/** Constants that say, error by error, what callers are told of it. */
const errorTables = (text: string): ReadonlyArray<number> =>
  [...text.matchAll(/^(?:export )?const \w+(?:: [^=\n]+)? = \{\n(?:(?!\}).*\n)*?^\}/gm)]
    .filter(([table]) => /\bnew ApiError\(|\brefuse\(/.test(table) && /^ {2}[A-Z]\w*:? ?\(.*=>/m.test(table))
    .map(({ index }) => index)

const errorSwitches = (text: string): ReadonlyArray<number> =>
  [...text.matchAll(/switch \(\w+\._tag\) \{(?:(?!\n\S)[\s\S])*?new ApiError\(/g)].map(({ index }) => index)

keep({
  name: "An error carries its code and its sentence, and no table beside it has them",
  over: src,
  violations: (files) =>
    files.flatMap((file) => [
      ...(/\wRefusal\.ts$/.test(file.path) ? [at(file, 1, "stands beside the errors' classes")] : []),
      ...[...errorTables(file.text), ...errorSwitches(file.text)].map((index) =>
        at(file, file.lineOf(index), "says of errors what their classes say")
      )
    ]),
  broken: [
    ["src/funds/FundsRefusal.ts", "export const a = 1"],
    [
      "src/funds/FundAnswers.ts",
      'export const answers = {\n  FundNotFound: ({ id }: FundNotFound) => refuse("not_found", `No fund ${id}.`)\n}'
    ],
    [
      "src/funds/A.ts",
      'const told = {\n  Gone: () =>\n    Effect.fail(new ApiError("not_found", "Gone."))\n} as const'
    ],
    [
      "src/funds/FundsHandlers.ts",
      'const told = (error: Lost) => {\n  switch (error._tag) {\n    case "Lost":\n      return new ApiError("not_found", "Lost.")\n  }\n}'
    ]
  ],
  kept: [
    [
      "src/funds/FundsError.ts",
      'const WHY = {\n  late: "too late"\n}\nexport class Late extends refusal("Late", "conflict", () => WHY.late) {}'
    ],
    ["src/funds/B.ts", 'const gone = () => refuse("not_found", "Gone.")\nconst limits = {\n  most: 3\n}']
  ]
})

keep({
  name: "The engine knows no HTTP status",
  over: sources("engine"),
  violations: (files) =>
    files.flatMap((file) =>
      [...file.text.matchAll(/httpApiStatus|effect\/http\b/g)].map(({ index }) =>
        at(file, file.lineOf(index), "speaks HTTP")
      )
    ),
  broken: [["engine/funds/FundsError.ts", "export const Gone = Lost.annotate({ httpApiStatus: 404 })"]],
  kept: [["engine/funds/FundsError.ts", `export class Gone extends refusal("Gone", "not_found") {}`]]
})

const maySpeakSql = (path: string): boolean => path.endsWith("Repository.ts") || path.startsWith("src/database/")
const speaksSql = ({ node }: Source["nodes"][number]): boolean =>
  node.type === "TaggedTemplateExpression" &&
  ((node.tag.type === "Identifier" && node.tag.name === "sql") ||
    (node.tag.type === "MemberExpression" &&
      node.tag.property.type === "Identifier" &&
      /^(sql|unsafe)$/.test(node.tag.property.name)))

keep({
  name: "Only repositories and the database speak SQL",
  over: src,
  violations: (files) =>
    files
      .filter(({ path }) => !maySpeakSql(path))
      .flatMap((file) => [
        ...file.imports
          .filter(({ specifier, typeOnly }) => !typeOnly && /^(effect\/sql|@effect\/sql)/.test(specifier ?? ""))
          .map(({ line, specifier }) => at(file, line, `imports ${specifier}`)),
        ...file.nodes.filter(speaksSql).map(({ node }) => at(file, file.lineOf(node.start), "speaks SQL"))
      ]),
  broken: [
    ["src/arena/Arena.ts", `import { SqlClient } from "effect/sql"`],
    ["src/arena/Arena.ts", `import { PgClient } from "@effect/sql-pg"`],
    ["src/arena/Arena.ts", "const rows = sql`SELECT 1`"]
  ],
  kept: [["src/arena/OrderRepository.ts", `import { SqlClient } from "effect/sql"\nconst rows = sql\`SELECT 1\``]]
})

/** Where the outside world may be touched, and by what. */
const ADAPTERS: Record<string, RegExp> = {
  "src/runtime/deno/DenoServerRuntime.ts": /^performance\.now$/,
  "src/runtime/deno/DenoSocket.ts": /^setTimeout$/,
  "src/main.ts": /./,
  "src/dashboard/app/Platform.ts": /^(Date\.now|setTimeout|setInterval)$/,
  "packages/client/src/ClientPlatform.ts": /^(performance\.now|Math\.random|setTimeout)$/,
  "packages/client/src/WebhookVerification.ts": /^Date\.now$/,
  "src/database/PostgresProcess.ts": /^process\.env$/
}

const memberName = (node: Node): string | undefined =>
  node.type === "MemberExpression" && node.object.type === "Identifier" && node.property.type === "Identifier"
    ? `${node.object.name}.${node.property.name}`
    : undefined

const outsideWorld = ({ node }: Source["nodes"][number]): string | undefined => {
  const name = memberName(node)
  if (name !== undefined && /^(process\.env|Bun\.env|Date\.now|Math\.random|performance\.now)$/.test(name)) return name
  if (node.type === "NewExpression" && node.callee.type === "Identifier" && node.callee.name === "Date") {
    return node.arguments.length === 0 ? "new Date" : undefined
  }
  const timer = node.type === "CallExpression" && node.callee.type === "Identifier" ? node.callee.name : ""
  return /^set(Timeout|Interval|Immediate)$/.test(timer) ? timer : undefined
}

keep({
  name: "Clock, randomness and environment come from services",
  over: [...src, ...sources("packages")],
  violations: (files) =>
    files.flatMap((file) =>
      file.nodes.flatMap((entry) => {
        const what = outsideWorld(entry)
        if (what === undefined || ADAPTERS[file.path]?.test(what) === true) return []
        return [at(file, file.lineOf(entry.node.start), `uses ${what}`)]
      })
    ),
  broken: [
    ["src/arena/A.ts", `const a = process.env["PORT"]`],
    ["src/arena/A.ts", `const a = Date.now()`],
    ["src/arena/A.ts", `const a = new Date()`],
    ["src/arena/A.ts", `const a = Math.random()`],
    ["src/arena/A.ts", `setTimeout(a, 1)`],
    ["src/database/PostgresProcess.ts", `const a = Date.now()`]
  ],
  kept: [["src/arena/A.ts", `const a = new Date(0).toISOString()`]]
})
