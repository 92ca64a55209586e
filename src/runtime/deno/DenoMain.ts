import { run } from "../../Serving.ts"
import * as DenoRuntime from "./DenoRuntime.ts"

run(DenoRuntime.layer)
