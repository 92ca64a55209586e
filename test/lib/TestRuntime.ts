import * as BunRuntime from "../../src/runtime/bun/BunRuntime.ts"
import * as DenoRuntime from "../../src/runtime/deno/DenoRuntime.ts"

/** What the tests run on, and a server of theirs with them. */
export const layer = "Deno" in globalThis ? DenoRuntime.layer : BunRuntime.layer
