import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import { FaultBoard } from "../../../../engine/simulation/FaultBoard.ts"
import { auditDeliveries } from "../../../../engine/simulation/platform/DeliveryAudit.ts"
import { TradeDesk } from "../../../../engine/simulation/platform/TradeDesk.ts"
import { WebhookDesk } from "../../../../engine/simulation/platform/WebhookDesk.ts"
import { WebhookReceivers } from "../../../../engine/simulation/platform/WebhookReceivers.ts"
import { SeededRandom } from "../../../../engine/simulation/SeededRandom.ts"
import { BUYER, companyWorld, SELLER, usd } from "../../../lib/CompanyWorld.ts"

/** Two webhooks of the seller, and an order that both are to hear of. */
const told = (status: number | null) => {
  const made = companyWorld()
  const receivers = new WebhookReceivers(1)
  receivers.receive = (_, deliveryId) => {
    if (status === 200) receivers.taken.add(deliveryId)
    return { status, millis: 10 }
  }
  const problems: Array<string> = []
  const board = new FaultBoard(made.clock, new SeededRandom(1, "network"))
  const report = (invariant: string, detail: string): void => void problems.push(`${invariant}: ${detail}`)
  const desk = new WebhookDesk({ ...made, board, receivers, report })
  const ask = (what: Parameters<WebhookDesk["serve"]>[1]["what"], key: string) =>
    made.served(desk.serve(SELLER, { act: "webhook", number: 0, what }, key))
  const pass = (rounds: number, millis = 1_000): void => {
    for (let round = 0; round < rounds; round++) {
      desk.round(made.clock.currentTimeMillisUnsafe())
      made.run(Effect.sleep(millis))
    }
  }
  const order = (key: string): void => {
    const trade = new TradeDesk(made.world, () => Effect.void)
    if (made.projection.products.size === 0) {
      made.served(trade.list(SELLER, { act: "list", price: usd(10), pieces: 50 }, "l"))
    }
    const items = [{ product: 0, quantity: 2 }]
    made.served(trade.order(BUYER, { act: "order", items, terms: { type: "prepaid" }, wrong: undefined }, key))
  }
  desk.start()
  ask({ op: "create", events: ["*"] }, "a")
  ask({ op: "create", events: ["order.created"] }, "b")
  order("o")
  const audited = (): ReadonlyArray<string> => {
    auditDeliveries({ journal: made.journal, deliveries: desk.deliveries, receivers }, report)
    return problems
  }
  const statuses = () => Array.from(desk.deliveries.values(), ({ state }) => state.status)
  return { ...made, ask, audited, desk, order, pass, statuses }
}

describe("WebhookDesk", () => {
  it("delivers to each webhook that asked, once", () => {
    const { audited, pass, statuses } = told(200)
    pass(4)
    expect(statuses()).toEqual(["delivered", "delivered"])
    expect(audited()).toEqual([])
  })

  it("tries five times at the times of the schedule, then waits for somebody to ask", () => {
    const { ask, audited, clock, desk, pass, statuses } = told(500)
    pass(2)
    expect(statuses()).toEqual(["pending", "pending"])
    for (let time = 0; time < 8; time++) {
      clock.jump(600_000)
      pass(3)
    }
    expect(statuses()).toEqual(["failed", "failed"])
    expect(Array.from(desk.deliveries.values(), ({ state }) => state.attempts)).toEqual([5, 5])
    expect(ask({ op: "retry" }, "r")).toBe("Retried")
    expect(ask({ op: "retry" }, "s")).toBe("webhooks/NotFailed")
    expect(audited()).toEqual([])
  })

  it("goes on after its process ended, with what the tables have", () => {
    const { audited, desk, order, pass, statuses } = told(200)
    desk.start()
    order("p")
    pass(5)
    expect(statuses()).toEqual(Array.from({ length: 4 }, () => "delivered"))
    expect(audited()).toEqual([])
  })

  it("disables an endpoint that failed for five days, and tells a disabled one nothing", () => {
    const { ask, audited, clock, desk, order, pass, projection } = told(null)
    pass(8)
    clock.jump(5 * 86_400_000)
    pass(8)
    expect([...projection.webhooks.values()].every(({ disabled }) => disabled?.cause === "failing")).toBe(true)
    const before = desk.deliveries.size
    order("q")
    pass(3)
    expect(desk.deliveries.size).toBe(before)
    expect(ask({ op: "enable" }, "e")).toBe("WebhookEnabled")
    expect(ask({ op: "remove" }, "d")).toBe("WebhookDeleted")
    expect(ask({ op: "rotate" }, "t")).toBe("webhooks/WebhookGone")
    expect(audited()).toEqual([])
  })
})
