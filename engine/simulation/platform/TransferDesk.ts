import { Effect } from "effect"
import type { JournalUnavailable } from "../../actor/Journal.ts"
import { deskPrices, type DeskView } from "../../fx/DeskPrices.ts"
import { rateOf } from "../../fx/FxDesk.ts"
import { fromUnits, type Rate } from "../../money/Rate.ts"
import {
  type HeldQuote,
  holdRate,
  send,
  type TransfersWorld,
  type WantedTransfer,
  withdraw
} from "../../transfers/Sending.ts"
import { NoRate } from "../../transfers/TransferError.ts"
import type { CompanyRequest } from "./CompanyPlan.ts"
import { type Caller, counted, type DeskWorld, FirstMeanings, keyed, type Served } from "./DeskWorld.ts"

type Asked<A extends CompanyRequest["act"]> = Extract<CompanyRequest, { readonly act: A }>

const THOUSAND = 1_000n

/** Moves money between companies and currencies, at rates of the moment and at held ones. */
export class TransferDesk {
  readonly #world: DeskWorld
  readonly #transfers: TransfersWorld<JournalUnavailable>
  readonly #view: DeskView
  readonly #meant = new FirstMeanings<WantedTransfer>()

  constructor(world: DeskWorld, view: DeskView) {
    const { projection, write } = world
    this.#world = world
    this.#view = view
    this.#transfers = {
      prices: (pair) =>
        Effect.suspend(() => {
          const prices = deskPrices(pair, view)
          return prices === undefined ? Effect.fail(new NoRate({ pair })) : Effect.succeed(prices)
        }),
      quote: (id) => Effect.sync(() => projection.quotes.get(id)),
      sent: (sender, id) => Effect.sync(() => projection.transfers.get(`${sender}/${id}`)),
      write
    }
  }

  transfer(by: Caller, to: string, asked: Asked<"transfer">, key: string): Served {
    return Effect.suspend(() => {
      const wanted = this.#meant.of(key, () => this.#wanted(by, to, asked, key))
      const permitted = Effect.succeed(asked.to % 10 === 0)
      const newId = Effect.sync(() => this.#world.newId("trf"))
      return Effect.map(send(this.#transfers, wanted, permitted, newId), ({ repeated }) =>
        repeated ? "Repeated" : "MoneyTransferred"
      )
    })
  }

  #wanted({ userId }: Caller, to: string, asked: Asked<"transfer">, key: string): WantedTransfer {
    const { mode, quantity, worst } = asked
    const held = this.#held(userId, asked.held)
    // Whoever has a rate held asks for what it is held for, but now and then for something else.
    const fits = held !== undefined && asked.to % 7 !== 0
    const pair = fits ? held.pair : { base: asked.base, quote: asked.quote }
    return {
      sender: userId,
      recipient: to,
      pair,
      mode: fits ? "international" : mode,
      quantity: fits ? held.quantity : quantity,
      worst: worst === undefined ? null : this.#worst(pair, worst),
      quoteId: asked.held === undefined ? null : (held?.quoteId ?? "fxq_none"),
      id: asked.id === undefined ? undefined : asked.id === "own" ? `own_${key}` : (this.#used(userId) ?? "trf_none"),
      country: "",
      description: key,
      createdDate: 0,
      idempotency: keyed(key)
    }
  }

  /** A rate that is held, the last one first. */
  #held(userId: string, whose: Asked<"transfer">["held"]): HeldQuote | undefined {
    if (whose === undefined || whose === "unknown") return undefined
    return [...this.#world.projection.quotes.values()].findLast(({ owner }) => (owner === userId) === (whose === "own"))
  }

  /** An id that a user sent under before. */
  #used(userId: string): string | undefined {
    const own = [...this.#world.projection.transfers.values()].filter(({ sender }) => sender === userId)
    return own.find(({ transferId }) => transferId.startsWith("own_"))?.transferId ?? counted(own, 0)?.transferId
  }

  #worst(pair: HeldQuote["pair"], thousandths: number): Rate {
    const prices = deskPrices(pair, this.#view)
    const rate = prices === undefined ? 1n : rateOf("Sell", prices.base, prices.quote, prices.spread)
    return fromUnits((rate * BigInt(thousandths)) / THOUSAND)
  }

  quote({ userId: owner }: Caller, { base, quantity, quote, side }: Asked<"quote">, key: string): Served {
    const wanted = { quoteId: this.#world.newId("fxq"), owner, pair: { base, quote }, side, quantity }
    return Effect.as(holdRate(this.#transfers, wanted, keyed(key)), "RateQuoted")
  }

  withdraw({ userId: owner }: Caller, { quantity }: Asked<"withdraw">, key: string): Served {
    const withdrawal = { withdrawalId: this.#world.newId("wdr"), owner, fundId: "fnd", asset: "USD", quantity }
    return Effect.as(withdraw(this.#transfers, withdrawal, keyed(key)), "MoneyWithdrawn")
  }
}
