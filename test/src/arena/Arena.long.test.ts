import { describe } from "bun:test"
import { playMany } from "../../lib/ArenaModelRun.ts"
import { itLive } from "../../lib/Effects.ts"

/** Milliseconds that the sequences may take together: 4 minutes. */
const LIMIT = 240_000

describe("Arena", () => {
  itLive("does what its model does in many more sequences", () => playMany(1_000, LIMIT), 600_000)
})
