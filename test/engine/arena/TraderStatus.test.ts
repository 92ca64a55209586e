import { describe, expect, it } from "bun:test"
import { type AskedMachine, type AskingUser, standingOf } from "../../../engine/arena/TraderStatus.ts"
import { walletOf } from "../../../engine/ledger/Funding.ts"
import { lossAllowanceOf } from "../../../engine/ledger/LossLimit.ts"

const user: AskingUser = {
  userId: "usr_1",
  owner: "cmp_1",
  walletAddress: "0x1",
  isHouse: false,
  isSuspended: false
}

const bot: AskedMachine = {
  id: "bot_1",
  owner: "cmp_1",
  userId: "usr_2",
  address: "0x2",
  isBot: true,
  isActive: true
}

const agent: AskedMachine = { ...bot, id: "mtr_1", userId: "usr_1", isBot: false }

const asks = (by: AskingUser, machine?: AskedMachine, machineId = machine?.id, isService = false) =>
  standingOf({ userId: by.userId, machineId, isService }, by, machine)

describe("standingOf", () => {
  it("lets people commit for themselves, with what is on their own account", () => {
    expect(asks(user)).toEqual({
      trader: {
        owner: "cmp_1",
        userId: "usr_1",
        address: "0x1",
        type: "human",
        botId: null,
        account: walletOf("usr_1", "USD"),
        allowance: null
      },
      barred: null
    })
    expect(asks(user, undefined, undefined, true).trader.type).toBe("machine")
  })

  it("names who has linked no wallet, and marks the house's own", () => {
    const bare = { ...user, walletAddress: undefined }
    expect(asks(bare).trader.address).toBe("usr_1")
    expect(asks({ ...bare, isHouse: true }).trader.address).toBe("house:usr_1")
  })

  it("lets a company's users commit as its bots, with the bots' own collateral", () => {
    expect(asks(user, bot)).toEqual({
      trader: {
        owner: "cmp_1",
        userId: "usr_2",
        address: "0x2",
        type: "machine",
        botId: "bot_1",
        account: walletOf("bot_1", "USD"),
        allowance: lossAllowanceOf("bot_1")
      },
      barred: null
    })
    expect(asks({ ...user, owner: "cmp_2" }, bot).barred).toBe("machine_not_active")
  })

  it("lets a user alone commit as a machine trader that is no bot, with the user's collateral", () => {
    const { barred, trader } = asks(user, agent)
    expect([barred, trader.account, trader.allowance]).toEqual([
      null,
      walletOf("usr_1", "USD"),
      lossAllowanceOf("mtr_1")
    ])
    expect(asks({ ...user, userId: "usr_3" }, agent).barred).toBe("machine_not_active")
  })

  it("bars a machine that is not active or not there before it bars who is suspended", () => {
    const suspended = { ...user, isSuspended: true }
    expect(asks(suspended).barred).toBe("suspended")
    expect(asks(suspended, bot).barred).toBe("suspended")
    expect(asks(suspended, { ...bot, isActive: false }).barred).toBe("machine_not_active")
    expect(asks(user, undefined, "bot_9")).toMatchObject({ barred: "machine_not_active", trader: { botId: "bot_9" } })
  })
})
