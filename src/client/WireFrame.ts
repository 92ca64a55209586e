import { Option, Result, Schema } from "effect"
import {
  type EventFrame,
  Heartbeat,
  PriceUpdate,
  ResyncRequired,
  ServerShutdown,
  StreamError,
  Subscribed
} from "../api/ArenaStreamProtocol.ts"
import type { OrderDetail } from "../api/Arena.ts"

/** A whole order as its REST detail shows it. */
export type Order = typeof OrderDetail.Encoded

/** A frame of an event with its place in the log. */
export type SequencedFrame = EventFrame & {
  readonly seq: number
  readonly prev: number
  readonly frame: number
  readonly frames: number
}

/** Orders are taken as they come: to look at every field of every one would cost more than all the rest. */
const SnapshotPage = Schema.Struct({
  type: Schema.Literal("snapshot"),
  data: Schema.Struct({
    epoch: Schema.String,
    seq: Schema.Int,
    page: Schema.Int,
    pages: Schema.Int,
    orders: Schema.Array(Schema.Unknown)
  })
})

export interface SnapshotFrame {
  readonly type: "snapshot"
  readonly data: Omit<(typeof SnapshotPage.Type)["data"], "orders"> & { readonly orders: ReadonlyArray<Order> }
}

/** What the client heeds; `other` is nothing to it. */
export type WireFrame =
  | typeof Subscribed.Type
  | SnapshotFrame
  | typeof Heartbeat.Type
  | typeof ResyncRequired.Type
  | typeof ServerShutdown.Type
  | typeof StreamError.Type
  | typeof PriceUpdate.Type
  | { readonly type: "event"; readonly event: SequencedFrame }
  | { readonly type: "other" }

const isSnapshot = Schema.is(SnapshotPage)

const READERS: Readonly<Record<string, (frame: unknown) => Option.Option<WireFrame>>> = {
  subscribed: Schema.decodeUnknownOption(Subscribed),
  heartbeat: Schema.decodeUnknownOption(Heartbeat),
  resync_required: Schema.decodeUnknownOption(ResyncRequired),
  server_shutdown: Schema.decodeUnknownOption(ServerShutdown),
  error: Schema.decodeUnknownOption(StreamError),
  price_update: Schema.decodeUnknownOption(PriceUpdate),
  snapshot: (frame) => (isSnapshot(frame) ? Option.some(frame as SnapshotFrame) : Option.none())
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0

const isSequenced = (frame: object): frame is SequencedFrame =>
  "seq" in frame &&
  "prev" in frame &&
  "frame" in frame &&
  "frames" in frame &&
  isCount(frame.seq) &&
  isCount(frame.prev) &&
  isCount(frame.frame) &&
  isCount(frame.frames)

/**
 * What the server said; undefined where it is no frame of the protocol. Types that are not known here are let through,
 * as events where they have a place in the log: a server may be newer than its client.
 */
export const readWireFrame = (text: unknown): WireFrame | undefined => {
  if (typeof text !== "string") return undefined
  const frame: unknown = Result.getOrUndefined(Result.try(() => JSON.parse(text)))
  if (!isObject(frame) || typeof frame["type"] !== "string" || !isObject(frame["data"])) return undefined
  if (Object.hasOwn(READERS, frame["type"])) {
    return Option.getOrUndefined(Option.flatMap(Option.fromNullishOr(READERS[frame["type"]]), (read) => read(frame)))
  }
  if (isSequenced(frame)) return { type: "event", event: frame }
  return "seq" in frame ? undefined : { type: "other" }
}
