import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"

/** Where tests find the programs that the test command bundled for all of them. Not set: they run from their source. */
export const TEST_PROGRAMS = "TEST_PROGRAMS"

const ROOT = join(import.meta.dirname, "..", "..")

const SOURCES = { main: "src/main.ts", Emporion: "src/cli/Emporion.ts" } as const

/** The file of a program that a process of its own runs. */
export const program = (name: keyof typeof SOURCES): string => {
  const folder = process.env[TEST_PROGRAMS]
  return folder === undefined ? join(ROOT, SOURCES[name]) : join(folder, `${name}.js`)
}

/** What a server or a test runs on. */
export type RuntimeName = "bun" | "deno"

export const OWN_RUNTIME: RuntimeName = "Deno" in globalThis ? "deno" : "bun"

type Command = readonly [command: string, ...options: ReadonlyArray<string>]

/** Deno with the options of `npm run start:deno`, and such as a script needs. */
export const denoCommand = (script: string, options: ReadonlyArray<string> = []): Command => [
  join(ROOT, "node_modules", ".bin", "deno"),
  "run",
  "--allow-all",
  "--no-check",
  "--no-lock",
  "--node-modules-dir=manual",
  "--unstable-no-legacy-abort",
  ...options,
  script
]

/** How a server is started. */
export const serverCommand = (runtime: RuntimeName): Command =>
  runtime === "deno" ? denoCommand(join(ROOT, "src/runtime/deno/DenoMain.ts")) : [process.execPath, program("main")]

export interface BundledPrograms {
  readonly folder: string
  readonly remove: () => void
}

/**
 * Bundles the programs, which halves the processor time that each of their many starts takes: a source start reads a
 * thousand modules. They stand as deep in the project as the sources that look for files of theirs.
 */
export const bundlePrograms = async (): Promise<BundledPrograms> => {
  const reports = join(ROOT, "reports")
  mkdirSync(reports, { recursive: true })
  const folder = mkdtempSync(join(reports, "programs-"))
  await Bun.build({
    entrypoints: Object.values(SOURCES).map((source) => join(ROOT, source)),
    outdir: folder,
    naming: { entry: "[name].js" },
    target: "bun",
    splitting: true,
    external: ["@node-rs/argon2"]
  })
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
