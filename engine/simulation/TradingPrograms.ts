import { DateTime, Option, Result } from "effect"
import type { ActorUnavailable } from "../actor/ActorHost.ts"
import type { ChainedEvent } from "../actor/CommitGroup.ts"
import { type ArenaError, OrderNotFound } from "../arena/ArenaError.ts"
import type { OrderSettled, OrderVoided, WinnerChosen } from "../arena/ArenaEvent.ts"
import type { Commitment } from "../arena/Commitment.ts"
import { instrumentOf } from "../arena/Instrument.ts"
import type { Median } from "../arena/Median.ts"
import { opened, type OrderState } from "../arena/Order.ts"
import { competingBid, rankedBid } from "../market/AuctionView.ts"
import {
  channelOf,
  type MarketChannel,
  type MarketFrame,
  type MarketFrameData,
  type MarketFrameType
} from "../market/MarketFrame.ts"
import type { RefusedBid } from "../market/MarketReplay.ts"
import type { BidRequest } from "../market/ReplayedAuction.ts"
import type { Market } from "../market/TradingProgram.ts"
import { fromUnits, toNumber } from "../money/Amount.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import { timeText } from "../wire/WireValue.ts"
import type { ExtensionCall } from "./ExtensionCall.ts"
import { publicBid, publicOrder } from "./PublicAuction.ts"
import type { TraderPlan } from "./Scenario.ts"
import type { SimulatedJournal } from "./SimulatedJournal.ts"
import type { SimulatedTrader } from "./SimulationExtension.ts"
import { type TraderDesk, walletOfTrader } from "./TraderDesk.ts"
import type { VirtualClock } from "./VirtualClock.ts"

/** Reads a commitment as a program asks for it, or says why it is none. */
export type BidReader = (asked: unknown) => Result.Result<BidRequest, RefusedBid>

export interface TradingProgramsParts {
  readonly clock: VirtualClock
  readonly journal: Pick<SimulatedJournal, "account">
  readonly desk: Pick<TraderDesk, "send">
  /** All orders as they are recorded. */
  readonly orders: ReadonlyMap<string, OrderState>
  readonly traders: ReadonlyArray<{ readonly plan: TraderPlan; readonly trader: SimulatedTrader }>
  readonly readBid: BidReader
  readonly call: ExtensionCall
  /** Told in words that a program failed. */
  readonly onFailed: (what: string) => void
}

/** Milliseconds from a commit until a program hears of it, and from there until what it sends is on its way. */
const TOLD_MILLIS = 10
const LATENCY_MILLIS = 40

/** What a program hears of that does not say: as in a replay of recorded auctions. */
const USUAL_CHANNELS: ReadonlyArray<MarketChannel> = ["orders", "my"]

interface Program {
  readonly plan: TraderPlan
  readonly trader: SimulatedTrader
  readonly channels: ReadonlySet<MarketChannel>
  /** What it was not told yet. */
  readonly inbox: Array<MarketFrame>
  sent: number
}

const UNAVAILABLE = "The service cannot take the request now: try again after Retry-After."

const refusalOf = (orderId: string, error: ArenaError | ActorUnavailable | undefined): RefusedBid => {
  if (error?._tag === "ActorUnavailable") return { order_id: orderId, code: "unavailable", message: UNAVAILABLE }
  const { code, message } = error ?? new OrderNotFound({ orderId })
  return { order_id: orderId, code, message }
}

const ownOf = ({ assetType, commitmentId, orderId }: Commitment) => ({
  commitment_id: commitmentId,
  order_id: orderId,
  asset_type: assetType
})

const numberOrNull = (amount: Parameters<typeof toNumber>[0] | null): number | null =>
  amount === null ? null : toNumber(amount)

/** Milliseconds since 1970; a time without a zone is of UTC, as the times of orders are. */
const timeOf = (text: string): number => {
  const time = DateTime.make(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`)
  if (Option.isSome(time)) return time.value.epochMilliseconds
  throw new RangeError(`wakeAt: expected an ISO 8601 time, not ${JSON.stringify(text)}`)
}

/** The programs of an extension's traders: they hear what is public, a moment later, and commit over the same network as all. */
export class TradingPrograms {
  readonly #parts: TradingProgramsParts
  readonly #programs: ReadonlyArray<Program>

  constructor(parts: TradingProgramsParts) {
    this.#parts = parts
    this.#programs = parts.traders.map(({ plan, trader }) => ({
      plan,
      trader,
      channels: new Set(trader.channels ?? USUAL_CHANNELS),
      inbox: [],
      sent: 0
    }))
  }

  /** Events are durable, and the orders are as they make them. */
  committed(recorded: ReadonlyArray<Pick<ChainedEvent<PlatformEvent>, "event">>): void {
    if (this.#programs.length > 0) for (const { event } of recorded) this.#recorded(event)
  }

  /** Prices were recorded. */
  priced(recorded: ReadonlyArray<Median>): void {
    for (const { asset, price, safe } of recorded) {
      const assetType = instrumentOf(asset)?.assetType ?? null
      this.#tellAll("price_update", { asset_type: assetType, asset, price: toNumber(price), safe })
    }
  }

  #recorded(event: PlatformEvent): void {
    switch (event._tag) {
      case "OrderOpened":
        return this.#tellAll("order_updated", publicOrder(opened(event.terms), undefined))
      case "CommitmentSubmitted":
        return this.#submitted(event.commitment)
      case "WinnerChosen":
        return this.#chosen(event)
      case "OrderSettled":
      case "OrderVoided":
        return this.#ended(event)
      default:
    }
  }

  #submitted(one: Commitment): void {
    const bid = competingBid({ order_id: one.orderId, bids: "open" }, publicBid(one))
    for (const program of this.#programs) {
      if (!isOf(program, one)) this.#tell(program, "commitment_updated", bid)
      else this.#tell(program, "commitment_accepted", { ...ownOf(one), collateral_required: toNumber(one.collateral) })
    }
  }

  #chosen({ choice, orderId }: WinnerChosen): void {
    const state = this.#parts.orders.get(orderId)
    if (state === undefined) return
    this.#tellAll("order_updated", publicOrder({ ...state, status: "settling" }, undefined))
    for (const [place, standing] of choice.ranking.entries()) {
      const one = state.commitments.get(standing.commitmentId)
      if (one === undefined) continue
      const bid = rankedBid({ order_id: orderId, bids: "open" }, publicBid(one), standing, place + 1)
      const won = { ...ownOf(one), clearing_price: numberOrNull(choice.clearingPrice) }
      for (const program of this.#programs) {
        if (!isOf(program, one)) this.#tell(program, "commitment_updated", bid)
        else if (standing.reason === null) this.#tell(program, "commitment_won", won)
        else this.#tell(program, "commitment_lost", { ...ownOf(one), reason: standing.reason })
      }
    }
  }

  #ended(event: OrderSettled | OrderVoided): void {
    const state = this.#parts.orders.get(event.orderId)
    if (state === undefined) return
    const price = event._tag === "OrderSettled" ? event.price : null
    for (const one of state.commitments.values()) {
      const own = this.#programs.filter((program) => isOf(program, one))
      const isWinner = one.commitmentId === state.choice?.winner
      const settled = { ...ownOf(one), profit: toNumber(one.profit), settlement_price: numberOrNull(price) }
      for (const program of own) {
        if (isWinner) this.#tell(program, "commitment_settled", settled)
        else if (one.reason === "void") this.#tell(program, "commitment_lost", { ...ownOf(one), reason: "void" })
      }
    }
    this.#tellAll("order_updated", publicOrder(state, event))
  }

  #tellAll<Type extends MarketFrameType>(type: Type, data: MarketFrameData[Type]): void {
    for (const program of this.#programs) this.#tell(program, type, data)
  }

  #tell<Type extends MarketFrameType>(program: Program, type: Type, data: MarketFrameData[Type]): void {
    const { clock } = this.#parts
    const channel = channelOf(type)
    if (channel !== undefined && !program.channels.has(channel)) return
    program.inbox.push({ type, data, timestamp: timeText(clock.currentTimeMillisUnsafe()) } as MarketFrame)
    if (program.inbox.length === 1) clock.schedule(clock.elapsed + TOLD_MILLIS, () => this.#deliver(program))
  }

  #deliver(program: Program): void {
    const { call, clock, journal, onFailed } = this.#parts
    const { balance, held } = journal.account(walletOfTrader(program.plan))
    const asked: Array<unknown> = []
    const market: Market = {
      now: timeText(clock.currentTimeMillisUnsafe()),
      free: toNumber(fromUnits(balance - held)),
      commit: (request) => void asked.push(request),
      wakeAt: (time) => this.#wakeAt(program, timeOf(time))
    }
    for (const event of program.inbox.splice(0)) {
      const returned = call(
        () => program.trader.onEvent(event, market),
        (what) => onFailed(`onEvent of ${program.plan.id} threw ${what}`)
      )
      if (returned instanceof Promise) {
        // What it comes to is nobody's any more.
        returned.catch(() => {})
        onFailed(`onEvent of ${program.plan.id} returned a promise: in a simulation nothing can be waited for`)
      }
    }
    for (const request of asked) this.#commit(program, this.#parts.readBid(request))
  }

  #wakeAt(program: Program, time: number): void {
    const { clock } = this.#parts
    const pause = Math.max(1, time - clock.currentTimeMillisUnsafe())
    clock.schedule(clock.elapsed + pause, () => this.#tell(program, "woken", {}))
  }

  #commit(program: Program, bid: Result.Result<BidRequest, RefusedBid>): void {
    const { clock, desk, orders } = this.#parts
    if (Result.isFailure(bid)) return this.#tell(program, "commitment_refused", bid.failure)
    const { exitPrice, orderId, proposedPrice, quantity, slippage } = bid.success
    const { index } = program.plan
    const id = `program/${index}/${program.sent++}`
    let isRefused = false
    const onRefused = (error: ArenaError | ActorUnavailable | undefined): void => {
      if (!isRefused) this.#tell(program, "commitment_refused", refusalOf(orderId, error))
      isRefused = true
    }
    clock.schedule(clock.elapsed + LATENCY_MILLIS, () =>
      desk.send({
        id,
        trader: index,
        keyed: true,
        termsOf: () => orders.get(orderId)?.terms,
        bidOn: () => ({ proposedPrice, exitPrice, quantity, slippage }),
        onRefused
      })
    )
  }
}

const isOf = ({ plan }: Program, { trader }: Commitment): boolean => trader.userId === plan.id
