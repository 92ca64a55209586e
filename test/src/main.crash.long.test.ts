import { describe } from "bun:test"
import { killedBetween, killedWithBots } from "../lib/BotCrashTests.ts"
import { killedStarts, killedUnderLoad, stoppedDatabase } from "../lib/CrashTests.ts"

describe("a server that is killed", () => {
  killedStarts([200, 400, 550, 700, 850, 1_000, 1_200])
  killedUnderLoad(10)
})

describe("a server with bots that is killed", () => {
  killedWithBots(6)
  killedBetween()
})

describe("a server whose PostgreSQL is stopped at once", () => stoppedDatabase(3))
