import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { itLive } from "../lib/Effects.ts"
import { platformServer, playPlatform } from "../lib/platform/PlatformMoney.ts"
import { runs } from "../lib/Property.ts"

const LONGEST = 60
const LIMIT = 1_800_000

describe("Money, goods and credit over all contexts, many times", () => {
  itLive(
    "are what they are on paper, whoever does what at once",
    () =>
      Effect.gen(function* () {
        const taken = yield* playPlatform(yield* platformServer, Math.ceil(runs() / 25), LONGEST)
        expect(taken.size).toBe(14)
      }),
    LIMIT
  )
})
