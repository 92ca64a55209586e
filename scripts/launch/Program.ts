import { join } from "node:path"

export const ROOT = join(import.meta.dirname, "..", "..")

/** Where each program begins. A bundle has it under its name. */
export const PROGRAMS = { main: "src/main.ts", Emporion: "src/cli/Emporion.ts" } as const

/**
 * How they are written: without the spaces, which the runtime would keep in memory with the text. Names stay, in traces and
 * profiles, and so does what a statement is.
 */
export const WRITTEN = { target: "bun", sourcemap: "linked", minify: { whitespace: true } } as const

export type ProgramName = keyof typeof PROGRAMS
