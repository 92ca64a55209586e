import { describe, expect, it } from "bun:test"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import type { Commitment } from "../../../engine/arena/Commitment.ts"
import { AskedCommitments } from "../../../engine/simulation/AskedCommitments.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"
import { commitment } from "../../lib/BotCases.ts"

const { botId } = commitment.trader

const item = { ...commitment, id: "operator/1/0", companyId: "cmp_1", botId: botId ?? "" }

/** What is found in commitments of a company that asked for one. */
const found = (companyId: string, ...changes: ReadonlyArray<Partial<Commitment>>) => {
  const rules: Array<string> = []
  const asked = new AskedCommitments((rule) => void rules.push(rule))
  asked.asked(item)
  for (const change of changes) {
    asked.made(companyId, JSON.parse(encodeEvent({ ...commitment, swapExecutor: item.id, ...change })))
  }
  return rules
}

describe("AskedCommitments", () => {
  it("finds nothing in what was asked for", () => {
    expect(found("cmp_1", {})).toEqual([])
  })

  it("sees what nobody asked for, or for another bot, order or price, and what was made twice", () => {
    expect(found("cmp_1", { swapExecutor: "operator/1/1" })).toEqual(["operator"])
    expect(found("cmp_2", {})).toEqual(["operator"])
    expect(found("cmp_1", { trader: { ...commitment.trader, botId: "bot_2" } })).toEqual(["operator"])
    expect(found("cmp_1", { orderId: "ord_2" })).toEqual(["operator"])
    for (const name of ["proposedPrice", "exitPrice", "quantity", "slippage"] as const) {
      expect([name, found("cmp_1", { [name]: usd("7") })]).toEqual([name, ["operator"]])
    }
    expect(found("cmp_1", {}, {})).toEqual(["committed_twice"])
  })
})
