import { describe, expect, it } from "bun:test"
import { PlatformAudit } from "../../../../engine/simulation/platform/PlatformAudit.ts"
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

describe("PlatformAudit", () => {
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
    const ended = { cards: { charges: new Map() }, projection, webhooks }
    const moved = audit()
    moved.audit.event({ ...recorded, stream: "elsewhere" }, event as unknown as Judged[1], commandOf(5n))
    expect(moved.found).toEqual([expect.stringContaining("replay")])
    const lacking = audit()
    lacking.audit.event(recorded, event as unknown as Judged[1], commandOf(5n))
    lacking.audit.end(ended)
    expect(lacking.found).toEqual(["tables: there are 0 rows, and a replay derives 1"])
    const whole = audit()
    whole.audit.event(recorded, event as unknown as Judged[1], commandOf(5n))
    whole.audit.projected([stored])
    whole.audit.end(ended)
    expect(whole.found).toEqual([])
  })
})
