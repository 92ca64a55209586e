import { describe, expect } from "bun:test"
import { itLive } from "../lib/Effects.ts"
import { Effect } from "effect"
import { platformServer, playPlatform } from "../lib/platform/PlatformMoney.ts"

const SEQUENCES = 6
const LONGEST = 25

/** Every kind of move is taken in some sequence. */
const KINDS = ["cancel", "commit", "credit", "exchange", "fulfil", "mint", "order", "pay", "transfer", "withdraw"]

describe("Money, goods and credit over all contexts", () => {
  itLive("are what they are on paper, whoever does what at once", () =>
    Effect.gen(function* () {
      const taken = yield* playPlatform(yield* platformServer, SEQUENCES, LONGEST)
      expect([...taken.keys()].toSorted()).toEqual(KINDS)
    })
  )
})
