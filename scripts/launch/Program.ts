import { join } from "node:path"

export const ROOT = join(import.meta.dirname, "..", "..")

/** Where each program begins. A bundle has it under its name. */
export const PROGRAMS = { main: "src/main.ts", Emporion: "src/cli/Emporion.ts" } as const

export type ProgramName = keyof typeof PROGRAMS
