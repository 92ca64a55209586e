import { describe, expect, it } from "bun:test"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import type { ArenaEvent, Choice } from "../../../engine/arena/ArenaEvent.ts"
import { decodeArenaEvent } from "../../../engine/arena/ArenaEvent.ts"
import { FAIRNESS_RULES } from "../../../engine/arena/Fairness.ts"
import { compete } from "../../../engine/arena/Winner.ts"
import { registerOf, WinnerAudit } from "../../../engine/replay/WinnerAudit.ts"
import fc from "fast-check"
import { anyField } from "../../lib/ArenaArbitraries.ts"
import { property } from "../../lib/Property.ts"
import { hashing, sampleLog } from "../../lib/ReplayLog.ts"

const log = sampleLog()
const orders = log.filter(({ stream }) => stream.startsWith("order/"))

const audit = (change: (event: ArenaEvent) => ArenaEvent) => {
  const winners = new WinnerAudit(hashing)
  const findings = orders.flatMap((stored) => winners.step(stored, change(decodeArenaEvent(stored.data))) ?? [])
  return { winners, findings }
}

const choosing = (change: (choice: Choice) => Choice) => (event: ArenaEvent) =>
  event._tag === "WinnerChosen" && event.orderId.endsWith("2") ? { ...event, choice: change(event.choice) } : event

const seqOf = (type: string): number | undefined =>
  log.find((event) => event.type === type && event.stream.endsWith("2"))?.seq

describe("WinnerAudit", () => {
  it("finds each winner with the published key, and waits for the others", () => {
    const { winners, findings } = audit((event) => event)
    expect(findings).toEqual([])
    expect([winners.recomputed, winners.unpublished]).toEqual([3, 3])
  })

  it("names the event that chose another winner than the key does", () => {
    const tie = choosing((choice) => ({
      ...choice,
      winner: choice.ranking[1]!.commitmentId,
      ranking: choice.ranking.toReversed().map((one, place) => ({ ...one, reason: place === 0 ? null : "outbid" }))
    }))
    expect(audit(tie).findings.map(({ seq }) => seq)).toEqual([seqOf("WinnerChosen")!])
  })

  it("names another price, another ranking and other weights", () => {
    const wrong: ReadonlyArray<(choice: Choice) => Choice> = [
      (choice) => ({ ...choice, clearingPrice: choice.reference }),
      (choice) => ({ ...choice, ranking: choice.ranking.slice(0, 1) }),
      (choice) => ({ ...choice, ranking: choice.ranking.map((one) => ({ ...one, score: one.score + 1n })) }),
      (choice) => ({ ...choice, fairness: { ...choice.fairness, total: choice.fairness.total + 1n } })
    ]
    for (const change of wrong) expect(audit(choosing(change)).findings).toMatchObject([{ seq: seqOf("WinnerChosen") }])
  })

  it("names a key that was not promised", () => {
    const other = "6".repeat(64)
    const { findings } = audit((event) =>
      event._tag === "OrderSettled" && event.orderId.endsWith("2") ? { ...event, tieKey: other } : event
    )
    expect(findings).toMatchObject([{ seq: seqOf("OrderSettled") }])
  })

  it("gives the rule the register that its numbers came from", () => {
    fc.assert(
      fc.property(anyField, fc.constantFrom(...FAIRNESS_RULES), (field, rule) => {
        const input = { ...field, rule, tieHash: (owner: string) => owner }
        const made = compete(input)
        const { machineOwners } = made.fairness
        const choice = { ...made, reference: input.reference, referenceAt: 0 }
        const again = compete({
          ...input,
          machineOwners: new Set(machineOwners),
          register: registerOf(input.register.assetType, choice)
        })
        expect(encodeEvent(again)).toBe(encodeEvent(made))
      }),
      property()
    )
  })
})
