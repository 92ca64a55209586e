import type { AssetType } from "../../engine/arena/AssetType.ts"
import { type Channel, CHANNELS, PUBLIC_CHANNELS, type SubscribeData } from "../api/ArenaStreamProtocol.ts"
import type { Frame } from "./StreamEvent.ts"

/** What one connection wants to hear. Equal subscriptions have equal keys, and are served as one. */
export class Subscription {
  readonly channels: ReadonlyArray<Channel>
  /** Empty: of every type. */
  readonly assetTypes: ReadonlyArray<AssetType>
  /** Empty: of every order. */
  readonly orderIds: ReadonlyArray<string>
  readonly isSequenced: boolean
  /** Whether it gets every price with its numbers, from elsewhere than its events. */
  readonly numbersPrices: boolean
  /** Whose commitments `my` reports; null without `my`. */
  readonly userId: string | null
  /** Whether a client asked for it. Only then it has heartbeats. */
  readonly isAsked: boolean
  readonly key: string
  readonly #channels: ReadonlySet<Channel>
  readonly #assetTypes: ReadonlySet<AssetType>
  readonly #orders: ReadonlySet<string>

  private constructor(parts: Omit<Subscription, "key" | "wants" | "wantsPrice" | "without" | "needsState">) {
    this.#channels = new Set(parts.channels)
    this.#assetTypes = new Set(parts.assetTypes)
    this.#orders = new Set(parts.orderIds)
    this.channels = CHANNELS.filter((channel) => this.#channels.has(channel))
    this.assetTypes = [...this.#assetTypes].toSorted()
    this.orderIds = [...this.#orders].toSorted()
    this.isSequenced = parts.isSequenced
    this.numbersPrices = parts.numbersPrices && this.#channels.has("prices")
    this.userId = this.#channels.has("my") ? parts.userId : null
    this.isAsked = parts.isAsked
    const { assetTypes, channels, isAsked, isSequenced, numbersPrices, orderIds, userId } = this
    this.key = JSON.stringify([channels, assetTypes, orderIds, isSequenced, numbersPrices, userId, isAsked])
  }

  /** Every public event and price: what a connection gets without asking. Specification 6.4. */
  static readonly standard = new Subscription({
    channels: PUBLIC_CHANNELS,
    assetTypes: [],
    orderIds: [],
    isSequenced: false,
    numbersPrices: false,
    userId: null,
    isAsked: false
  })

  /** What a client asks for. `userId` is the user it speaks for, if it is known. */
  static of(data: typeof SubscribeData.Type, userId: string | null): Subscription {
    return new Subscription({
      channels: data.channels === undefined || data.channels.length === 0 ? PUBLIC_CHANNELS : data.channels,
      assetTypes: data.asset_type ?? [],
      orderIds: data.order_id ?? [],
      isSequenced: data.sequence ?? false,
      numbersPrices: data.price_sequence ?? false,
      userId,
      isAsked: true
    })
  }

  /** Whether its messages depend on an order's earlier events. */
  get needsState(): boolean {
    return this.isSequenced || this.userId !== null
  }

  /** Whether a price is among those that are told with their numbers. */
  wantsPrice({ assetType }: Frame): boolean {
    return this.numbersPrices && (this.#assetTypes.size === 0 || this.#assetTypes.has(assetType))
  }

  wants(frame: Frame): boolean {
    return (
      !(this.numbersPrices && frame.channel === "prices") &&
      this.#channels.has(frame.channel) &&
      (this.#assetTypes.size === 0 || this.#assetTypes.has(frame.assetType)) &&
      (this.#orders.size === 0 || frame.orderId === null || this.#orders.has(frame.orderId)) &&
      (!frame.isExtension || this.isSequenced) &&
      (frame.userId === null || frame.userId === this.userId)
    )
  }

  /** What remains of it; undefined if nothing does. */
  without(ended: ReadonlyArray<Channel>): Subscription | undefined {
    const channels = this.channels.filter((channel) => !ended.includes(channel))
    const { assetTypes, isSequenced, numbersPrices, orderIds, userId } = this
    if (channels.length === 0) return undefined
    return new Subscription({ channels, assetTypes, orderIds, isSequenced, numbersPrices, userId, isAsked: true })
  }
}
