import { describe } from "bun:test"
import { killedUnderLoad, stoppedDatabase } from "../lib/CrashTests.ts"

describe("a server that is killed", () => killedUnderLoad(1))

describe("a server whose PostgreSQL is stopped at once", () => stoppedDatabase(1))
