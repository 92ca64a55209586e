import fc from "fast-check"
import { ASSET_TYPES, type AssetType } from "../../engine/arena/AssetType.ts"
import { FUNDED_TRADERS, TRADERS, type TraderName } from "./ArenaActors.ts"

/** A commitment in parts of what the order offers, so that it means something on any order. */
export interface CommitCommand {
  readonly _tag: "Commit"
  readonly trader: TraderName
  /** Which of the orders made so far, counted from the newest; beyond the last one there is none. */
  readonly order: number
  /** Which of the machine traders registered so far; null for none. */
  readonly machine: number | null
  /** Thousandths of the entry price. */
  readonly price: number
  /** Thousandths of the limit. */
  readonly exit: number
  /** Thousandths of the order's quantity. */
  readonly quantity: number
  /** In 10⁻⁶. */
  readonly slippage: number
  /** Which Idempotency-Key of the trader's; null for none. */
  readonly key: number | null
  /** How many times it is sent at once. */
  readonly copies: number
}

export type ArenaCommand =
  | CommitCommand
  | { readonly _tag: "Quote"; readonly type: AssetType; readonly permille: number | null }
  | { readonly _tag: "Pass"; readonly millis: number }
  | { readonly _tag: "Tick" }
  | { readonly _tag: "Run"; readonly rounds: number; readonly millis: number }
  | { readonly _tag: "Mint"; readonly trader: TraderName; readonly dollars: number; readonly key: number | null }
  | {
      readonly _tag: "Register"
      readonly agent: number
      readonly trader: TraderName
      readonly capability: AssetType
      readonly dollars: number
    }
  | { readonly _tag: "Restart" }

const oftenOr = <T>(usual: ReadonlyArray<T>, rare: ReadonlyArray<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: fc.constantFrom(...rare) })

const key = oftenOr<number | null>([null], [0, 1])
const type = fc.constantFrom(...ASSET_TYPES)

const commit: fc.Arbitrary<ArenaCommand> = fc.record({
  _tag: fc.constant("Commit" as const),
  trader: oftenOr<TraderName>(FUNDED_TRADERS, TRADERS),
  order: fc.oneof({ weight: 5, arbitrary: fc.nat(3) }, { weight: 1, arbitrary: fc.nat(30) }),
  machine: oftenOr<number | null>([null, null, null, 0], [1, 2, 9]),
  price: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1_000, max: 1_100 }) },
    { weight: 1, arbitrary: fc.constantFrom(899, 900, 970, 999, 1_101) }
  ),
  exit: oftenOr([1_005, 1_020, 1_100], [999, 1_000, 1_001]),
  quantity: oftenOr([1_000, 500, 333, 50], [0, 1, 1_001]),
  slippage: oftenOr([0, 0, 10_000], [50_000, 50_001, 1]),
  key,
  copies: oftenOr([1], [2, 4])
})

const passed = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(100, 5_000, 20_000, 30_000, 60_000, 90_000) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1, 149_999, 300_000, 3_600_000, 86_400_000, 90_000_000) }
)

const command: fc.Arbitrary<ArenaCommand> = fc.oneof(
  { weight: 20, arbitrary: commit },
  {
    weight: 4,
    arbitrary: fc.record({
      _tag: fc.constant("Quote" as const),
      type,
      permille: oftenOr<number | null>([1_000, 1_010, 1_020, 1_030, 970], [1_060, 890, 1_120, null])
    })
  },
  { weight: 3, arbitrary: fc.record({ _tag: fc.constant("Pass" as const), millis: passed }) },
  { weight: 5, arbitrary: fc.constant<ArenaCommand>({ _tag: "Tick" }) },
  {
    weight: 4,
    arbitrary: fc.record({
      _tag: fc.constant("Run" as const),
      rounds: oftenOr([1, 2, 3], [13]),
      millis: fc.constantFrom(5_000, 30_000, 30_001)
    })
  },
  {
    weight: 2,
    arbitrary: fc.record({
      _tag: fc.constant("Mint" as const),
      trader: fc.constantFrom(...TRADERS),
      dollars: oftenOr([100, 5_000], [600_000_000, 1_000_000_001]),
      key
    })
  },
  {
    weight: 2,
    arbitrary: fc.record({
      _tag: fc.constant("Register" as const),
      agent: fc.nat(4),
      trader: fc.constantFrom(...TRADERS),
      capability: type,
      dollars: oftenOr([100_000], [0, 300])
    })
  },
  { weight: 1, arbitrary: fc.constant<ArenaCommand>({ _tag: "Restart" }) }
)

/** Sequences of commands. They begin with orders to commit to. */
export const arenaCommands: fc.Arbitrary<ReadonlyArray<ArenaCommand>> = fc
  .array(command, { minLength: 20, maxLength: 80, size: "max" })
  .map((commands) => [{ _tag: "Tick" }, ...commands])
