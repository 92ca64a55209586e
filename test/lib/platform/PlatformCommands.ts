import fc from "fast-check"

/** Who takes part: each is the only user of a company. */
export const PARTIES = ["ada", "bob", "cyd"] as const
export type Name = (typeof PARTIES)[number]

/** What they sell, in 10⁻⁶ USD a piece. */
export const PRODUCTS = [
  { name: "anvil", seller: "ada", price: 33_330_000n, pieces: 12 },
  { name: "bolt", seller: "bob", price: 100_001n, pieces: 30 },
  { name: "cog", seller: "cyd", price: 7_000_000n, pieces: 9 }
] as const

export type Terms =
  | { readonly type: "prepaid" | "net_30" | "net_60" }
  | { readonly type: "installments"; readonly installments: number }

/** One thing that somebody asks for. */
export type PlatformMove =
  | { readonly act: "mint"; readonly who: Name; readonly asset: "USD" | "EUR"; readonly amount: bigint }
  | { readonly act: "withdraw"; readonly who: Name; readonly amount: bigint }
  | {
      readonly act: "transfer"
      readonly who: Name
      readonly to: Name
      readonly asset: "USD" | "EUR"
      readonly amount: bigint
      /** The sender's own id for it; none where null. */
      readonly id: number | null
    }
  | {
      readonly act: "exchange"
      readonly who: Name
      readonly to: Name
      readonly base: "USD" | "EUR"
      readonly amount: bigint
      readonly held: boolean
    }
  | {
      readonly act: "order"
      readonly who: Name
      readonly lines: ReadonlyArray<{ readonly product: number; readonly pieces: number }>
      readonly terms: Terms
    }
  | { readonly act: "pay"; readonly who: Name; readonly order: number; readonly extent: "next" | "all" }
  | { readonly act: "fulfil" | "cancel"; readonly who: Name; readonly order: number }
  | { readonly act: "card"; readonly who: Name; readonly order: number; readonly extent: "next" | "all" }
  | { readonly act: "refund"; readonly who: Name; readonly order: number; readonly cents: number }
  | { readonly act: "subscribe"; readonly who: Name; readonly product: number; readonly pieces: number }
  | { readonly act: "renew"; readonly who: Name; readonly subscription: number }
  | { readonly act: "credit"; readonly who: Name; readonly income: number }
  | { readonly act: "commit"; readonly who: Name; readonly quantity: number }

/** Moves at the same time, each sent so many times under one Idempotency-Key; and time that passes. */
export type PlatformCommand =
  | { readonly tag: "moves"; readonly moves: ReadonlyArray<PlatformMove>; readonly copies: number }
  | { readonly tag: "pass"; readonly seconds: number }

const name = fc.constantFrom(...PARTIES)
const asset = fc.constantFrom("USD" as const, "EUR" as const)
const amount = fc.oneof(fc.bigInt(1n, 400_000_000n), fc.bigInt(1n, 9n), fc.constant(100_000_000n))
const order = fc.nat(5)

const terms: fc.Arbitrary<Terms> = fc.oneof(
  fc.constantFrom<Terms>({ type: "prepaid" }, { type: "net_30" }, { type: "net_60" }),
  fc.integer({ min: 2, max: 5 }).map((installments) => ({ type: "installments" as const, installments }))
)

const lines = fc.array(fc.record({ product: fc.nat(PRODUCTS.length - 1), pieces: fc.integer({ min: 1, max: 4 }) }), {
  minLength: 1,
  maxLength: 3
})

const act = <A extends string>(tag: A) => fc.constant(tag)

const weighted = <A>(weight: number, arbitrary: fc.Arbitrary<A>) => ({ weight, arbitrary })

const move: fc.Arbitrary<PlatformMove> = fc.oneof(
  weighted(3, fc.record({ act: act("mint"), who: name, asset, amount })),
  weighted(2, fc.record({ act: act("withdraw"), who: name, amount })),
  weighted(
    3,
    fc.record({ act: act("transfer"), who: name, to: name, asset, amount, id: fc.oneof(fc.constant(null), fc.nat(2)) })
  ),
  weighted(2, fc.record({ act: act("exchange"), who: name, to: name, base: asset, amount, held: fc.boolean() })),
  weighted(5, fc.record({ act: act("order"), who: name, lines, terms })),
  weighted(
    5,
    fc.record({ act: act("pay"), who: name, order, extent: fc.constantFrom("next" as const, "all" as const) })
  ),
  weighted(4, fc.record({ act: fc.constantFrom("fulfil" as const, "cancel" as const), who: name, order })),
  weighted(
    2,
    fc.record({ act: act("card"), who: name, order, extent: fc.constantFrom("next" as const, "all" as const) })
  ),
  weighted(2, fc.record({ act: act("refund"), who: name, order, cents: fc.integer({ min: 1, max: 3_000 }) })),
  weighted(
    1,
    fc.record({ act: act("subscribe"), who: name, product: fc.nat(2), pieces: fc.integer({ min: 1, max: 2 }) })
  ),
  weighted(1, fc.record({ act: act("renew"), who: name, subscription: fc.nat(1) })),
  weighted(1, fc.record({ act: act("credit"), who: name, income: fc.integer({ min: 20_000, max: 200_000 }) })),
  weighted(1, fc.record({ act: act("commit"), who: name, quantity: fc.integer({ min: 1, max: 2_000 }) }))
)

const copies = fc.oneof(weighted(4, fc.constant(1)), weighted(1, fc.integer({ min: 2, max: 3 })))

const command: fc.Arbitrary<PlatformCommand> = fc.oneof(
  weighted(8, fc.record({ tag: act("moves"), moves: fc.array(move, { minLength: 1, maxLength: 1 }), copies })),
  weighted(3, fc.record({ tag: act("moves"), moves: fc.array(move, { minLength: 2, maxLength: 8 }), copies })),
  weighted(1, fc.record({ tag: act("pass"), seconds: fc.constantFrom(1, 61) }))
)

const alone = (move: PlatformMove): PlatformCommand => ({ tag: "moves", moves: [move], copies: 1 })

/** Everybody has some money and asks for credit. */
export const OPENING: ReadonlyArray<PlatformCommand> = PARTIES.flatMap((who) => [
  alone({ act: "mint", who, asset: "USD", amount: 200_000_000n }),
  alone({ act: "mint", who, asset: "EUR", amount: 100_000_000n }),
  alone({ act: "credit", who, income: 90_000 })
])

const buys = (who: Name, product: number, pieces: number, terms: Terms): PlatformMove => ({
  act: "order",
  who,
  lines: [{ product, pieces }],
  terms
})

/** Each kind of move once where it must be taken. */
export const EVERY_KIND: ReadonlyArray<PlatformCommand> = [
  alone({ act: "withdraw", who: "cyd", amount: 1n }),
  alone({ act: "transfer", who: "cyd", to: "ada", asset: "EUR", amount: 5n, id: 0 }),
  alone({ act: "transfer", who: "cyd", to: "ada", asset: "EUR", amount: 5n, id: 0 }),
  alone({ act: "transfer", who: "cyd", to: "ada", asset: "EUR", amount: 6n, id: 0 }),
  alone({ act: "exchange", who: "bob", to: "bob", base: "USD", amount: 30_000_001n, held: true }),
  alone({ act: "exchange", who: "bob", to: "cyd", base: "EUR", amount: 10_000_001n, held: false }),
  alone({ act: "commit", who: "ada", quantity: 100 }),
  { tag: "moves", copies: 1, moves: [buys("ada", 2, 5, { type: "prepaid" }), buys("bob", 2, 4, { type: "net_30" })] },
  alone(buys("bob", 0, 2, { type: "installments", installments: 3 })),
  alone(buys("ada", 1, 3, { type: "prepaid" })),
  alone(buys("cyd", 1, 2, { type: "net_60" })),
  alone({ act: "cancel", who: "cyd", order: 4 }),
  alone({ act: "fulfil", who: "bob", order: 2 }),
  ...["ada", "bob"].flatMap((who) =>
    [0, 1, 2].flatMap((order): ReadonlyArray<PlatformCommand> => [
      alone({ act: "pay", who: who as Name, order, extent: "next" }),
      { tag: "moves", copies: 2, moves: [{ act: "pay", who: who as Name, order, extent: "next" }] }
    ])
  ),
  alone({ act: "fulfil", who: "bob", order: 2 }),
  alone({ act: "fulfil", who: "ada", order: 1 }),
  alone({ act: "cancel", who: "cyd", order: 0 }),
  alone({ act: "cancel", who: "bob", order: 1 }),
  alone({ act: "cancel", who: "bob", order: 2 }),
  alone(buys("bob", 0, 1, { type: "prepaid" })),
  alone({ act: "card", who: "bob", order: 5, extent: "all" }),
  alone({ act: "refund", who: "ada", order: 5, cents: 100 }),
  alone({ act: "fulfil", who: "ada", order: 5 }),
  { tag: "moves", copies: 2, moves: [{ act: "refund", who: "ada", order: 5, cents: 1_250 }] },
  alone({ act: "subscribe", who: "cyd", product: 1, pieces: 2 }),
  { tag: "moves", copies: 1, moves: [0, 0, 0].map((subscription) => ({ act: "renew", who: "cyd", subscription })) }
]

/** What companies do with money and goods, one after the other and at once. */
export const platformCommands = (maxLength: number): fc.Arbitrary<ReadonlyArray<PlatformCommand>> =>
  fc.array(command, { minLength: Math.ceil(maxLength / 2), maxLength })
