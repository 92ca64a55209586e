import { describe } from "bun:test"
import { hangingDatabase } from "../../lib/HangingDatabase.ts"

describe("a server whose PostgreSQL hangs", () => hangingDatabase(60_000))
