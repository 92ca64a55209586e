import { Clock, Effect, Layer } from "effect"
import { INSTRUMENTS, type Instrument } from "../../engine/arena/Instrument.ts"
import { type Amount, fromUnits, ONE } from "../../engine/money/Amount.ts"
import { Oracles } from "../../src/oracles/Oracles.ts"
import type { PriceSource } from "../../src/oracles/PriceSource.ts"

/** The begin of a slot of any length that divides a day. */
const BEGIN = Date.UTC(2026, 8, 30, 12)

const SOURCE = "test"

const DOLLARS: Readonly<Record<string, bigint>> = { XAU: 4_000n, XAG: 50n, BTC: 100_000n, ETH: 4_000n }

const startingPrice = (instrument: Instrument): Amount =>
  instrument.assetType === "gpu"
    ? instrument.listPrice
    : fromUnits((DOLLARS[instrument.asset] ?? 1n) * ONE + (instrument.assetType === "fx" ? 95_000n : 0n))

/** The time and the prices round an application. They outlive its restarts and move when the test moves them. */
export class TestWorld {
  /** Milliseconds since 1970. */
  now: number
  /** USD by asset; an asset without one is not quoted. */
  readonly prices = new Map<string, Amount>(INSTRUMENTS.map((each) => [each.asset, startingPrice(each)]))
  #elapsed = 0

  constructor(now = BEGIN) {
    this.now = now
  }

  /** A world a moment before {@link begin}: what is made in it has ids that come before all that are made later. */
  static readonly before = (): TestWorld => new TestWorld(BEGIN - 1)

  /** From now on, the time at which every world begins has come. */
  begin(): void {
    this.now = Math.max(this.now, BEGIN)
  }

  /** Another world that stands where this one does. */
  copy(): TestWorld {
    const copy = new TestWorld()
    copy.now = this.now
    copy.prices.clear()
    for (const [asset, price] of this.prices) copy.prices.set(asset, price)
    return copy
  }

  /** Sets the clock forward. */
  pass(millis: number): void {
    this.now += millis
  }

  /** Lets time pass, as everything that measures it finds. Who sleeps does not wake. */
  elapse(millis: number): void {
    this.pass(millis)
    this.#elapsed += millis
  }

  /** Moves the prices of what the test chooses to so many thousandths. */
  move(permille: bigint, chosen: (instrument: Instrument) => boolean = () => true): void {
    for (const instrument of INSTRUMENTS.filter(chosen)) {
      const price = this.prices.get(instrument.asset)
      if (price !== undefined) this.prices.set(instrument.asset, fromUnits((price * permille) / 1_000n))
    }
  }

  /** A clock that shows this world's time. It sleeps in real time. */
  get clock(): Layer.Layer<never> {
    return Layer.effect(
      Clock.Clock,
      Clock.clockWith((real) => {
        const shown = {
          currentTimeMillisUnsafe: () => this.now,
          currentTimeMillis: Effect.sync(() => this.now),
          monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe() + BigInt(this.#elapsed) * 1_000_000n,
          monotonicTimeNanos: Effect.map(real.monotonicTimeNanos, (nanos) => nanos + BigInt(this.#elapsed) * 1_000_000n)
        }
        return Effect.succeed(Object.assign(Object.create(real) as Clock.Clock, shown))
      })
    )
  }

  /** Oracles of one source that quotes this world's prices, always fresh. */
  get oracles(): Layer.Layer<Oracles> {
    const source: PriceSource = {
      name: SOURCE,
      staleAfterMillis: 1_000,
      quotes: Effect.sync(() =>
        [...this.prices].map(([asset, price]) => ({
          asset,
          price,
          source: SOURCE,
          observedAt: this.now,
          simulated: false
        }))
      )
    }
    return Oracles.layerOf([source])
  }
}
