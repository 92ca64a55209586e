import fc from "fast-check"

/** Bots of one company, by number. */
export const BOTS = 2

const LIFE = ["start", "pause", "resume", "terminate"] as const

/** One thing that a bots' owner asks for. Amounts are in 10⁻⁶ USD. */
export type BotMove =
  | { readonly act: (typeof LIFE)[number]; readonly bot: number }
  | { readonly act: "fund" | "withdraw" | "topup"; readonly bot: number; readonly amount: bigint }
  | { readonly act: "evaluate"; readonly bot: number; readonly order: number }
  | { readonly act: "budget"; readonly bot: number; readonly credits: number }
  | { readonly act: "limit"; readonly bot: number; readonly percent: number }

/** Moves at the same time, each sent so many times under one Idempotency-Key; or what happens by itself. */
export type BotCommand =
  | { readonly tag: "moves"; readonly moves: ReadonlyArray<BotMove>; readonly copies: number }
  /** Bots look at the orders there are. */
  | { readonly tag: "look" }
  /** Prices are so many thousandths of the first ones, time passes in steps of ten seconds, orders open and settle. */
  | { readonly tag: "trade"; readonly permille: number; readonly ticks: number }

const bot = fc.nat(BOTS - 1)
const cent = 10_000n

const act = <A extends string>(tag: A) => fc.constant(tag)

const weighted = <A>(weight: number, arbitrary: fc.Arbitrary<A>) => ({ weight, arbitrary })

const amount = fc.oneof(fc.bigInt(1n, 900_000_000n), fc.constant(100_000_000n), fc.bigInt(0n, 9n))

const cents = fc.oneof(
  fc.bigInt(1n, 20n).map((count) => count * cent),
  fc.bigInt(1n, 100_000n)
)

const move: fc.Arbitrary<BotMove> = fc.oneof(
  weighted(6, fc.record({ act: fc.constantFrom("start" as const, "pause" as const, "resume" as const), bot })),
  weighted(1, fc.record({ act: act("terminate"), bot })),
  weighted(4, fc.record({ act: fc.constantFrom("fund" as const, "withdraw" as const), bot, amount })),
  weighted(3, fc.record({ act: act("topup"), bot, amount: cents })),
  weighted(5, fc.record({ act: act("evaluate"), bot, order: fc.nat(8) })),
  weighted(1, fc.record({ act: act("budget"), bot, credits: fc.integer({ min: 0, max: 30 }) })),
  weighted(1, fc.record({ act: act("limit"), bot, percent: fc.integer({ min: 1, max: 100 }) }))
)

const copies = fc.oneof(weighted(4, fc.constant(1)), weighted(1, fc.integer({ min: 2, max: 3 })))

const command: fc.Arbitrary<BotCommand> = fc.oneof(
  weighted(8, fc.record({ tag: act("moves"), moves: fc.array(move, { minLength: 1, maxLength: 1 }), copies })),
  weighted(4, fc.record({ tag: act("moves"), moves: fc.array(move, { minLength: 2, maxLength: 8 }), copies })),
  weighted(3, fc.constant({ tag: "look" as const })),
  weighted(
    2,
    fc.record({
      tag: act("trade"),
      permille: fc.constantFrom(970, 985, 1_000, 1_020),
      ticks: fc.integer({ min: 1, max: 8 })
    })
  )
)

const alone = (...moves: ReadonlyArray<BotMove>): BotCommand => ({ tag: "moves", moves, copies: 1 })

/** Each kind of move where it must be taken, with orders that are won, settled at a gain and at a loss. */
export const EVERY_KIND: ReadonlyArray<BotCommand> = [
  alone({ act: "fund", bot: 0, amount: 300_000_001n }),
  alone({ act: "start", bot: 0 }),
  alone({ act: "topup", bot: 0, amount: 3n * cent }),
  { tag: "trade", permille: 970, ticks: 8 },
  alone({ act: "evaluate", bot: 0, order: 0 }),
  { tag: "look" },
  alone({ act: "pause", bot: 0 }),
  alone({ act: "evaluate", bot: 1, order: 1 }),
  { tag: "trade", permille: 970, ticks: 9 },
  { tag: "trade", permille: 985, ticks: 9 },
  alone({ act: "limit", bot: 0, percent: 50 }),
  alone({ act: "resume", bot: 0 }),
  { tag: "trade", permille: 960, ticks: 8 },
  { tag: "look" },
  { tag: "trade", permille: 960, ticks: 9 },
  alone({ act: "terminate", bot: 0 }),
  { tag: "trade", permille: 940, ticks: 9 },
  alone({ act: "budget", bot: 1, credits: 3 }),
  alone({ act: "withdraw", bot: 1, amount: 100n }, { act: "fund", bot: 1, amount: 50n }, { act: "start", bot: 1 })
]

/** What an owner of bots does, one after the other and at once. */
export const botCommands = (maxLength: number): fc.Arbitrary<ReadonlyArray<BotCommand>> =>
  fc.array(command, { minLength: Math.ceil(maxLength / 2), maxLength })
