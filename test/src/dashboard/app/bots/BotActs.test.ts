import { describe, expect, it } from "bun:test"
import { act, BOT_ACTS, BOT_STATUSES, SUSPENSION_CAUSES } from "../../../../../engine/bots/BotLifecycle.ts"
import { actsOf, SUSPENSIONS } from "../../../../../src/dashboard/app/bots/BotActs.ts"
import { Result } from "effect"

describe("actsOf", () => {
  it("offers what the platform would let happen, and nothing that is so already", () => {
    for (const status of BOT_STATUSES) {
      const allowed = BOT_ACTS.filter((asked) => {
        const led = act({ status, cause: null }, asked, false)
        return Result.isSuccess(led) && led.success.status !== status
      })
      expect(new Set<string>(actsOf(status))).toEqual(new Set<string>(allowed))
    }
  })

  it("advises on every suspension", () => {
    expect(Object.keys(SUSPENSIONS).toSorted()).toEqual([...SUSPENSION_CAUSES].toSorted())
  })
})
