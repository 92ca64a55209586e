import { Layer } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { BundledFiles } from "../BundledFiles.ts"

/** Beside a bundled program. */
const pathOf = (name: string): string => join(import.meta.dirname, name)

const read = (name: string): Uint8Array<ArrayBuffer> | undefined =>
  existsSync(pathOf(name)) ? new Uint8Array(readFileSync(pathOf(name))) : undefined

/** What the bundle of a program has beside it. */
export const layer: Layer.Layer<never> = Layer.succeed(BundledFiles, read)
