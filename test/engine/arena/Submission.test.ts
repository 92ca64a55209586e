import { commitmentGateOf } from "../../../engine/ledger/Funding.ts"
import { describe, expect, it } from "bun:test"
import { Effect, Result } from "effect"
import { decodeArenaEvent, type ArenaEvent } from "../../../engine/arena/ArenaEvent.ts"
import { encodePlatformEvent } from "../../../engine/replay/EventCodec.ts"
import { evolve, orderStream, type OrderState, VAULT } from "../../../engine/arena/Order.ts"
import {
  decideSubmission,
  MAX_COMMITMENTS_PER_OWNER,
  MAX_SLIPPAGE,
  NOTHING_EARLIER,
  refusedByLedger,
  type Submission
} from "../../../engine/arena/Submission.ts"
import type { Account, AccountId } from "../../../engine/ledger/Account.ts"
import { AccountClosed, HoldNotPending, InsufficientFunds, InvalidCommand } from "../../../engine/ledger/Book.ts"
import { type Amount, fromUnits, ONE, ZERO } from "../../../engine/money/Amount.ts"
import {
  anyTerms,
  bidFor,
  commitment,
  human,
  machine,
  OPENING,
  order,
  submission,
  taken,
  usd
} from "../../lib/ArenaArbitraries.ts"
import { MemoryJournal } from "../../lib/MemoryJournal.ts"
import { naiveRefusals, type NaiveWorld } from "../../lib/NaiveArena.ts"
import { property } from "../../lib/Property.ts"
import fc from "fast-check"

const EXPIRY = order().terms.expiryAt
const HALT = { scope: "asset_type", retryAfterSeconds: 17 } as const

const decide = (asked: Submission, state: OrderState = order(), at = OPENING + 1) =>
  decideSubmission(state, asked, at, null, 1, NOTHING_EARLIER)

const refusal = (asked: Submission, state?: OrderState, at?: number) => {
  const decided = decide(asked, state, at)
  return Result.isFailure(decided) ? decided.failure : undefined
}

const invalid = (change: Partial<Submission>, state?: OrderState) => {
  const error = refusal(submission(change), state)
  return error?._tag === "InvalidTerms" ? [error.field, error.expected] : error?._tag
}

/** Decides and writes one submission, and names the outcome. */
const submit = (world: NaiveWorld, asked: Submission): string => {
  const opened = { ...order(world.terms), status: world.status } as OrderState
  const state = taken(opened, world.earlier, asked.trader.owner)
  const account = (id: AccountId, balance: bigint, closed = false): Account => ({
    id,
    balance: fromUnits(balance),
    held: ZERO,
    closed
  })
  const { account: wallet, allowance } = asked.trader
  const journal = new MemoryJournal<ArenaEvent>(decodeArenaEvent, [
    account(wallet, world.available),
    account(VAULT, 0n, world.vaultClosed),
    ...(allowance === null ? [] : [account(allowance, world.allowance ?? 0n)])
  ])
  const halt = world.halted ? HALT : null
  const decided = decideSubmission(state, asked, world.now, halt, 1, NOTHING_EARLIER)
  if (Result.isFailure(decided)) return decided.failure._tag
  const batch = { stream: orderStream(world.terms.orderId), version: 0, entries: [decided.success] }
  const [outcome] = Effect.runSync(journal.append(batch))
  if (outcome?._tag === "Accepted") return "accepted"
  return refusedByLedger(decided.success.event.commitment, outcome!.error)?._tag ?? "a defect"
}

const takes = (change: Partial<NaiveWorld> = {}): NaiveWorld => ({
  terms: order().terms,
  status: "competing",
  halted: false,
  now: OPENING + 1,
  earlier: 0,
  vaultClosed: false,
  available: usd("3.81"),
  allowance: null,
  ...change
})

describe("an accepted submission", () => {
  it("becomes an active commitment with its collateral held", () => {
    const decided = Result.getOrThrow(
      decideSubmission(
        order(),
        submission({ idempotency: { key: "k", fingerprint: "f" } }),
        OPENING + 5,
        null,
        7,
        NOTHING_EARLIER
      )
    )
    expect(decided).toEqual({
      commands: [
        {
          _tag: "Hold",
          id: `collateral/com_${"0a".repeat(12)}_7`,
          account: "alice/USD/wallet",
          into: VAULT,
          amount: usd("3.81"),
          gate: "alice/COMMITMENTS/allowance"
        }
      ],
      event: { _tag: "CommitmentSubmitted", at: OPENING + 5, commitment: commitment(7, { acceptedAt: OPENING + 5 }) },
      idempotency: { key: "k", fingerprint: "f" }
    })
  })

  it("as a machine holds its allowance first", () => {
    const trader = machine("robot")
    const { commands, event } = Result.getOrThrow(decide(submission({ trader })))
    const [id, amount, allowance] = [event.commitment.commitmentId, usd("3.81"), trader.allowance!]
    const gate = commitmentGateOf("robot")
    expect(commands).toEqual([
      { _tag: "Hold", id: `allowance/${id}`, account: allowance, into: allowance, amount, gate },
      { _tag: "Hold", id: `collateral/${id}`, account: trader.account, into: VAULT, amount, gate }
    ])
  })

  it("is backed by the order's entry price, never by the proposed one", () => {
    for (const price of ["100", "105", "110"]) {
      const { event } = Result.getOrThrow(decide(submission({ proposedPrice: usd(price), exitPrice: usd("200") })))
      expect(event.commitment.collateral).toBe(usd("3.81"))
    }
  })
})

describe("ranges", () => {
  const OUTSIDE = "within 10 % of the order's entry_price"
  const BELOW = "with its slippage_tolerance at or above the order's entry_price"
  const ABOVE = "above proposed_entry_price × (1 + slippage_tolerance)"
  const QUANTITY = "above 0 and at most the order's quantity"
  const TOLERANCE = "between 0 and 0.05"

  it.each([
    ["proposed exactly 10 % above", { proposedPrice: usd("110"), exitPrice: usd("120") }, undefined],
    ["proposed above that", { proposedPrice: usd("110.000001") }, ["proposed_entry_price", OUTSIDE]],
    ["proposed exactly 10 % below", { proposedPrice: usd("90") }, ["proposed_entry_price", BELOW]],
    ["proposed below that", { proposedPrice: usd("89.999999") }, ["proposed_entry_price", OUTSIDE]],
    ["limit at the entry", { proposedPrice: usd("100") }, undefined],
    ["limit below the entry", { proposedPrice: usd("99.999999") }, ["proposed_entry_price", BELOW]],
    ["limit at the entry by its tolerance", { proposedPrice: usd("98"), slippage: usd("0.020409") }, undefined],
    ["limit below it", { proposedPrice: usd("98"), slippage: usd("0.020408") }, ["proposed_entry_price", BELOW]],
    ["exit one unit above the limit", { exitPrice: usd("102.000001") }, undefined],
    ["exit at the limit", { exitPrice: usd("102") }, ["expected_exit_price", ABOVE]],
    [
      "exit at the limit with tolerance",
      { slippage: usd("0.05"), exitPrice: usd("107.1") },
      ["expected_exit_price", ABOVE]
    ],
    ["exit above the limit with tolerance", { slippage: usd("0.05"), exitPrice: usd("107.100001") }, undefined],
    ["tolerance 0.05", { slippage: usd("0.05") }, undefined],
    ["tolerance above it", { slippage: usd("0.050001") }, ["slippage_tolerance", TOLERANCE]],
    ["negative tolerance", { slippage: fromUnits(-1n) }, ["slippage_tolerance", TOLERANCE]],
    ["quantity one unit", { quantity: fromUnits(1n) }, undefined],
    ["quantity the order's", { quantity: usd("10") }, undefined],
    ["quantity above it", { quantity: usd("10.000001") }, ["quantity", QUANTITY]],
    ["quantity 0", { quantity: ZERO }, ["quantity", QUANTITY]],
    ["negative quantity", { quantity: fromUnits(-1n) }, ["quantity", QUANTITY]]
  ])("%s", (_, change, expected) => {
    expect(invalid(change as Partial<Submission>)).toEqual(expected as never)
  })

  it("bound the order value by 8·10⁹ USD", () => {
    const large = order({ entryPrice: usd("8000"), quantity: usd("2000000") })
    const bid = { proposedPrice: usd("8000"), exitPrice: usd("9000") }
    expect(invalid({ ...bid, quantity: usd("1000000") }, large)).toBeUndefined()
    expect(invalid({ ...bid, quantity: usd("1000000.000001") }, large)).toEqual([
      "quantity",
      "an order value of at most 8000000000 USD"
    ])
  })

  it("of the tolerance end at 0.05", () => {
    expect(MAX_SLIPPAGE).toBe(usd("0.05"))
  })
})

describe("the window", () => {
  it("takes a submission in the last millisecond, and none at expiry or after", () => {
    expect(refusal(submission(), order(), EXPIRY - 1)).toBeUndefined()
    for (const at of [EXPIRY, EXPIRY + 1]) {
      expect(refusal(submission(), order(), at)).toMatchObject({
        _tag: "WindowClosed",
        orderId: order().terms.orderId,
        expiredAt: EXPIRY
      })
    }
  })

  it("never takes one at or after expiry, whatever is asked", () => {
    const fixture = anyTerms.chain((terms) => fc.tuple(fc.constant(terms), bidFor(terms), fc.nat({ max: 1_000_000 })))
    fc.assert(
      fc.property(fixture, ([terms, bid, late]) => {
        expect(refusal(submission(bid), order(terms), terms.expiryAt + late)?._tag).toBe("WindowClosed")
        expect(refusal(submission(bid), order(terms), terms.expiryAt - 1)).toBeUndefined()
      }),
      property()
    )
  })

  it("is closed while settling, even early, and the order is not open when settled", () => {
    expect(refusal(submission(), { ...order(), status: "settling" })?._tag).toBe("WindowClosed")
    expect(refusal(submission(), { ...order(), status: "settled" }, EXPIRY)).toMatchObject({
      _tag: "OrderNotOpen",
      orderId: order().terms.orderId,
      status: "settled"
    })
  })
})

describe("what one owner may have", () => {
  const state = (accepted: number): OrderState => taken(order(), accepted, "alice")
  const limited = (accepted: number, earlier: number, owner = "alice") => {
    const asked = submission({ trader: human(owner) })
    const decided = decideSubmission(state(accepted), asked, OPENING, null, 1, { own: earlier, all: 0 })
    return Result.isFailure(decided) ? decided.failure : undefined
  }

  it("is 1,000 commitments on an order, those decided in the same batch included", () => {
    expect(MAX_COMMITMENTS_PER_OWNER).toBe(1_000)
    expect(limited(999, 0)).toBeUndefined()
    expect(limited(990, 9)).toBeUndefined()
    expect(limited(1_000, 0)).toMatchObject({ _tag: "TooManyCommitments", limit: 1_000 })
    expect(limited(990, 10)).toMatchObject({ _tag: "TooManyCommitments", limit: 1_000 })
    expect(limited(1_000, 0, "bob")).toBeUndefined()
    expect(limited(0, 999, "bob")).toBeUndefined()
  })

  it("is looked at before what the order may have", () => {
    const decided = decideSubmission(order(), submission(), OPENING, null, 1, { own: 1_000, all: 20_000 })
    expect(decided).toMatchObject({ failure: { _tag: "TooManyCommitments" } })
  })
})

describe("a bot's decision", () => {
  const decisionId = "dec_bot_1_ord_1"
  const decided = (state: OrderState) =>
    Result.getOrThrow(decide(submission({ trader: machine("robot"), decisionId }), state))

  it("is carried out once, also by an actor that was rebuilt", () => {
    const state = order()
    const { event } = decided(state)
    expect(decodeArenaEvent(encodePlatformEvent(event))).toEqual(event)
    evolve(state, decodeArenaEvent(encodePlatformEvent(event)))
    const again = submission({ trader: machine("robot"), decisionId })
    expect(refusal(again, state)).toMatchObject({ _tag: "AlreadyCommitted", decisionId })
    expect(refusal({ ...again, decisionId: "dec_bot_2_ord_1" }, state)).toBeUndefined()
  })

  it("is told before the order's own refusals: whoever asks again learns that it was done", () => {
    const state = order()
    evolve(state, decided(state).event)
    state.status = "settled"
    expect(refusal(submission({ decisionId }), state)?._tag).toBe("AlreadyCommitted")
  })

  it("is no part of other commitments", () => {
    expect(encodePlatformEvent(Result.getOrThrow(decide(submission())).event)).not.toContain("decisionId")
  })
})

describe("what a refusal says", () => {
  const refused = (asked: Submission, halt: Parameters<typeof decideSubmission>[3] = null) => {
    const decided = decideSubmission(order(), asked, OPENING, halt, 1, NOTHING_EARLIER)
    return Result.isFailure(decided) ? decided.failure : undefined
  }

  it("of a breaker is its scope and how long to wait", () => {
    expect(refused(submission(), HALT)).toMatchObject({ scope: "fx", retryAfterSeconds: 17 })
    expect(refused(submission(), { scope: "global", retryAfterSeconds: 3 })).toMatchObject({
      scope: "global",
      retryAfterSeconds: 3
    })
  })

  it("of the trader is who it is", () => {
    expect(refused(submission({ trader: machine("robot"), barred: "machine_not_active" }))).toMatchObject({
      _tag: "MachineNotRegistered",
      botId: "mtr_robot"
    })
    expect(refused(submission({ barred: "machine_not_active" }))).toMatchObject({ botId: "" })
    expect(refused(submission({ barred: "suspended" }))).toMatchObject({ reason: "This account is suspended." })
    expect(refused(submission({ trader: human("maker") }))).toMatchObject({
      reason: "The market maker's owner may not commit to its own order."
    })
  })

  it("of the ledger is what is missing", () => {
    const robot = commitment(1, { trader: machine("robot") })
    const missing = (account: AccountId) =>
      new InsufficientFunds({ account, available: usd("1") as Amount, needed: usd("3.81") })
    const figures = { needed: usd("3.81"), available: usd("1") }
    expect(refusedByLedger(robot, missing(robot.trader.allowance!))).toMatchObject({
      _tag: "LossLimitReached",
      botId: "mtr_robot",
      ...figures
    })
    expect(refusedByLedger(robot, missing(robot.trader.account))).toMatchObject({
      _tag: "InsufficientCollateral",
      ...figures
    })
    expect(refusedByLedger(robot, new AccountClosed({ account: VAULT }))?._tag).toBe("VaultClosed")
    const closed = new AccountClosed({ account: robot.trader.allowance! })
    expect(refusedByLedger(robot, closed)).toMatchObject({ _tag: "MachineNotRegistered", botId: robot.trader.botId })
    const anonymous = commitment(1, { trader: machine("robot", { botId: null }) })
    expect(refusedByLedger(anonymous, missing(robot.trader.allowance!))?._tag).toBe("InsufficientCollateral")
  })

  it("is nothing where the ledger found a bug", () => {
    expect(refusedByLedger(commitment(1), new HoldNotPending({ hold: "h" }))).toBeUndefined()
    expect(refusedByLedger(commitment(1), new InvalidCommand({ reason: "r" }))).toBeUndefined()
  })
})

describe("refusals come in their order:", () => {
  const robot = machine("maker", { allowance: machine("robot").allowance })
  const outside = submission({ trader: robot, barred: "machine_not_active", quantity: ZERO })
  const asked = (change: Partial<Submission>) => submission({ trader: machine("robot"), ...change })
  const poor = { vaultClosed: true, available: 3_809_999n, allowance: 3_809_999n } as const
  const worst = { ...poor, halted: true, status: "settled", now: EXPIRY, earlier: 1_000 } as const

  it.each([
    ["CircuitBreakerOpen", outside, worst],
    ["OrderNotOpen", outside, { ...worst, halted: false }],
    ["WindowClosed", outside, { ...worst, halted: false, status: "competing" }],
    ["WindowClosed", outside, { ...worst, halted: false, status: "settling", now: OPENING }],
    ["MachineNotRegistered", outside, { ...poor, earlier: 1_000 }],
    ["AccessDenied", { ...outside, barred: "suspended" }, { ...poor, earlier: 1_000 }],
    ["AccessDenied", { ...outside, barred: null }, { ...poor, earlier: 1_000 }],
    ["AccessDenied", asked({ barred: "suspended", quantity: ZERO }), { ...poor, earlier: 1_000 }],
    ["InvalidTerms", asked({ quantity: ZERO }), { ...poor, earlier: 1_000 }],
    ["TooManyCommitments", asked({}), { ...poor, earlier: 1_000 }],
    ["LossLimitReached", asked({}), poor],
    ["VaultClosed", asked({}), { ...poor, allowance: 3_810_000n }],
    ["InsufficientCollateral", asked({}), { ...poor, allowance: 3_810_000n, vaultClosed: false }],
    ["accepted", asked({}), { allowance: 3_810_000n }]
  ] as const)("%s", (expected, bid, change) => {
    expect(submit(takes(change), bid)).toBe(expected)
    expect(naiveRefusals(takes(change), bid)[0] ?? "accepted").toBe(expected)
  })

  it("of several causes the first is told", () => {
    const amounts = fc.constantFrom(0n, 3_809_999n, 3_810_000n, 10n ** 10n)
    const near = (value: Amount) => fc.constantFrom(value, value, fromUnits(value - 1n), fromUnits(value + 1n))
    const world = fc.record({
      status: fc.constantFrom("open", "competing", "competing", "competing", "settling", "settled"),
      halted: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
      now: fc.constantFrom(OPENING, EXPIRY - 1, EXPIRY),
      earlier: fc.constantFrom(0, 999, 1_000),
      vaultClosed: fc.boolean(),
      available: amounts,
      allowance: amounts
    })
    const bid = fc.record({
      owner: fc.constantFrom("alice", "robot", "robot", "maker"),
      barred: fc.constantFrom(null, null, null, "suspended" as const, "machine_not_active" as const),
      proposedPrice: fc.constantFrom("100", "98", "110", "102").chain((price) => near(usd(price))),
      slippage: fc.constantFrom("0", "0.020409", "0.05").chain((share) => near(usd(share))),
      exitPrice: fc.constantFrom("102", "107.1", "130").chain((price) => near(usd(price))),
      quantity: fc.constantFrom("0", "1", "1", "10").chain((quantity) => near(usd(quantity)))
    })
    fc.assert(
      fc.property(world, bid, (change, { owner, ...rest }) => {
        const trader = owner === "robot" ? machine(owner) : human(owner)
        const here = takes({ ...change, allowance: trader.allowance === null ? null : change.allowance })
        const one = submission({ ...rest, trader })
        expect(submit(here, one)).toBe(naiveRefusals(here, one)[0] ?? "accepted")
      }),
      property(0.2)
    )
  })

  it("a bid made in range is taken", () => {
    const fixture = anyTerms.chain((terms) => fc.tuple(fc.constant(terms), bidFor(terms)))
    fc.assert(
      fc.property(fixture, ([terms, bid]) => {
        const here = takes({ terms, now: OPENING, available: 10n ** 18n })
        expect(naiveRefusals(here, submission(bid))).toEqual([])
        const { event, commands } = Result.getOrThrow(decide(submission(bid), order(terms), OPENING))
        const { collateral, quantity } = event.commitment
        const exact = terms.entryPrice * quantity * 381n
        expect(collateral * 10_000n * ONE >= exact && (collateral - 1n) * 10_000n * ONE < exact).toBe(true)
        expect(commands).toHaveLength(1)
      }),
      property()
    )
  })
})
