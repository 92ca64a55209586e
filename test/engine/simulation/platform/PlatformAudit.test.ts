import { describe, expect, it } from "bun:test"
import { PlatformAudit } from "../../../../engine/simulation/platform/PlatformAudit.ts"
import { cardOrder } from "../../../lib/CardOrder.ts"
import { BUYER, companyWorld } from "../../../lib/CompanyWorld.ts"

const event = {
  _tag: "MoneyWithdrawn",
  at: 1,
  withdrawalId: "w",
  owner: BUYER.userId,
  fundId: "f",
  asset: "USD",
  quantity: "5"
}
const data = JSON.stringify(event)
const stored = {
  seq: 1,
  stream: `withdrawals/${BUYER.userId}`,
  version: 1,
  data,
  hash: "",
  hashBytes: new Uint8Array()
}

const audit = () => {
  const found: Array<string> = []
  return { found, audit: new PlatformAudit((invariant, detail) => void found.push(`${invariant}: ${detail}`)) }
}

type Judged = Parameters<PlatformAudit["event"]>

const commandOf = (amount: bigint): Judged[2] =>
  [
    {
      _tag: "Transfer",
      id: "withdrawal/w",
      from: "usr_co_1/USD/wallet",
      to: "platform/USD/custody",
      amount,
      purpose: "withdrawal"
    }
  ] as unknown as Judged[2]

const recorded = { ...stored, event } as unknown as Judged[0]

const requested = (stream: string) => {
  const one = {
    _tag: "PaymentVoidRequested",
    at: 1,
    paymentId: "p",
    userId: "u",
    requestId: "req_1",
    reason: "requested"
  }
  return { one, recorded: { ...recorded, stream, event: one, data: JSON.stringify(one) } as unknown as Judged[0] }
}

describe("PlatformAudit", () => {
  it("finds a request that came to something in two streams", () => {
    const { audit: judge, found } = audit()
    for (const stream of ["payment/p", "payment/p", "payment/q"]) {
      const { one, recorded: event } = requested(stream)
      judge.event(event, one as unknown as Judged[1], [])
    }
    expect(found.filter((problem) => problem.startsWith("committed_twice"))).toEqual([
      "committed_twice: request req_1 is in payment/p and in payment/q"
    ])
  })

  it("finds at the end what was never finished", () => {
    const { cards, journal, pay, projection } = cardOrder()
    pay("loses_answer", "p")
    const webhooks = { journal, deliveries: new Map(), receivers: { taken: new Set<string>() } }
    const due = { ...projection, orderOf: projection.orderOf, payment: projection.payment.bind(projection) }
    const subscriptions = new Map([["sub_1", { nextAt: 5, terms: { subscriptionId: "sub_1" } }]])
    const { audit: judge, found } = audit()
    judge.end({
      cards,
      projection: { ...due, subscriptions } as unknown as typeof projection,
      webhooks,
      now: 60_006
    })
    expect(found).toEqual([
      "unfinished: pay_p is created, and has to Authorize",
      "unfinished: sub_1 was due at 5, and it is 60006"
    ])
  })

  it("takes what the replay decides, and finds another command to the ledger", () => {
    const right = audit()
    right.audit.event(recorded, event as unknown as Judged[1], commandOf(5n))
    expect(right.found).toEqual([])
    const wrong = audit()
    wrong.audit.event(recorded, event as unknown as Judged[1], commandOf(4n))
    expect(wrong.found).toEqual([expect.stringContaining("asked the ledger for something else")])
  })

  it("finds an event in another stream, and a row that the tables lack at the end", () => {
    const { journal, projection } = companyWorld()
    const webhooks = { journal, deliveries: new Map(), receivers: { taken: new Set<string>() } }
    const ended = { cards: { charges: new Map() }, projection, webhooks, now: 0 }
    const moved = audit()
    moved.audit.event({ ...recorded, stream: "elsewhere" }, event as unknown as Judged[1], commandOf(5n))
    expect(moved.found).toEqual([expect.stringContaining("replay")])
    const lacking = audit()
    lacking.audit.event(recorded, event as unknown as Judged[1], commandOf(5n))
    lacking.audit.end(ended)
    expect(lacking.found).toEqual(["tables: there are 0 rows, and a replay derives 1"])
    const other = audit()
    other.audit.event(recorded, event as unknown as Judged[1], commandOf(5n))
    other.audit.projected([{ ...stored, data: JSON.stringify({ ...event, quantity: "6" }) }])
    other.audit.end(ended)
    expect(other.found).toEqual([
      expect.stringMatching(/^tables: withdrawals\/w has another \w+ than a replay derives$/)
    ])
    const whole = audit()
    whole.audit.event(recorded, event as unknown as Judged[1], commandOf(5n))
    whole.audit.projected([stored])
    whole.audit.end(ended)
    expect(whole.found).toEqual([])
  })
})
