import { join } from "node:path"
import type { ProgramName } from "../../scripts/launch/Program.ts"

/** Where tests find the programs that the test command bundled for all of them. Not set: each is launched as a person does. */
export const TEST_PROGRAMS = "TEST_PROGRAMS"

const ROOT = join(import.meta.dirname, "..", "..")

const LAUNCHERS: Readonly<Record<ProgramName, string>> = { main: "scripts/start.ts", Emporion: "scripts/emporion.ts" }

/** The file of a program that a process of its own runs. */
export const program = (name: ProgramName): string => {
  const folder = process.env[TEST_PROGRAMS]
  return folder === undefined ? join(ROOT, LAUNCHERS[name]) : join(folder, `${name}.js`)
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
  runtime === "deno" ? denoCommand(join(ROOT, "src/DenoMain.ts")) : [process.execPath, program("main")]
