import type {
  EventFrame,
  Heartbeat,
  OrderDetail,
  PriceUpdate,
  ResyncRequired,
  ServerShutdown,
  Snapshot,
  StreamError,
  Subscribed
} from "./Contract.ts"

/** A whole order as its REST detail shows it. */
export type Order = OrderDetail

/** A frame of an event with its place in the log. */
export type SequencedFrame = EventFrame & {
  readonly seq: number
  readonly prev: number
  readonly frame: number
  readonly frames: number
}

/** Some of the orders; each is taken as it comes, because to look at every field would cost more than all the rest. */
export type SnapshotFrame = Snapshot

/** What the client heeds; `other` is nothing to it. */
export type WireFrame =
  | Subscribed
  | SnapshotFrame
  | Heartbeat
  | ResyncRequired
  | ServerShutdown
  | StreamError
  | PriceUpdate
  | { readonly type: "event"; readonly event: SequencedFrame }
  | { readonly type: "other" }

type Data = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Data => typeof value === "object" && value !== null

const isText = (value: unknown): boolean => typeof value === "string"

const isNumber = (value: unknown): boolean => Number.isFinite(value)

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0

/** What the client reads of each frame. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, (value: unknown) => boolean>>>> = {
  subscribed: { epoch: isText, seq: isCount },
  snapshot: { epoch: isText, seq: isCount, page: isCount, pages: isCount, orders: Array.isArray },
  heartbeat: { epoch: isText, seq: isCount, prev: isCount },
  resync_required: { epoch: isText, seq: isCount, reason: isText },
  server_shutdown: { reconnect_after_ms: isCount },
  error: { code: isText, message: isText },
  price_update: { asset_type: isText, asset: isText, price: isNumber, source: isText }
}

const NUMBERS = ["seq", "prev", "frame", "frames"] as const

const isSequenced = (frame: Data): boolean => NUMBERS.every((name) => isCount(frame[name]))

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * What the server said; undefined where it is no frame of the protocol. Types that are not known here are let through,
 * as events where they have a place in the log: a server may be newer than its client.
 */
export const readFrame = (frame: unknown): WireFrame | undefined => {
  if (!isObject(frame)) return undefined
  const { data, type } = frame
  if (typeof type !== "string" || !isObject(data)) return undefined
  if (Object.hasOwn(FIELDS, type)) {
    const isWhole = Object.entries(FIELDS[type] ?? {}).every(([name, holds]) => holds(data[name]))
    const isNumbered = type !== "price_update" || frame["price_seq"] === undefined || isCount(frame["price_seq"])
    return isWhole && isNumbered ? (frame as unknown as WireFrame) : undefined
  }
  if (isSequenced(frame)) return { type: "event", event: frame as unknown as SequencedFrame }
  return "seq" in frame ? undefined : { type: "other" }
}

/** {@link readFrame} of a message as it came. */
export const readWireFrame = (text: unknown): WireFrame | undefined =>
  typeof text === "string" ? readFrame(parsed(text)) : undefined
