import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { AgentActivity } from "../../../src/arena/AgentActivity.ts"
import { itEffect } from "../../lib/Effects.ts"

describe("AgentActivity", () => {
  itEffect("counts skipped orders and knows whether the agent runs", () =>
    Effect.gen(function* () {
      const activity = yield* AgentActivity
      expect([activity.isRunning(), activity.skipped()]).toEqual([false, 0])
      activity.setRunning(true)
      yield* activity.skip("fx", "there is no safe price")
      yield* activity.skip("gpu", "there is no safe price")
      expect([activity.isRunning(), activity.skipped()]).toEqual([true, 2])
    }).pipe(Effect.provide(AgentActivity.layer))
  )
})
