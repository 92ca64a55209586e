import type { MachineTraderRegistered } from "../../engine/arena/MachineTraderRegistration.ts"
import fc from "fast-check"
import { Result } from "effect"
import { createHash } from "node:crypto"
import { type Commitment, limitPrice, type Trader } from "../../engine/arena/Commitment.ts"
import type { MachineRegister } from "../../engine/arena/Fairness.ts"
import type { Median } from "../../engine/arena/Median.ts"
import { opened, type OrderState } from "../../engine/arena/Order.ts"
import { type OrderTerms } from "../../engine/arena/OrderTerms.ts"
import type { Submission } from "../../engine/arena/Submission.ts"
import type { CompetitionInput } from "../../engine/arena/Winner.ts"
import { accountId } from "../../engine/ledger/Account.ts"
import { type Amount, fromUnits, MAX, ONE, parse, ZERO } from "../../engine/money/Amount.ts"

/** When the orders of the tests open, in milliseconds since 1970: between two batches of 100 ms. */
export const OPENING = 1_800_000_000_037

export const TIE_KEY = "5".repeat(64)

/** USD from a plain decimal. */
export const usd = (decimal: string): Amount => Result.getOrThrow(parse(decimal))

export const tieHash = (owner: string): string => createHash("sha256").update(`${TIE_KEY}${owner}`).digest("hex")

export const NO_MACHINES: MachineRegister = { assetType: "fx", capable: 0, committed: 0, turnout: new Map() }

/** An order of 10 units at 100 USD, open for 900 s and settled 900 s later. */
export const terms = (change: Partial<OrderTerms> = {}): OrderTerms => ({
  orderId: `ord_${"0a".repeat(12)}`,
  assetType: "fx",
  asset: "EUR/USD",
  details: { pair: "EUR/USD" },
  quantity: usd("10"),
  entryPrice: usd("100"),
  openedAt: OPENING,
  expiryAt: OPENING + 900_000,
  settlementAt: OPENING + 1_800_000,
  maker: { owner: "maker", address: "0xmaker", account: accountId("maker", "USD", "wallet") },
  tieKeyHash: createHash("sha256").update(TIE_KEY).digest("hex"),
  ...change
})

export const order = (change: Partial<OrderTerms> = {}): OrderState => opened(terms(change))

export const human = (owner: string, change: Partial<Trader> = {}): Trader => ({
  owner,
  userId: `usr_${owner}`,
  address: `0x${owner}`,
  type: "human",
  botId: null,
  account: accountId(owner, "USD", "wallet"),
  allowance: null,
  ...change
})

export const machine = (owner: string, change: Partial<Trader> = {}): Trader =>
  human(owner, {
    type: "machine",
    botId: `mtr_${owner}`,
    allowance: accountId(`mtr_${owner}`, "USD-ALLOWANCE", "allowance"),
    ...change
  })

/** One unit bid at 102 USD, which {@link terms} take. */
export const submission = (change: Partial<Submission> = {}): Submission => ({
  proposedPrice: usd("102"),
  exitPrice: usd("110"),
  quantity: usd("1"),
  slippage: ZERO,
  swapExecutor: "0xexecutor",
  trader: human("alice"),
  barred: null,
  ...change
})

/** One unit bid at 102 USD, as {@link terms} accept it. */
export const commitment = (ordinal: number, change: Partial<Commitment> = {}): Commitment => ({
  commitmentId: `com_${"0a".repeat(12)}_${ordinal}`,
  orderId: `ord_${"0a".repeat(12)}`,
  ordinal,
  assetType: "fx",
  trader: human("alice"),
  proposedPrice: usd("102"),
  exitPrice: usd("110"),
  quantity: usd("1"),
  slippage: ZERO,
  swapExecutor: "0xexecutor",
  collateral: usd("3.81"),
  acceptedAt: OPENING,
  status: "active",
  reason: null,
  profit: ZERO,
  yieldEarned: ZERO,
  ...change
})

/** An order with so many commitments of an owner. */
export const taken = (state: OrderState, count: number, owner: string): OrderState => {
  for (let ordinal = 1; ordinal <= count; ordinal++)
    state.commitments.add(commitment(ordinal, { trader: human(owner) }))
  return state
}

export const median = (at: number, price: string | Amount, safe = true): Median => ({
  asset: "EUR/USD",
  at,
  price: typeof price === "string" ? usd(price) : price,
  safe
})

/** A part of a whole in 10⁻⁶, rounded down. */
const part = (whole: Amount, millionths: bigint): Amount => fromUnits((whole * millionths) / ONE)

const between = (low: bigint, high: bigint): fc.Arbitrary<Amount> => fc.bigInt({ min: low, max: high }).map(fromUnits)

/** From the smallest price to thousands of USD. */
export const anyPrice: fc.Arbitrary<Amount> = fc.oneof(
  fc.constantFrom(usd("0.000001"), usd("0.000019"), usd("1"), usd("100"), usd("2481.37"), usd("8000000000")),
  between(1n, usd("5000"))
)

/** A maker's discount as terms carry it; none for orders of before there was one. */
export const anyDiscount: fc.Arbitrary<Pick<OrderTerms, "makerDiscount">> = fc.oneof(
  fc.constant({}),
  fc.constantFrom(0n, 500n, 10_000n).map((units) => ({ makerDiscount: fromUnits(units) })),
  between(0n, 10_000n).map((makerDiscount) => ({ makerDiscount }))
)

/** Terms of an order that may be opened: the value of the full quantity stays below the bound. */
export const anyTerms: fc.Arbitrary<OrderTerms> = fc
  .tuple(
    anyPrice,
    fc.bigInt({ min: 1n, max: ONE }),
    fc.integer({ min: 1, max: 4_000_000 }),
    fc.nat({ max: 4_000_000 }),
    anyDiscount
  )
  .map(([entryPrice, share, window, delay, discount]) => {
    const largest = (MAX * ONE) / entryPrice
    const bound = largest < usd("1000000") ? largest : usd("1000000")
    const quantity = fromUnits((bound * share) / ONE || 1n)
    return terms({
      entryPrice,
      quantity,
      expiryAt: OPENING + window,
      settlementAt: OPENING + window + 1 + delay,
      ...discount
    })
  })

/** What a trader may ask of an order: half on a coarse grid, so that equal bids meet. */
export const bidFor = (
  order: Pick<OrderTerms, "entryPrice" | "quantity">
): fc.Arbitrary<Pick<Submission, "proposedPrice" | "exitPrice" | "quantity" | "slippage">> =>
  fc.oneof(coarseBid(order), fineBid(order)).chain(({ proposedPrice, quantity, slippage }) => {
    const limit = limitPrice(proposedPrice, slippage)
    return fc
      .oneof(fc.constant(1n), between(1n, 1n + order.entryPrice / 2n))
      .map((margin) => ({ proposedPrice, quantity, slippage, exitPrice: fromUnits(limit + margin) }))
  })

const coarseBid = ({ entryPrice, quantity }: Pick<OrderTerms, "entryPrice" | "quantity">) =>
  fc.record({
    proposedPrice: fc.bigInt({ min: 0n, max: 10n }).map((percent) => part(entryPrice, ONE + percent * 10_000n)),
    slippage: fc.constantFrom(0n, 10_000n, 50_000n).map(fromUnits),
    quantity: fc.bigInt({ min: 1n, max: 10n }).map((tenths) => fromUnits((quantity * tenths) / 10n || 1n))
  })

const fineBid = ({ entryPrice, quantity }: Pick<OrderTerms, "entryPrice" | "quantity">) =>
  between(0n, 50_000n).chain((slippage) =>
    fc.record({
      proposedPrice: between(
        (entryPrice * ONE + ONE + slippage - 1n) / (ONE + slippage),
        entryPrice + entryPrice / 10n
      ),
      slippage: fc.constant(slippage),
      quantity: between(1n, quantity)
    })
  )

export const OWNERS = ["alice", "bob", "carol", "dave", "erin", "frank"] as const

/** Everything a choice is made of: up to a dozen bids of six owners, and a reference price among them. */
export const anyField: fc.Arbitrary<CompetitionInput> = fc
  .record({ entryPrice: fc.constantFrom(usd("100"), usd("0.02"), usd("2481.37")), quantity: fc.constant(usd("10")) })
  .chain(({ entryPrice, quantity }) => {
    const bid = fc.record({
      bid: bidFor({ entryPrice, quantity }),
      owner: fc.constantFrom(...OWNERS),
      machine: fc.boolean(),
      after: fc.constantFrom(0, 0, 1, 50, 99, 100, 1_000)
    })
    return fc
      .record({
        bids: fc.array(bid, { maxLength: 12 }),
        reference: fc.oneof(
          fc.bigInt({ min: 95n, max: 116n }).map((percent) => part(entryPrice, percent * 10_000n)),
          between(1n, entryPrice + entryPrice / 6n)
        ),
        discount: anyDiscount,
        machineOwners: fc.subarray([...OWNERS], { maxLength: 3 }),
        machinesOnly: fc.subarray([...OWNERS])
      })
      .map(({ bids, discount, reference, machineOwners, machinesOnly }): CompetitionInput => {
        let at = OPENING
        const commitments = bids.map(({ bid: terms, owner, machine: isMachine, after }, index) =>
          commitment(index + 1, {
            ...terms,
            trader: isMachine && machinesOnly.includes(owner) ? machine(owner) : human(owner),
            collateral: fromUnits((entryPrice * terms.quantity * 381n + 9_999_999_999n) / 10_000_000_000n),
            acceptedAt: (at += after)
          })
        )
        return {
          terms: { openedAt: OPENING, quantity, entryPrice, ...discount },
          reference,
          commitments,
          machineOwners: new Set(machineOwners),
          rule: "weighted",
          register: NO_MACHINES,
          tieHash
        }
      })
  })

/** Medians over a span of time, ascending, on a grid of `grid` milliseconds, some of them unsafe. */
export const anyMedians = (from: number, until: number, grid = 1): fc.Arbitrary<ReadonlyArray<Median>> =>
  fc
    .array(
      fc.record({
        at: fc.integer({ min: 0, max: Math.floor((until - from) / grid) }),
        price: between(usd("80"), usd("120")),
        safe: fc.integer({ min: 0, max: 4 }).map((n) => n > 0)
      }),
      { maxLength: 12 }
    )
    .map((medians) =>
      medians
        .toSorted((one, other) => one.at - other.at)
        .map(({ at, price, safe }) => median(from + at * grid, price, safe))
    )

/** A registration of a machine trader that is no bot. */
export const registeredTrader = (change: Partial<MachineTraderRegistered> = {}): MachineTraderRegistered => ({
  _tag: "MachineTraderRegistered",
  at: 7,
  traderId: "mtr_1",
  agentId: "agent-1",
  agentUri: "https://agent.example/1",
  owner: "cmp_1",
  userId: "usr_1",
  walletAddress: `0x${"1".repeat(40)}`,
  capabilities: ["fx", "gpu"],
  collateralAllocated: usd("500"),
  model: "mean-reversion",
  riskTolerance: "balanced",
  activeFrom: 7,
  granted: true,
  ...change
})
