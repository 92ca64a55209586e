import { describe, expect, it } from "bun:test"
import { Exit, Schema } from "effect"
import fc from "fast-check"
import { ApiError } from "../../../src/api/ApiError.ts"
import { CommitmentRequest } from "../../../src/api/Arena.ts"
import { CommitmentItem } from "../../../src/api/rpc/FastLane.ts"
import { read } from "../../../src/arena/CommitmentItem.ts"
import { property } from "../../lib/Property.ts"

const anyNumber = fc.oneof(
  fc.integer({ min: -10, max: 10_000_000_000 }).map((units) => units / 1e6),
  fc.double(),
  fc.constantFrom(0, -0, 8_000_000_000, 8_000_000_001, 0.1, 1e-6, 1e-7, Number.NaN, Infinity)
)

const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.constantFrom("", "ord_1", "x".repeat(201), "\u0000")
)

const anyWrong = fc.oneof(fc.constantFrom(null, true, [], {}, "1"), fc.bigInt())

const anyItem = fc.record(
  {
    order_id: fc.oneof({ weight: 8, arbitrary: anyText }, anyWrong),
    proposed_entry_price: fc.oneof({ weight: 8, arbitrary: anyNumber }, anyWrong),
    expected_exit_price: fc.oneof({ weight: 8, arbitrary: anyNumber }, anyWrong),
    quantity: fc.oneof({ weight: 8, arbitrary: anyNumber }, anyWrong),
    swap_executor: fc.oneof({ weight: 8, arbitrary: anyText }, anyWrong),
    slippage_tolerance: fc.oneof({ weight: 8, arbitrary: anyNumber }, anyWrong),
    bot_id: fc.oneof({ weight: 8, arbitrary: anyText }, anyWrong),
    idempotency_id: fc.oneof({ weight: 8, arbitrary: anyText }, anyWrong),
    other: fc.anything()
  },
  { requiredKeys: [] }
)

const usual = fc.record({
  order_id: fc.constant("ord_1"),
  proposed_entry_price: anyNumber,
  expected_exit_price: anyNumber,
  quantity: anyNumber
})

const decode = Schema.decodeUnknownExit(
  Schema.Struct({ ...CommitmentRequest.fields, idempotency_id: CommitmentItem.fields.idempotency_id })
)

describe("CommitmentItem", () => {
  it("takes what the contract takes, as the contract reads it, and nothing else", () => {
    fc.assert(
      fc.property(fc.oneof(anyItem, usual, fc.anything()), (sent) => {
        const expected = decode(sent)
        const item = read(sent, () => "payload")
        if (Exit.isFailure(expected)) {
          expect(item).toBeInstanceOf(ApiError)
          return
        }
        const { value } = expected
        expect(item).toEqual({
          orderId: value.order_id,
          proposedPrice: value.proposed_entry_price,
          exitPrice: value.expected_exit_price,
          quantity: value.quantity,
          slippage: value.slippage_tolerance ?? (0n as never),
          swapExecutor: value.swap_executor ?? "",
          botId: value.bot_id,
          idempotencyId: value.idempotency_id
        })
      }),
      property()
    )
  })

  it("says what is wrong, and where in the message", () => {
    const refused = read({ order_id: "ord_1", quantity: -1 }, () => "payload.items.7")
    expect(refused).toMatchObject({ code: "invalid_request" })
    expect(String(refused)).toContain("payload.items.7.proposed_entry_price: Expected a value, and none was given")
  })
})
