import type {
  Heartbeat,
  Pong,
  ResyncRequired,
  ServerShutdown,
  Snapshot,
  StreamError,
  Subscribed,
  Unsubscribed
} from "../api/ArenaStreamProtocol.ts"
import { isoUtc } from "../api/Timestamp.ts"
import type { Subscription } from "./Subscription.ts"

type Body<Frame extends { readonly Encoded: { readonly type: string; readonly data: unknown } }> = Pick<
  Frame["Encoded"],
  "type" | "data"
>

/** The server's frames about the conversation itself. */
export type Said =
  | Body<typeof Subscribed>
  | Body<typeof Unsubscribed>
  | Body<typeof Snapshot>
  | Body<typeof Pong>
  | Body<typeof Heartbeat>
  | Body<typeof ResyncRequired>
  | Body<typeof ServerShutdown>
  | Body<typeof StreamError>

/** The `id` of the request that is answered, if it had one. */
export const echo = (id: string | undefined): { readonly id?: string } => (id === undefined ? {} : { id })

/** The text of a frame. `at` is milliseconds since 1970. */
export const say = ({ data, type }: Said, at: number): string => JSON.stringify({ type, data, timestamp: isoUtc(at) })

/** A position in the log. */
export interface LogPosition {
  readonly epoch: string
  readonly seq: number
}

export const subscribed = (
  { assetTypes, channels, orderIds }: Subscription,
  id: string | undefined,
  { epoch, seq }: LogPosition
): Said => ({
  type: "subscribed",
  data: { ...echo(id), epoch, seq, channels, asset_type: assetTypes, order_id: orderIds }
})
