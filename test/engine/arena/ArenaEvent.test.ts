import { describe, expect, it } from "bun:test"
import { type ArenaEvent, decodeArenaEvent } from "../../../engine/arena/ArenaEvent.ts"
import { encodePlatformEvent } from "../../../engine/replay/EventCodec.ts"
import { ASSET_TYPES } from "../../../engine/arena/AssetType.ts"
import { COMMITMENT_STATUSES } from "../../../engine/arena/Commitment.ts"
import { FAIRNESS_RULES } from "../../../engine/arena/Fairness.ts"
import { accountId } from "../../../engine/ledger/Account.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { commitment, human, OPENING, terms, TIE_KEY } from "../../lib/ArenaArbitraries.ts"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import { property } from "../../lib/Property.ts"
import fc from "fast-check"

const money = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map(fromUnits)
const time = fc.integer({ min: 0, max: 8_640_000_000_000_000 })
const id = fc.string({ unit: "binary", maxLength: 20 })
const account = id.map((owner) => accountId(owner, "USD", "wallet"))
const assetType = fc.constantFrom(...ASSET_TYPES)
const lossReason = fc.constantFrom("outbid", "below_reference", "ARENA_007", "void", null)

const olderTerms = fc.record({
  orderId: id,
  assetType,
  asset: id,
  details: fc.dictionary(
    id.filter((key) => key !== "__proto__"),
    fc.oneof(
      id,
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Object.is(n, -0))
    ),
    { noNullPrototype: true }
  ),
  quantity: money,
  entryPrice: money,
  openedAt: time,
  expiryAt: time,
  settlementAt: time,
  maker: fc.record({ owner: id, address: id, account }),
  tieKeyHash: id
})

const orderTerms = fc
  .tuple(olderTerms, fc.option(money, { nil: undefined }))
  .map(([older, makerDiscount]) => (makerDiscount === undefined ? older : { ...older, makerDiscount }))

const anyCommitment = fc.record({
  commitmentId: id,
  orderId: id,
  ordinal: fc.nat(),
  assetType,
  trader: fc.record({
    owner: id,
    userId: id,
    address: id,
    type: fc.constantFrom("human" as const, "machine" as const),
    botId: fc.option(id),
    account,
    allowance: fc.option(account)
  }),
  proposedPrice: money,
  exitPrice: money,
  quantity: money,
  slippage: money,
  swapExecutor: id,
  collateral: money,
  acceptedAt: time,
  status: fc.constantFrom(...COMMITMENT_STATUSES),
  reason: lossReason,
  profit: money,
  yieldEarned: money
})

const yields = fc.array(
  fc.record({ commitmentId: id, trader: money, insurance: money, platform: money, tokenHolders: money }),
  { maxLength: 3 }
)

const choice = fc.record({
  reference: money,
  referenceAt: time,
  winner: fc.option(id),
  clearingPrice: fc.option(money),
  ranking: fc.array(fc.record({ commitmentId: id, owner: id, score: money.map(BigInt), reason: lossReason }), {
    maxLength: 3
  }),
  fairness: fc.record({
    rule: fc.constantFrom(...FAIRNESS_RULES),
    machines: money,
    total: money,
    machineOwners: fc.array(fc.string())
  })
})

const tagged = <Tag extends string>(tag: Tag) => fc.constant(tag)

const anyEvent: fc.Arbitrary<ArenaEvent> = fc.oneof(
  fc.record({ _tag: tagged("OrderOpened"), at: time, terms: orderTerms }),
  fc.record({ _tag: tagged("CommitmentSubmitted"), at: time, commitment: anyCommitment }),
  fc.record({ _tag: tagged("OrderClosed"), at: time, orderId: id }),
  fc.record({ _tag: tagged("WinnerChosen"), at: time, orderId: id, choice, yields }),
  fc.record({
    _tag: tagged("OrderSettled"),
    at: time,
    orderId: id,
    assetType,
    winner: fc.option(fc.record({ commitmentId: id, address: id })),
    price: fc.option(money),
    takeProfit: fc.boolean(),
    profit: money,
    yieldDistributed: money,
    yields,
    tieKey: id
  }),
  fc.record({
    _tag: tagged("OrderVoided"),
    at: time,
    orderId: id,
    assetType,
    reason: fc.constantFrom("breaker_open_at_expiry", "no_reference_price", "no_settlement_price"),
    yieldDistributed: money,
    yields,
    tieKey: id
  })
)

const opening = encodeEvent({ _tag: "OrderOpened", at: OPENING, terms: terms() } satisfies ArenaEvent)

describe("decodeArenaEvent", () => {
  it("reads back what was encoded, and it encodes to the same bytes", () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        const data = encodeEvent(event)
        const decoded = decodeArenaEvent(data)
        expect(decoded).toEqual(event)
        expect(encodeEvent(decoded)).toBe(data)
      }),
      property()
    )
  })

  it("keeps amounts as bigints beyond a double's reach", () => {
    const large = commitment(1, { trader: human("alice"), collateral: fromUnits(9_007_199_254_740_993n) })
    const data = encodeEvent({ _tag: "CommitmentSubmitted", at: OPENING, commitment: large })
    expect(data).toContain('"collateral":"9007199254740993"')
    expect(decodeArenaEvent(data)).toMatchObject({ commitment: { collateral: 9_007_199_254_740_993n } })
  })

  it.each([
    ["no JSON", "{"],
    ["no object", "[]"],
    ["an unknown tag", opening.replace("OrderOpened", "OrderReopened")],
    ["an amount as a number", opening.replace('"10000000"', "10000000")],
    ["an amount that is none", opening.replace('"10000000"', '"ten"')],
    ["a time with a fraction", opening.replace(String(OPENING), `${OPENING}.5`)],
    ["an unknown asset type", opening.replace('"assetType":"fx"', '"assetType":"stocks"')],
    ["a field missing", opening.replace('"asset":"EUR/USD",', "")],
    [
      "an unknown loss reason",
      encodeEvent({ _tag: "CommitmentSubmitted", at: 1, commitment: { ...commitment(1), reason: "late" } })
    ],
    [
      "an unknown void reason",
      encodeEvent({
        _tag: "OrderVoided",
        at: 1,
        orderId: "o",
        assetType: "fx",
        reason: "bored",
        yieldDistributed: 0n,
        yields: [],
        tieKey: TIE_KEY
      })
    ]
  ])("dies on %s", (_, data) => {
    expect(() => decodeArenaEvent(opening)).not.toThrow()
    expect(() => decodeArenaEvent(data)).toThrow()
  })
})

describe("encodePlatformEvent", () => {
  it("writes the bytes that any event is written with, whatever the order of its fields", () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        const backwards = (value: object) => Object.fromEntries(Object.entries(value).toReversed())
        const turned = {
          ...backwards(event),
          ...("commitment" in event && { commitment: backwards(event.commitment) })
        } as ArenaEvent
        expect(encodePlatformEvent(event)).toBe(encodeEvent(event))
        expect(encodePlatformEvent(turned)).toBe(encodeEvent(turned))
      }),
      property()
    )
  })

  it("writes events of funds", () => {
    const minted = { fundId: "fnd_1", owner: "usr_1", asset: "USD", amount: fromUnits(5n), externalReference: null }
    const event = { _tag: "FundsMinted", at: OPENING, ...minted } as const
    expect(encodePlatformEvent(event)).toBe(encodeEvent(event))
  })
})
