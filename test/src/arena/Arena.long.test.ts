import { describe } from "bun:test"
import { playMany } from "../../lib/ArenaModelRun.ts"
import { itLive } from "../../lib/Effects.ts"

/** Random sequences: some two minutes of a quiet processor. */
const RUNS = 50

describe("Arena", () => {
  itLive("does what its model does in many more sequences", () => playMany(RUNS), 900_000)
})
