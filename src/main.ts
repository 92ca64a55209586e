import * as BunRuntime from "./runtime/bun/BunRuntime.ts"
import { run } from "./Serving.ts"

run(BunRuntime.layer)
