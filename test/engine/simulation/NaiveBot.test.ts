import { describe, expect, it } from "bun:test"
import { BOT_ACTS, act } from "../../../engine/bots/BotLifecycle.ts"
import { Result } from "effect"
import { BOT_STATUSES } from "../../../engine/bots/BotLifecycle.ts"
import { move, type NaiveBot, wasActive } from "../../../engine/simulation/NaiveBot.ts"

const TAGS = { start: "BotStarted", pause: "BotPaused", resume: "BotResumed", terminate: "BotTerminated" } as const

const bot = (status: NaiveBot["status"]): NaiveBot => ({
  id: "bot_1",
  companyId: "cmp_1",
  userId: "usr_1",
  status,
  profile: {
    name: "",
    capabilities: ["fx"],
    strategy: { riskPreset: "custom", riskLevel: "", maxLossPct: "", minRoiPct: "", maxCollateralPerTrade: "" },
    creditBudget: "",
    autoTopUp: false
  },
  turn: 1,
  funded: 0n,
  limit: 0n,
  lost: 0n,
  locked: 0n,
  activeFrom: 0,
  spans: []
})

describe("NaiveBot", () => {
  it("moves as the engine does, but for what stays where it is", () => {
    for (const status of BOT_STATUSES) {
      for (const asked of BOT_ACTS) {
        const moved = act({ status, cause: null }, asked, false)
        const isMove = Result.isSuccess(moved) && moved.success.status !== status
        expect({ status, asked, legal: move(bot(status), TAGS[asked], 0) }).toEqual({ status, asked, legal: isMove })
      }
    }
  })

  it("was active from when it began until when it ended", () => {
    const one = bot("inactive")
    move(one, "BotStarted", 10)
    expect([wasActive(one, "fx", 0, 10), wasActive(one, "fx", 0, 11), wasActive(one, "gpu", 0, 11)]).toEqual([
      false,
      true,
      false
    ])
    move(one, "BotPaused", 20)
    expect([wasActive(one, "fx", 19, 30), wasActive(one, "fx", 20, 30)]).toEqual([true, false])
  })
})
