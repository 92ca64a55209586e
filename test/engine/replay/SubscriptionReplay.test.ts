import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import type { StateRow } from "../../../engine/replay/StateTable.ts"
import type { StoredEvent } from "../../../engine/replay/StoredEvent.ts"
import { SubscriptionReplay } from "../../../engine/replay/SubscriptionReplay.ts"
import { decodeSubscriptionEvent } from "../../../engine/subscriptions/SubscriptionEvent.ts"
import { SubscriptionScenario } from "../../lib/SubscriptionScenario.ts"

/** Every kind of event. */
const played = (): SubscriptionScenario => {
  const play = new SubscriptionScenario({ every: "week" }, 50)
  play.create()
  play.renew()
  play.pass(15)
  play.pay(25)
  play.renew()
  play.cancel(true)
  play.pass(10)
  return play
}

const replayed = (history = false) => {
  const rows: Array<StateRow> = []
  const replay = new SubscriptionReplay({ history, put: (row) => rows.push(row) })
  const take = (stored: StoredEvent) => {
    const event = decodeSubscriptionEvent(stored.data)
    const commands = replay.decide(event, stored)
    if (Result.isSuccess(commands)) replay.evolve(event, stored)
    return commands
  }
  return { rows, replay, take }
}

describe("SubscriptionReplay", () => {
  it("decides each kind of event again, read back byte for byte", () => {
    const { stored } = played()
    expect(stored.map(({ type }) => type)).toEqual([
      "SubscriptionCreated",
      "SubscriptionRenewed",
      "SubscriptionPaymentFailed",
      "SubscriptionPaymentFailed",
      "SubscriptionRenewed",
      "SubscriptionEndSet",
      "SubscriptionCancelled"
    ])
    const { replay, rows, take } = replayed()
    for (const one of stored) {
      expect(encodeEvent(decodeSubscriptionEvent(one.data))).toBe(one.data)
      Result.getOrThrow(take(one))
    }
    replay.finish()
    expect(rows.filter(({ table }) => table === "subscription_history")).toHaveLength(7)
    expect(rows.filter(({ table }) => table === "subscriptions")).toMatchObject([
      { values: expect.arrayContaining(["sub_1", "cancelled", "3", "period_end", "7"]) }
    ])
  })

  it("puts what goes on at the end, and each state where the history is wanted", () => {
    const { stored } = played()
    const { replay, rows, take } = replayed()
    for (const one of stored.slice(0, 3)) take(one)
    expect(rows.every(({ table }) => table === "subscription_history")).toBe(true)
    replay.finish()
    expect(rows.at(-1)?.values).toContain("past_due")
    const all = replayed(true)
    for (const one of stored) all.take(one)
    expect(all.rows.filter(({ table }) => table === "subscriptions")).toHaveLength(7)
  })

  it("notices a period charged twice, too early or at another price", () => {
    const { stored } = played()
    const [first, second, third] = stored as [StoredEvent, StoredEvent, StoredEvent]
    const isRefused = (before: ReadonlyArray<StoredEvent>, one: StoredEvent): boolean => {
      const { take } = replayed()
      for (const each of before) Result.getOrThrow(take(each))
      return Result.isFailure(take(one))
    }
    const forged = (one: StoredEvent, from: RegExp, to: string): StoredEvent => {
      const data = one.data.replace(from, to)
      expect(data).not.toBe(one.data)
      return { ...one, data }
    }
    expect(isRefused([first, second], second)).toBe(true)
    expect(isRefused([], second)).toBe(true)
    expect(isRefused([first], first)).toBe(true)
    expect(isRefused([first], forged(second, /"amount":"\d+"/, `"amount":"1"`))).toBe(true)
    expect(isRefused([first], forged(second, /"period":2/, `"period":3`))).toBe(true)
    expect(isRefused([first], forged(second, /"userId":"[^"]*"/, `"userId":null`))).toBe(true)
    expect(isRefused([first], third)).toBe(true)
    expect(isRefused([], { ...first, stream: "subscription/sub_2" })).toBe(true)
  })
})
