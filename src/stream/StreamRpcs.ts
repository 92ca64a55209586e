import { type Array, Effect, Stream } from "effect"
import { orders, subscribe } from "../api/rpc/FastLane.ts"
import { streaming } from "../rpc/RpcHandler.ts"
import { ArenaStream } from "./ArenaStream.ts"
import type { FrameJson } from "./PulledStream.ts"

/** The orders in a frame, without their commitments. */
const ordersOf = ({ data, type }: FrameJson): ReadonlyArray<object> => {
  if (type === "order_updated") return [data as object]
  if (type !== "snapshot") return []
  const { orders: all } = data as { readonly orders: ReadonlyArray<{ readonly commitments: unknown }> }
  return all.map((each) => {
    const { commitments: _, ...order } = each
    return order
  })
}

/** What the stream answers on the fast lane. Specification 6.4. */
export const streamRpcs = Effect.map(ArenaStream, ({ pulled }) => [
  streaming(subscribe, (payload, { mayGoOn, principal }) => pulled.subscribe(payload, principal.userId, mayGoOn)),
  streaming(orders, (payload, { mayGoOn, principal }) =>
    pulled.subscribe({ ...payload, channels: ["orders"], snapshot: true }, principal.userId, mayGoOn).pipe(
      Stream.map(ordersOf),
      Stream.filter((found) => found.length > 0),
      Stream.mapArray((found) => found.flat() as unknown as Array.NonEmptyReadonlyArray<object>)
    )
  )
])
