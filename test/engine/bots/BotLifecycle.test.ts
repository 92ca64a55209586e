import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import { act, BOT_ACTS, BOT_STATUSES, type BotStanding, suspend } from "../../../engine/bots/BotLifecycle.ts"
import { property } from "../../lib/Property.ts"

const standing = (status: BotStanding["status"]): BotStanding => ({
  status,
  cause: status === "suspended" ? "loss_limit" : null
})

const outcome = (from: BotStanding["status"], asked: (typeof BOT_ACTS)[number], holds = false): string =>
  Result.match(act(standing(from), asked, holds), {
    onSuccess: ({ status }) => status,
    onFailure: ({ _tag }) => _tag
  })

const ILLEGAL = "IllegalBotAct"

/** What each act does in each status, in the order of BOT_STATUSES: inactive, active, paused, suspended, terminated. */
const TABLE = {
  start: ["active", "active", ILLEGAL, ILLEGAL, ILLEGAL],
  pause: [ILLEGAL, "paused", "paused", ILLEGAL, ILLEGAL],
  resume: [ILLEGAL, "active", "active", "active", ILLEGAL],
  terminate: ["terminated", "terminated", "terminated", "terminated", "terminated"]
} as const

describe("a bot's life", () => {
  it("follows its table", () => {
    for (const asked of BOT_ACTS) {
      BOT_STATUSES.forEach((status, index) => expect(outcome(status, asked)).toBe(TABLE[asked][index] ?? ""))
    }
  })

  it("does not go on while what suspended it holds", () => {
    expect(outcome("suspended", "resume", true)).toBe("StillSuspended")
    expect(outcome("suspended", "terminate", true)).toBe("terminated")
    expect(outcome("paused", "resume", true)).toBe("active")
  })

  it("is suspended only while it is active, and knows why exactly then", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...BOT_ACTS, "suspend" as const)), (steps) => {
        let now = standing("inactive")
        for (const step of steps) {
          const before = now
          now = step === "suspend" ? suspend(now, "credits_gone") : Result.getOrElse(act(now, step, false), () => now)
          expect(now.cause !== null).toBe(now.status === "suspended")
          if (step === "suspend" && before.status !== "active") expect(now).toEqual(before)
          if (before.status === "terminated") expect(now).toEqual(before)
        }
      }),
      property()
    )
  })
})
