import { Effect } from "effect"
import type { Scope } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import manifest from "../../packages/client/package.json"
import { temporaryFolder } from "./TemporaryFolder.ts"

const PACKAGE = join(import.meta.dir, "../../packages/client")

/** What each name of the package stands for, such as `emporion-client/stream`, as a source file. */
const SOURCES = new Map(
  Object.entries(manifest.exports).flatMap(([name, entry]) =>
    typeof entry === "string"
      ? []
      : [
          [
            join(manifest.name, name),
            join(PACKAGE, entry.default.replace("./dist/", "src/").replace(/\.js$/, ".ts"))
          ] as const
        ]
  )
)

/** The names under which programs import the package. */
export const ENTRIES: ReadonlyArray<string> = [...SOURCES.keys()]

/** Has programs find the package by its name though it is not installed. */
const fromSources: Bun.BunPlugin = {
  name: manifest.name,
  setup: (build) => {
    build.onResolve({ filter: new RegExp(`^${manifest.name}(/|$)`) }, ({ path }) => {
      const source = SOURCES.get(path)
      return source === undefined ? undefined : { path: source }
    })
  }
}

/** A program that uses the package, as one script for a page: its text. */
export const bundled = (
  code: string,
  options: { readonly minify?: boolean; readonly format?: "esm" | "iife" } = {}
): Effect.Effect<string, never, Scope.Scope> =>
  Effect.flatMap(temporaryFolder, (folder) =>
    Effect.promise(async () => {
      const source = join(folder, "program.ts")
      writeFileSync(source, code)
      const { outputs } = await Bun.build({
        entrypoints: [source],
        target: "browser",
        plugins: [fromSources],
        ...options
      })
      return (await outputs[0]?.text()) ?? ""
    })
  )

/** The examples of a page that import the package. */
export const examplesOf = (markdown: string): ReadonlyArray<string> =>
  [...markdown.matchAll(/(?<=```(?:js|ts)\n)[\s\S]*?(?=```)/g)]
    .map(([code]) => code)
    .filter((code) => code.includes(`from "${manifest.name}`))
