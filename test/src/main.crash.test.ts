import { describe } from "bun:test"
import { killedUnderLoad } from "../lib/CrashTests.ts"

describe("a server that is killed", () => killedUnderLoad(1))
