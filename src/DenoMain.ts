import { run } from "./Serving.ts"
import * as DenoRuntime from "./runtime/deno/DenoRuntime.ts"

run(DenoRuntime.layer)
