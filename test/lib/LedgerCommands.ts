import fc from "fast-check"
import { type AccountId, accountId } from "../../engine/ledger/Account.ts"
import type { Capture, Command, Cover, Hold, Purpose, Release, Transfer } from "../../engine/ledger/Command.ts"
import { fromUnits } from "../../engine/money/Amount.ts"

const ASSETS = ["USD", "EUR"] as const

/** A small world, so that random commands meet often: two assets, the same six accounts in each. */
export const ACCOUNTS: ReadonlyArray<AccountId> = ASSETS.flatMap((asset) => [
  accountId("platform", asset, "custody"),
  accountId("alice", asset, "wallet"),
  accountId("bob", asset, "wallet"),
  accountId("maker", asset, "wallet"),
  accountId("platform", asset, "insurance"),
  accountId("platform", asset, "vault")
])

/** The accounts that take no new holds or credits. */
export const CLOSED: ReadonlyArray<AccountId> = [accountId("platform", "EUR", "vault")]

export const transfer = (
  id: string,
  from: AccountId,
  to: AccountId,
  units: bigint,
  purpose: Purpose = "settlement"
): Transfer => ({ _tag: "Transfer", id, from, to, amount: fromUnits(units), purpose })

export const hold = (id: string, account: AccountId, into: AccountId, units: bigint): Hold => ({
  _tag: "Hold",
  id,
  account,
  into,
  amount: fromUnits(units)
})

export const release = (id: string): Release => ({ _tag: "Release", hold: id })

export const capture = (id: string, to: AccountId, units: bigint): Capture => ({
  _tag: "Capture",
  hold: id,
  to,
  amount: fromUnits(units),
  purpose: "settlement"
})

export const cover = (id: string, sources: ReadonlyArray<AccountId>, to: AccountId, units: bigint): Cover => ({
  _tag: "Cover",
  id,
  sources,
  to,
  amount: fromUnits(units),
  purpose: "insurance"
})

/** Two different accounts of one asset nine times in ten, any two otherwise. */
const pair: fc.Arbitrary<readonly [AccountId, AccountId]> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .tuple(fc.nat({ max: 1 }), fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 2, maxLength: 2 }))
      .map(([asset, [one, other]]) => [ACCOUNTS[asset * 6 + one!]!, ACCOUNTS[asset * 6 + other!]!] as const)
  },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...ACCOUNTS), fc.constantFrom(...ACCOUNTS)) }
)

const units = fc.oneof(
  { weight: 12, arbitrary: fc.bigInt({ min: 1n, max: 40n }) },
  { weight: 1, arbitrary: fc.bigInt({ min: -2n, max: 0n }) }
)
const holdId = fc.nat({ max: 11 }).map((n) => `h${n}`)
const paymentId = fc.nat({ max: 60 }).map((n) => `t${n}`)

const multiHoldId = fc.nat({ max: 7 }).map((n) => `b${n}`)

const part = fc.record({
  account: fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...ACCOUNTS.filter((id) => id.endsWith("/wallet"))) },
    { weight: 1, arbitrary: fc.constantFrom(...ACCOUNTS) }
  ),
  amount: units.map((amount) => fromUnits(amount > 3n ? amount / 3n : amount))
})

const anyMultiHold: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      _tag: fc.constant("PlaceMultiHold" as const),
      id: multiHoldId,
      parts: fc.array(part, { minLength: 0, maxLength: 4 })
    })
  },
  { weight: 2, arbitrary: multiHoldId.map((multiHold) => ({ _tag: "ReleaseMultiHold" as const, multiHold })) },
  {
    weight: 2,
    arbitrary: multiHoldId.map((multiHold) => ({
      _tag: "TakeMultiHold" as const,
      multiHold,
      purpose: "goods" as const
    }))
  }
)

const mint = fc
  .tuple(paymentId, fc.constantFrom(...ACCOUNTS.filter((id) => !id.endsWith("/custody"))), units)
  .map(([id, to, amount]) => transfer(id, accountId("platform", to.split("/")[1]!, "custody"), to, amount * 3n, "mint"))

const anyCover = fc
  .tuple(paymentId, fc.array(pair, { minLength: 0, maxLength: 2 }), pair, units)
  .map(([id, others, [first, to], amount]) => {
    const same = others.map(([from]) => from).filter((from) => from.split("/")[1] === to.split("/")[1] && from !== to)
    return cover(id, [first, ...same], to, amount * 2n)
  })

/** Mostly opens, so that most accounts are open. */
const anyTurn: fc.Arbitrary<Command> = fc.record({
  _tag: fc.constantFrom("Close" as const, "Open" as const, "Open" as const),
  account: fc.constantFrom(...ACCOUNTS)
})

/** Any command of the small world, most of them sensible. */
export const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  { weight: 2, arbitrary: mint },
  {
    weight: 3,
    arbitrary: fc.tuple(paymentId, pair, units).map(([id, [from, to], amount]) => transfer(id, from, to, amount))
  },
  {
    weight: 5,
    arbitrary: fc
      .tuple(holdId, pair, units, fc.option(fc.constantFrom(...ACCOUNTS), { nil: undefined, freq: 1 }))
      .map(([id, [account, into], amount, gate]) => ({
        ...hold(id, account, into, amount),
        ...(gate === undefined ? {} : { gate })
      }))
  },
  { weight: 3, arbitrary: holdId.map(release) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(holdId, fc.constantFrom(...ACCOUNTS), fc.oneof(units, fc.bigInt(1n, 10n)))
      .map(([id, to, amount]) => capture(id, to, amount))
  },
  { weight: 2, arbitrary: anyCover },
  { weight: 4, arbitrary: anyMultiHold },
  { weight: 1, arbitrary: anyTurn }
)

const wallets = ACCOUNTS.filter((id) => id.endsWith("/wallet"))
const sameAsset = (id: AccountId, owner: string, kind: "custody" | "insurance") =>
  accountId(owner, id.split("/")[1] ?? "", kind)

/** Money in every wallet, some of it held, for the first commands to meet. */
export const OPENING: ReadonlyArray<Command> = wallets.flatMap((wallet, index) => [
  transfer(`open${index}`, sameAsset(wallet, "platform", "custody"), wallet, 100n, "mint"),
  hold(`h${index}`, wallet, sameAsset(wallet, "platform", "insurance"), 30n)
])

/** An opening, then batches of one to four commands, one after the other. */
export const anyBatches: fc.Arbitrary<ReadonlyArray<ReadonlyArray<Command>>> = fc
  .array(fc.array(anyCommand, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 40, size: "max" })
  .map((batches) => [OPENING, ...batches])
