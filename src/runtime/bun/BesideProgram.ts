import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

/**
 * Reads a file that is beside a bundled program, by its path from there; undefined where there is none. In an executable
 * another module is in the place of this one, which reads what is inside of it.
 */
export const readBeside = (name: string): Uint8Array<ArrayBuffer> | undefined => {
  const path = join(import.meta.dirname, name)
  return existsSync(path) ? new Uint8Array(readFileSync(path)) : undefined
}
