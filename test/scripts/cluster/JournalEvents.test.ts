import { describe, expect, it } from "bun:test"
import { commitmentMark, eventsOf, mintMark } from "../../../scripts/cluster/JournalEvents.ts"
import { pack } from "../../../src/database/PackedText.ts"

const line = (stream: string, event: object): string => [stream, "", "", JSON.stringify(event)].join("\t")

const BODY = [
  line("order/1", { _tag: "OrderOpened", at: 1, terms: { orderId: "1" } }),
  line("order/1", { _tag: "CommitmentSubmitted", at: 2, commitment: { commitmentId: "c", quantity: "1007" } }),
  line("funds/u", { _tag: "FundsMinted", at: 3, fundId: "f", amount: "1000020" }),
  line("starting/u/USD", { _tag: "FundsMinted", at: 3, fundId: "g", amount: "5" }),
  line("order/1", { _tag: "OrderClosed", at: 4, orderId: "1" }),
  line("order/1", { _tag: "OrderVoided", at: 5, orderId: "1" }),
  line("order/2", { _tag: "OrderSettled", at: 5, orderId: "2", padding: "x".repeat(3_000) })
].join("\n")

const nothing = { mark: undefined, receipt: undefined, told: undefined }

describe("JournalEvents", () => {
  it("says what each event was asked for by, and what subscribers are told of it", () => {
    for (const body of [BODY, pack(BODY)]) {
      expect(eventsOf({ firstSeq: 11, count: 7, term: 3, body })).toEqual([
        { seq: 11, term: 3, ...nothing, told: "order_created 1" },
        { seq: 12, term: 3, mark: commitmentMark(1_007n), receipt: "c", told: "commitment_submitted c" },
        { seq: 13, term: 3, ...nothing, mark: mintMark(1_000_020n) },
        { seq: 14, term: 3, ...nothing },
        { seq: 15, term: 3, ...nothing, told: "order_updated 1" },
        { seq: 16, term: 3, ...nothing, told: "order_settled 1" },
        { seq: 17, term: 3, ...nothing, told: "order_settled 2" }
      ])
    }
  })
})
