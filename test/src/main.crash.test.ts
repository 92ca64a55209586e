import { describe } from "bun:test"
import { killedStarts, killedUnderLoad, stoppedDatabase } from "../lib/CrashTests.ts"

describe("a server that is killed", () => {
  killedStarts([550])
  killedUnderLoad(2)
})

describe("a server whose PostgreSQL is stopped at once", () => stoppedDatabase(1))
