import fc from "fast-check"
import { expect } from "bun:test"
import type { ArenaEvent, CommitmentYield } from "../../engine/arena/ArenaEvent.ts"
import type { Trader } from "../../engine/arena/Commitment.ts"
import type { Submission } from "../../engine/arena/Submission.ts"
import type { AccountId } from "../../engine/ledger/Account.ts"
import { type Amount, fromUnits, ZERO } from "../../engine/money/Amount.ts"
import { bidFor, human, machine, OPENING, submission, terms, usd } from "./ArenaArbitraries.ts"
import { ArenaInvariants } from "./ArenaInvariants.ts"
import { accrued, ArenaWorld, INSURANCE, type Purses, YIELD_SOURCE } from "./ArenaWorld.ts"
import { naiveOutcome } from "./NaiveArena.ts"

const DAY = 86_400_000

const TRADERS: Readonly<Record<string, Trader>> = {
  alice: human("alice"),
  poor: human("poor"),
  exact: human("exact"),
  robot: machine("robot"),
  bounded: machine("bounded"),
  owner: human("owner"),
  maker: human("maker")
}

const wallet = (name: string): AccountId => `${name}/USD/wallet`

const PURSES: Purses = {
  [wallet("maker")]: usd("60"),
  [wallet("alice")]: usd("1000"),
  [wallet("poor")]: usd("20"),
  [wallet("exact")]: usd("3.81"),
  [wallet("robot")]: usd("400"),
  [wallet("bounded")]: usd("1000"),
  [wallet("owner")]: usd("200"),
  [TRADERS["robot"]!.allowance!]: usd("300"),
  [TRADERS["bounded"]!.allowance!]: usd("12")
}

type Action =
  | { readonly _tag: "Commit"; readonly bids: ReadonlyArray<Submission> }
  | { readonly _tag: "Pass"; readonly millis: number }
  | { readonly _tag: "Quote"; readonly price: Amount; readonly safe: boolean }
  | { readonly _tag: "Jump"; readonly to: "expiry" | "settlement" | "wait"; readonly by: number }
  | { readonly _tag: "Breaker" | "Vault" | "Halt"; readonly on: boolean }
  | { readonly _tag: "Restart" }

interface Fixture {
  readonly window: number
  readonly delay: number
  /** Every time of the fixture is a multiple of it, in milliseconds. */
  readonly grid: number
  readonly yieldSource: Amount
  readonly insurance: Amount
  readonly actions: ReadonlyArray<readonly [Action, boolean]>
  readonly finalPrice: Amount | null
}

const bid: fc.Arbitrary<Submission> = fc
  .record({
    bid: bidFor(terms()),
    trader: fc.constantFrom("alice", "alice", "poor", "exact", "robot", "robot", "bounded", "owner", "maker"),
    spoilt: fc.integer({ min: 0, max: 14 })
  })
  .map(({ bid: asked, trader, spoilt }) =>
    submission({
      ...asked,
      ...(spoilt === 1 && { quantity: fromUnits(terms().quantity + 1n) }),
      ...(spoilt === 2 && { exitPrice: usd("100") }),
      trader: TRADERS[trader]!,
      barred: spoilt === 3 ? "suspended" : null
    })
  )

const price = fc
  .bigInt({ min: 96n, max: 112n })
  .chain((whole) => fc.constantFrom(0n, 0n, 1n, 499_999n).map((rest) => fromUnits(whole * 1_000_000n + rest)))

const switchTo = <Tag extends "Breaker" | "Vault" | "Halt">(tag: Tag) =>
  fc.integer({ min: 0, max: 2 }).map((n): Action => ({ _tag: tag, on: n === 0 }))

const before: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.array(bid, { minLength: 1, maxLength: 4 }).map((bids): Action => ({ _tag: "Commit", bids }))
  },
  { weight: 3, arbitrary: fc.constantFrom(0, 1, 60, 100, 300).map((millis): Action => ({ _tag: "Pass", millis })) },
  { weight: 1, arbitrary: switchTo("Breaker") },
  { weight: 1, arbitrary: switchTo("Vault") },
  { weight: 1, arbitrary: fc.constant<Action>({ _tag: "Restart" }) }
)

const jump = (to: "expiry" | "settlement" | "wait") =>
  fc.integer({ min: -1, max: 1 }).map((by): Action => ({ _tag: "Jump", to, by }))

const after: fc.Arbitrary<Action> = fc.oneof(
  { weight: 1, arbitrary: before },
  {
    weight: 6,
    arbitrary: fc
      .tuple(price, fc.integer({ min: 0, max: 5 }))
      .map(([quoted, n]): Action => ({ _tag: "Quote", price: quoted, safe: n > 0 }))
  },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 120 }).map((millis): Action => ({ _tag: "Pass", millis })) },
  { weight: 1, arbitrary: switchTo("Halt") },
  { weight: 1, arbitrary: fc.constant<Action>({ _tag: "Restart" }) }
)

const phase = (action: fc.Arbitrary<Action>, minLength: number, maxLength: number) =>
  fc.array(fc.tuple(action, fc.boolean()), { minLength, maxLength, size: "max" })

const once = (action: fc.Arbitrary<Action>) =>
  fc
    .tuple(action, fc.boolean(), fc.integer({ min: 0, max: 7 }))
    .map(([taken, timer, n]) => (n > 0 ? [[taken, timer] as const] : []))

/** An order's life: bids, then prices after expiry, then anything; a timer may run after each action, or be late. */
export const anyFixture: fc.Arbitrary<Fixture> = fc.record({
  window: fc.integer({ min: 200, max: 2_000 }),
  delay: fc.oneof(
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 20 }) },
    { weight: 5, arbitrary: fc.integer({ min: 300, max: 2_000 }) }
  ),
  grid: fc.constantFrom(1, 1, 1_000),
  yieldSource: fc.constantFrom(ZERO, fromUnits(1n), usd("0.001"), usd("100000")),
  insurance: fc.constantFrom(ZERO, usd("0.0005"), usd("1000")),
  actions: fc
    .tuple(
      once(fc.array(bid, { minLength: 1, maxLength: 4 }).map((bids): Action => ({ _tag: "Commit", bids }))),
      phase(before, 0, 9),
      once(jump("expiry")),
      phase(after, 2, 9),
      once(jump("settlement")),
      phase(fc.oneof({ weight: 4, arbitrary: after }, { weight: 1, arbitrary: jump("wait") }), 0, 5)
    )
    .map((phases) => phases.flat()),
  finalPrice: fc.option(price)
})

const toWorld = ({ window, delay, grid, yieldSource, insurance }: Fixture): ArenaWorld =>
  new ArenaWorld(
    terms({ expiryAt: OPENING + window * grid, settlementAt: OPENING + (window + delay) * grid }),
    { ...PURSES, [YIELD_SOURCE]: yieldSource, [INSURANCE]: insurance },
    ["owner"]
  )

const act = (world: ArenaWorld, action: Action, grid: number): void => {
  switch (action._tag) {
    case "Commit":
      for (const { expected, told } of world.commit(action.bids)) expect(told).toBe(expected)
      return
    case "Pass":
      return world.pass(action.millis * grid)
    case "Quote":
      if ((world.medians.at(-1)?.at ?? 0) === world.now) world.pass(grid)
      return world.quote(action.price, action.safe)
    case "Jump": {
      const { expiryAt, settlementAt } = world.terms
      const target = { expiry: expiryAt, settlement: settlementAt, wait: settlementAt + DAY }[action.to]
      return world.pass(Math.max(0, target + action.by * grid - world.now))
    }
    case "Breaker":
      world.breakerOpen = action.on
      return
    case "Vault":
      return world.closeVault(action.on)
    case "Halt":
      world.settlementsHalted = action.on
      return
    case "Restart": {
      const known = world.state
      world.restart()
      expect(world.state).toEqual(known)
    }
  }
}

/** Plays a fixture to its end, checks the invariants after every step, and the end against a naive one. */
export const play = (fixture: Fixture): ArenaWorld => {
  const world = toWorld(fixture)
  const invariants = new ArenaInvariants()
  const look = () => invariants.check(world)
  look()
  for (const [action, timer] of fixture.actions) {
    act(world, action, fixture.grid)
    look()
    if (timer) world.tick(look)
  }
  const { settlementAt } = world.terms
  if (fixture.finalPrice !== null && world.now < settlementAt + DAY - fixture.grid) {
    world.pass(Math.max(fixture.grid, settlementAt - world.now))
    world.quote(fixture.finalPrice, true)
  }
  world.pass(Math.max(0, settlementAt + DAY - world.now))
  world.settlementsHalted = false
  world.tick(look)
  checkEnd(world, fixture.grid)
  return world
}

const eventOf = <Tag extends ArenaEvent["_tag"]>(world: ArenaWorld, tag: Tag) =>
  world.journal.recorded
    .map(({ event }) => event)
    .find((event): event is ArenaEvent & { _tag: Tag } => event._tag === tag)

const checkEnd = (world: ArenaWorld, grid: number): void => {
  const { terms: order, state, journal } = world
  expect(state.status).toBe("settled")
  const outcome = naiveOutcome(world, grid)
  const settled = eventOf(world, "OrderSettled")
  const voided = eventOf(world, "OrderVoided")
  expect(voided?.reason).toBe(outcome.voided)
  expect(settled === undefined).toBe(voided !== undefined)
  expect(state.choice?.winner ?? null).toBe(outcome.chosen)
  expect((state.choice?.clearingPrice ?? null) as bigint | null).toBe(outcome.clearing)
  expect((settled?.price ?? null) as bigint | null).toBe(outcome.price)
  expect(settled?.takeProfit ?? false).toBe(outcome.takeProfit)
  expect((settled?.profit ?? 0n) as bigint).toBe(outcome.profit)
  expect(settled?.winner?.commitmentId ?? null).toBe(outcome.winner)
  for (const one of state.commitments.values()) {
    const won = one.commitmentId === outcome.chosen
    expect([one.status, one.reason]).toEqual(won ? ["settled", null] : ["lost", outcome.reasons.get(one.commitmentId)!])
    expect(one.profit as bigint).toBe(won ? outcome.profit : 0n)
  }
  checkYield(world)
  checkPurses(world, outcome.profit)
  expect([...journal.book.holds.values()].every(({ state: { _tag } }) => _tag !== "Pending")).toBe(true)
  expect(journal.book.account(order.maker.account).balance).toBe(
    fromUnits((world.purses[order.maker.account] ?? 0n) - outcome.profit)
  )
}

const total = ({ trader, insurance, platform, tokenHolders }: CommitmentYield): bigint =>
  trader + insurance + platform + tokenHolders

/** Each commitment earns once, from its acceptance to the event that released it. */
const checkYield = (world: ArenaWorld): void => {
  const paid = new Map<string, CommitmentYield & { readonly at: number }>()
  for (const { event } of world.journal.recorded) {
    if (!("yields" in event)) continue
    for (const one of event.yields) {
      expect(paid.has(one.commitmentId)).toBe(false)
      paid.set(one.commitmentId, { ...one, at: event.at })
    }
  }
  let distributed = 0n
  for (const { commitmentId, collateral, acceptedAt, yieldEarned } of world.state.commitments.values()) {
    const one = paid.get(commitmentId)
    expect(yieldEarned as bigint).toBe(one?.trader ?? 0n)
    if (one !== undefined) {
      expect(total(one)).toBe(accrued(collateral, acceptedAt, one.at))
      expect(one.trader as bigint).toBe((total(one) * 7n) / 10n)
    }
    distributed += one?.trader ?? 0n
  }
  const end = eventOf(world, "OrderSettled") ?? eventOf(world, "OrderVoided")!
  expect(end.yieldDistributed as bigint).toBe(distributed)
}

/** Everybody has what was theirs, and what they gained; receivables are what the yield's payers lacked. */
const checkPurses = ({ purses, state, journal: { book } }: ArenaWorld, profit: bigint): void => {
  for (const { account, allowance } of Object.values(TRADERS)) {
    if (account === wallet("maker")) continue
    const mine = [...state.commitments.values()].filter(({ trader }) => trader.account === account)
    const won = mine.some(({ status }) => status === "settled") ? profit : 0n
    const earned = mine.reduce((sum, { yieldEarned }) => sum + yieldEarned, 0n)
    const owed = book.receivables.filter(({ to }) => to === account).reduce((sum, { amount }) => sum + amount, 0n)
    expect(book.account(account).balance as bigint).toBe((purses[account] ?? 0n) + won + earned - owed)
    if (allowance !== null) {
      expect(book.account(allowance).balance as bigint).toBe((purses[allowance] ?? 0n) + (won < 0n ? won : 0n))
    }
  }
}
