import { describe } from "bun:test"
import { Effect } from "effect"
import { itLive } from "../../lib/Effects.ts"
import { hangingWalk } from "../../lib/HangingWalk.ts"

const STOP = 60_000

describe("while PostgreSQL hangs for a minute", () => {
  itLive(
    "everything that there is ends within ten seconds with the way on, and what has a key is done once",
    () => Effect.asVoid(hangingWalk(STOP)),
    STOP + 240_000
  )
})
