import { compileReluctantly } from "./runtime/bun/BunCompilation.ts"

compileReluctantly()
const [BunRuntime, { run }] = await Promise.all([import("./runtime/bun/BunRuntime.ts"), import("./Serving.ts")])
run(BunRuntime.layer)
