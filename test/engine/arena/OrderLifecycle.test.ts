import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import type { ArenaEvent, CommitmentYield } from "../../../engine/arena/ArenaEvent.ts"
import type { Commitment } from "../../../engine/arena/Commitment.ts"
import { type OrderState, VAULT } from "../../../engine/arena/Order.ts"
import { nextStep, openOrder, type OrderFacts } from "../../../engine/arena/OrderLifecycle.ts"
import type { Account, AccountId } from "../../../engine/ledger/Account.ts"
import type { Command } from "../../../engine/ledger/Command.ts"
import { type Amount, fromUnits, ZERO } from "../../../engine/money/Amount.ts"
import {
  commitment,
  human,
  machine,
  median,
  NO_MACHINES,
  OPENING,
  order,
  terms,
  TIE_KEY,
  usd
} from "../../lib/ArenaArbitraries.ts"
import { anyFixture, play } from "../../lib/ArenaFixtures.ts"
import { chosen, competing, facts, settling, step } from "../../lib/OrderStages.ts"
import { ArenaWorld } from "../../lib/ArenaWorld.ts"
import { property } from "../../lib/Property.ts"

const { orderId, assetType, expiryAt: EXPIRY, settlementAt: SETTLEMENT } = terms()
const MAKER: AccountId = "maker/USD/wallet"
const DAY = 86_400_000
/** For 1,000 runs and more. */
const LONG = 60_000
const OFFERED = `escrow/offered/${orderId}`
const SOLD = `escrow/sold/${orderId}`

const alice = commitment(1)
const robot = commitment(2, { trader: machine("robot"), proposedPrice: usd("101") })

const due = (state: OrderState, change: Partial<OrderFacts>) => nextStep(state, facts(change))?.event._tag
const release = (hold: string): Command => ({ _tag: "Release", hold })
const collateralOf = ({ commitmentId }: Commitment): string => `collateral/${commitmentId}`
const allowanceOf = ({ commitmentId }: Commitment): string => `allowance/${commitmentId}`
const capture = (
  hold: string,
  to: AccountId,
  amount: Amount,
  purpose: "settlement" | "allowance" = "settlement"
): Command => ({
  _tag: "Capture",
  hold,
  to,
  amount,
  purpose
})

describe("opening", () => {
  it("holds the collateral of the full quantity on the market maker", () => {
    expect(openOrder(terms())).toEqual({
      commands: [{ _tag: "Hold", id: OFFERED, account: MAKER, into: VAULT, amount: usd("38.1") }],
      event: { _tag: "OrderOpened", at: OPENING, terms: terms() }
    })
  })

  it("dies on an order above the bound of its value", () => {
    const bound = terms({ entryPrice: usd("8000"), quantity: usd("1000000") })
    expect(openOrder(bound).commands).toMatchObject([{ amount: usd("304800000") }])
    expect(() => openOrder({ ...bound, quantity: fromUnits(bound.quantity + 1n) })).toThrow(
      `order ${orderId} is worth more than the bound`
    )
  })
})

describe("at expiry", () => {
  it("nothing is due a millisecond before, whatever is recorded", () => {
    for (const state of [order(), competing(alice)]) {
      expect(due(state, { now: EXPIRY - 1, medians: [median(EXPIRY, "100")], haltedAtExpiry: true })).toBeUndefined()
    }
  })

  it("an order without commitments settles at once, the breaker open or not", () => {
    for (const haltedAtExpiry of [false, true]) {
      expect(nextStep(order(), facts({ haltedAtExpiry }))).toEqual({
        commands: [release(OFFERED)],
        event: {
          _tag: "OrderSettled",
          at: EXPIRY,
          orderId,
          assetType,
          winner: null,
          price: null,
          takeProfit: false,
          profit: ZERO,
          yieldDistributed: ZERO,
          yields: [],
          tieKey: TIE_KEY
        }
      })
    }
  })

  it("one with commitments closes, and nothing moves", () => {
    expect(nextStep(competing(alice), facts({ now: EXPIRY + 7 }))).toEqual({
      commands: [],
      event: { _tag: "OrderClosed", at: EXPIRY + 7, orderId }
    })
  })

  it("one with commitments is void where a breaker was open", () => {
    expect(nextStep(competing(alice, robot), facts({ haltedAtExpiry: true }))).toEqual({
      commands: [
        release(OFFERED),
        release(collateralOf(alice)),
        release(collateralOf(robot)),
        release(allowanceOf(robot))
      ],
      event: {
        _tag: "OrderVoided",
        at: EXPIRY,
        orderId,
        assetType,
        reason: "breaker_open_at_expiry",
        yieldDistributed: ZERO,
        yields: [],
        tieKey: TIE_KEY
      }
    })
  })
})

describe("the choice", () => {
  it("waits for a safe median at or after expiry and before settlement", () => {
    const state = settling(alice)
    const late = { medians: [median(SETTLEMENT, "100")] }
    expect(due(state, { medians: [median(EXPIRY, "100", false)] })).toBeUndefined()
    expect(due(state, { now: SETTLEMENT - 1, ...late })).toBeUndefined()
    expect(due(state, { medians: [median(EXPIRY, "100")] })).toBe("WinnerChosen")
    expect(due(state, { now: SETTLEMENT + 5, medians: [median(SETTLEMENT - 1, "100")] })).toBe("WinnerChosen")
    expect(nextStep(state, facts({ now: SETTLEMENT, ...late }))?.event).toMatchObject({
      _tag: "OrderVoided",
      reason: "no_reference_price"
    })
  })

  it("releases the losers and cuts the escrow to the winner's collateral", () => {
    const { commands, event } = step(settling(alice, robot), { now: EXPIRY + 9, medians: [median(EXPIRY + 3, "100")] })
    expect(commands).toEqual([
      release(OFFERED),
      { _tag: "Hold", id: SOLD, account: MAKER, into: MAKER, amount: usd("3.81") },
      release(collateralOf(robot)),
      release(allowanceOf(robot))
    ])
    expect(event).toEqual({
      _tag: "WinnerChosen",
      at: EXPIRY + 9,
      orderId,
      choice: {
        reference: usd("100"),
        referenceAt: EXPIRY + 3,
        winner: alice.commitmentId,
        clearingPrice: usd("100"),
        ranking: [
          { commitmentId: alice.commitmentId, owner: "alice", score: 2_000_000_000_000n, reason: null },
          { commitmentId: robot.commitmentId, owner: "robot", score: 1_000_000_000_000n, reason: "ARENA_007" }
        ],
        fairness: { rule: "weighted", machines: usd("3.81"), total: usd("7.62"), machineOwners: ["robot"] }
      },
      yields: []
    })
  })

  it("without a winner releases everything, and the order settles at once", () => {
    const state = settling(alice)
    const { commands } = step(state, { medians: [median(EXPIRY, "103")] })
    expect(commands).toEqual([release(OFFERED), release(collateralOf(alice))])
    expect(state.choice?.winner).toBe(null)
    const end = nextStep(state, facts())
    expect(end?.commands).toEqual([])
    expect(end?.event).toMatchObject({ _tag: "OrderSettled", winner: null, price: null, profit: ZERO, tieKey: TIE_KEY })
  })

  it("knows owners of machines, the rule and the register", () => {
    const small = { ...commitment(3, { trader: human("bob"), proposedPrice: usd("100") }), collateral: usd("3") }
    const choose = (change: Partial<OrderFacts>) => {
      const { event } = step(settling(alice, small), { medians: [median(EXPIRY, "100")], ...change })
      return event._tag === "WinnerChosen" ? [event.choice.winner, event.choice.fairness] : []
    }
    const full = { ...NO_MACHINES, capable: 4, committed: 3 }
    expect(choose({ machineOwners: new Set(["alice"]) })[0]).toBe(small.commitmentId)
    expect(choose({ machineOwners: new Set(["alice"]), rule: "quorum", register: full })).toEqual([
      alice.commitmentId,
      { rule: "quorum", machines: 3n, total: 4n, machineOwners: ["alice"] }
    ])
  })
})

describe("settlement", () => {
  const at = (price: string) => [median(EXPIRY, price), median(SETTLEMENT, "1")]
  const settle = (state: OrderState, price: string, medians = at(price)) =>
    step(state, { now: SETTLEMENT + 4, medians })

  it("waits for a safe median at or after the settlement date", () => {
    const state = chosen(alice)
    const early = [median(EXPIRY, "100"), median(SETTLEMENT - 1, "100")]
    expect(due(state, { now: SETTLEMENT + DAY - 1, medians: early })).toBeUndefined()
    expect(due(state, { now: SETTLEMENT, medians: [...early, median(SETTLEMENT, "100", false)] })).toBeUndefined()
    expect(due(state, { now: SETTLEMENT, medians: [...early, median(SETTLEMENT, "100")] })).toBe("OrderSettled")
  })

  it("is void after exactly 24 hours without one, and a later median does not help", () => {
    const medians = [median(EXPIRY, "100")]
    const now = SETTLEMENT + DAY
    expect(nextStep(chosen(alice), facts({ now, medians }))).toMatchObject({
      commands: [release(SOLD), release(collateralOf(alice))],
      event: { _tag: "OrderVoided", reason: "no_settlement_price", at: now }
    })
    expect(due(chosen(alice), { now, medians: [...medians, median(now, "100")] })).toBe("OrderVoided")
    expect(due(chosen(alice), { now, medians: [...medians, median(now - 1, "100")] })).toBe("OrderSettled")
  })

  it("posts a gain from the maker's escrow", () => {
    const { commands, event } = settle(chosen(alice, robot), "103")
    expect(commands).toEqual([capture(SOLD, alice.trader.account, usd("3")), release(collateralOf(alice))])
    expect(event).toEqual({
      _tag: "OrderSettled",
      at: SETTLEMENT + 4,
      orderId,
      assetType,
      winner: { commitmentId: alice.commitmentId, address: "0xalice" },
      price: usd("103"),
      takeProfit: false,
      profit: usd("3"),
      yieldDistributed: ZERO,
      yields: [],
      tieKey: TIE_KEY
    })
  })

  it("posts a loss from the trader's collateral, and its machine's allowance loses as much", () => {
    expect(settle(chosen(alice), "97").commands).toEqual([release(SOLD), capture(collateralOf(alice), MAKER, usd("3"))])
    const lost = settle(chosen(robot), "97")
    expect(lost.event).toMatchObject({ profit: fromUnits(-3_000_000n) })
    expect(lost.commands).toEqual([
      release(SOLD),
      capture(collateralOf(robot), MAKER, usd("3")),
      capture(allowanceOf(robot), "platform/USD-ALLOWANCE/custody", usd("3"), "allowance")
    ])
  })

  it("releases both sides where nobody gains", () => {
    expect(settle(chosen(robot), "100").commands).toEqual([
      release(SOLD),
      release(collateralOf(robot)),
      release(allowanceOf(robot))
    ])
    expect(settle(chosen(robot), "103").commands).toEqual([
      capture(SOLD, robot.trader.account, usd("3")),
      release(collateralOf(robot)),
      release(allowanceOf(robot))
    ])
  })

  it("takes the take-profit where a median reached it", () => {
    const medians = [median(EXPIRY, "100"), median(EXPIRY + 1, "110"), median(SETTLEMENT, "90")]
    expect(settle(chosen(alice), "110", medians).event).toMatchObject({
      price: usd("110"),
      takeProfit: true,
      profit: usd("3.81")
    })
  })

  it("dies on a choice whose winner is unknown", () => {
    const state = chosen(alice)
    state.commitments.clear()
    expect(() => settle(state, "103")).toThrow(`order ${orderId} has no winner to settle`)
    const unpriced = chosen(alice)
    unpriced.choice = { ...unpriced.choice!, clearingPrice: null }
    expect(() => settle(unpriced, "103")).toThrow(`order ${orderId} has no winner to settle`)
  })
})

describe("yield", () => {
  const accrued = (collateral: Amount, from: number, to: number): Amount =>
    fromUnits(collateral === usd("3.81") && from === OPENING ? BigInt(to - EXPIRY) : 0n)
  const cover = (party: string, amount: bigint, to: AccountId, ...sources: ReadonlyArray<AccountId>): Command => ({
    _tag: "Cover",
    id: `yield/${party}/${robot.commitmentId}`,
    sources,
    to,
    amount: fromUnits(amount),
    purpose: "yield"
  })
  const source: AccountId = "platform/USD/yield_source"
  const insurance: AccountId = "platform/USD/insurance"
  const shares = (trader: bigint, rest: bigint, platform: bigint, tokenHolders: bigint): CommitmentYield => ({
    commitmentId: robot.commitmentId,
    trader: fromUnits(trader),
    insurance: fromUnits(rest),
    platform: fromUnits(platform),
    tokenHolders: fromUnits(tokenHolders)
  })

  it("is paid in its shares when collateral is released, the trader's out of insurance where the source is dry", () => {
    const { commands, event } = step(settling(alice, robot), {
      now: EXPIRY + 101,
      medians: [median(EXPIRY, "100")],
      accrued: (collateral, from, to) => (to === EXPIRY + 101 ? accrued(collateral, from, to) : ZERO)
    })
    expect(commands.slice(4)).toEqual([
      cover("trader", 70n, robot.trader.account, source, insurance),
      cover("insurance", 11n, insurance, source),
      cover("platform", 15n, "platform/USD/platform", source),
      cover("token_holders", 5n, "platform/USD/token_holders", source)
    ])
    expect(event).toMatchObject({ yields: [shares(70n, 11n, 15n, 5n)] })
  })

  it("pays no empty share", () => {
    const { commands, event } = step(settling(alice, robot), {
      now: EXPIRY + 1,
      medians: [median(EXPIRY, "100")],
      accrued
    })
    expect(commands.slice(4)).toEqual([cover("insurance", 1n, insurance, source)])
    expect(event).toMatchObject({ yields: [shares(0n, 1n, 0n, 0n)] })
  })

  it("is told as the traders' share over all of the order's commitments", () => {
    const state = settling(alice, robot)
    step(state, { now: EXPIRY + 100, medians: [median(EXPIRY, "100")], accrued })
    const medians = [median(EXPIRY, "100"), median(SETTLEMENT, "100")]
    const { commands, event } = step(state, { now: EXPIRY + 1_000, medians, accrued })
    expect(event).toMatchObject({ yieldDistributed: fromUnits(770n), yields: [{ trader: fromUnits(700n) }] })
    expect(commands).toHaveLength(6)
    expect([...state.commitments.values()].map((one) => one.yieldEarned)).toEqual([fromUnits(700n), fromUnits(70n)])
  })

  it("comes with the principal of a void order, before and after the choice", () => {
    const early = step(competing(robot), { now: EXPIRY + 100, haltedAtExpiry: true, accrued })
    expect(early.commands).toHaveLength(7)
    expect(early.event).toMatchObject({ yieldDistributed: fromUnits(70n), yields: [shares(70n, 10n, 15n, 5n)] })
    const state = settling(alice, robot)
    step(state, { now: EXPIRY + 100, medians: [median(EXPIRY, "100")], accrued })
    const late = step(state, { now: SETTLEMENT + DAY, accrued: () => fromUnits(100n) })
    expect(late.event).toMatchObject({
      yieldDistributed: fromUnits(140n),
      yields: [{ commitmentId: alice.commitmentId }]
    })
  })
})

describe("steps", () => {
  const tags = (events: ReadonlyArray<ArenaEvent>) => events.map(({ _tag }) => _tag)

  it("are none while the ledger's own check has failed", () => {
    const everything = { now: SETTLEMENT + DAY, medians: [median(EXPIRY, "100")], settlementsHalted: true }
    for (const state of [order(), competing(alice), settling(alice), chosen(alice)]) {
      expect(due(state, everything)).toBeUndefined()
    }
  })

  it("are none after the end", () => {
    const state = order()
    step(state)
    expect(due(state, { now: SETTLEMENT + DAY })).toBeUndefined()
  })

  it("that a pause made late are taken in a row", () => {
    const purse = { [MAKER]: usd("50"), [alice.trader.account]: usd("50") }
    const world = new ArenaWorld(terms(), purse)
    expect(world.commit([{ ...alice, barred: null }])).toEqual([{ expected: "accepted", told: "accepted" }])
    world.pass(EXPIRY - world.now)
    world.quote(usd("100"), true)
    world.pass(SETTLEMENT - world.now)
    world.quote(usd("101"), true)
    world.pass(DAY)
    expect(tags(world.tick())).toEqual(["OrderClosed", "WinnerChosen", "OrderSettled"])
    expect(world.tick()).toEqual([])
    const balances = [MAKER, alice.trader.account].map((id): Account => world.journal.book.account(id))
    expect(balances.map(({ balance, held }) => [balance, held])).toEqual([
      [usd("50"), ZERO],
      [usd("50"), ZERO]
    ])
  })

  it(
    "of whole orders keep every invariant, and end as a naive arena does",
    () => {
      fc.assert(
        fc.property(anyFixture, (fixture) => void play(fixture)),
        property(0.5)
      )
    },
    LONG
  )
})
