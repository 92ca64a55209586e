/** `emporion-client/stream`: the consumer of `/ws/arena`. */
export {
  ArenaStreamClient,
  type ArenaStreamOptions,
  type Channel,
  type Price,
  type StreamItem,
  StreamRefused,
  type StreamStatus
} from "../ArenaStreamClient.ts"
export type { TokenSource } from "../Credentials.ts"
export type { CompleteEvent, LogPosition, NewState, Resync } from "../StreamProgress.ts"
export type { Order, SequencedFrame } from "../WireFrame.ts"
