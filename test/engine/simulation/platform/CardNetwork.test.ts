import { describe, expect, it } from "bun:test"
import { Effect, Exit } from "effect"
import { CardNetwork } from "../../../../engine/simulation/platform/CardNetwork.ts"
import { SeededRandom } from "../../../../engine/simulation/SeededRandom.ts"
import { companyWorld, usd } from "../../../lib/CompanyWorld.ts"

describe("CardNetwork", () => {
  const step = (key: string, amount = usd(3)) => ({ key, paymentId: "pay_1", reference: "pay_1", amount })

  it("does nothing twice under one key, and gives back no more than it took", () => {
    const { run } = companyWorld()
    const cards = new CardNetwork(new SeededRandom(3, "cards"))
    const said = (effect: Effect.Effect<unknown>) => Exit.isSuccess(run(effect)) && run(effect)
    said(cards.authorize({ ...step("a"), instrument: "approves" }))
    said(cards.capture(step("c")))
    expect(cards.charges.get("pay_1")?.captured).toBe(usd(3))
    said(cards.refund(step("r", usd(2))))
    expect(cards.charges.get("pay_1")?.refunded).toBe(usd(2))
    expect(run(cards.refund(step("s", usd(2))))).toEqual(Exit.succeed({ _tag: "Declined", reason: "refund_too_large" }))
  })

  it("loses a request or an answer by the card, and tells of what it heard", () => {
    for (const [instrument, heard] of [
      ["loses_request", undefined],
      ["loses_answer", "Approved"]
    ] as const) {
      const { run } = companyWorld()
      const cards = new CardNetwork(new SeededRandom(3, "cards"))
      expect(run(cards.authorize({ ...step("a"), instrument }))).toMatchObject({ value: { _tag: "Unknown" } })
      const found = run(cards.find("authorize", step("a")))
      expect(Exit.isSuccess(found) ? found.value?._tag : "").toBe(heard)
    }
  })

  it("disputes what it captured, and ends that as the card has it", () => {
    const { clock, run } = companyWorld()
    const cards = new CardNetwork(new SeededRandom(3, "cards"))
    run(cards.authorize({ ...step("a"), instrument: "disputes_and_loses" }))
    run(cards.capture(step("c")))
    const state = () => {
      const found = run(cards.dispute("pay_1"))
      return Exit.isSuccess(found) ? found.value?.state : "failed"
    }
    expect(state()).toBeUndefined()
    clock.jump(30_000)
    expect(state()).toBe("open")
    clock.jump(60_000)
    expect(state()).toBe("lost")
  })
})
