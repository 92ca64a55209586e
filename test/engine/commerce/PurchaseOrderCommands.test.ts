import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { creditUsedOf, sellerIdsOf } from "../../../engine/commerce/PurchaseOrder.ts"
import { commandsOf } from "../../../engine/commerce/PurchaseOrderCommands.ts"
import { property } from "../../lib/Property.ts"
import { anyPurchase } from "../../lib/PurchaseFixtures.ts"

describe("PurchaseOrderCommands", () => {
  it("reserve of each seller once, and end every hold once an order is cancelled or delivered and paid", () => {
    fc.assert(
      fc.property(anyPurchase, (stages) => {
        const pending = new Set<string>()
        for (const { before, event } of stages) {
          for (const command of commandsOf(before, event)) {
            if (command._tag === "Hold" || command._tag === "PlaceMultiHold")
              expect(pending.size).toBe(pending.add(command.id).size - 1)
            if (command._tag === "Release" || command._tag === "Capture") {
              expect(pending.delete(command.hold)).toBe(true)
            }
            if (command._tag === "ReleaseMultiHold" || command._tag === "TakeMultiHold") {
              expect(pending.delete(command.multiHold)).toBe(true)
            }
          }
        }
        const last = stages.at(-1)?.after
        if (last === undefined) return
        const isCreditFree = creditUsedOf(last) === 0n
        expect([...pending].some((id) => id.startsWith("credit/"))).toBe(!isCreditFree)
        const open = sellerIdsOf(last.terms).difference(last.fulfilledBy).size
        expect([...pending].filter((id) => id.startsWith("stock/"))).toHaveLength(last.isCancelled ? 0 : open)
      }),
      property()
    )
  })

  it("refund to each account what it paid", () => {
    fc.assert(
      fc.property(anyPurchase, (stages) => {
        const moved = new Map<string, bigint>()
        for (const { before, event } of stages) {
          for (const command of commandsOf(before, event)) {
            if (command._tag !== "Transfer") continue
            moved.set(command.from, (moved.get(command.from) ?? 0n) - command.amount)
            moved.set(command.to, (moved.get(command.to) ?? 0n) + command.amount)
          }
        }
        if (stages.at(-1)?.after.isCancelled === true) for (const sum of moved.values()) expect(sum).toBe(0n)
      }),
      property()
    )
  })
})
