import type { Migration } from "../Migration.ts"

/** Every migration, in order. A new one is a file `NNNN_name.ts` beside this one and a line here. */
export const registry: ReadonlyArray<Migration> = []
