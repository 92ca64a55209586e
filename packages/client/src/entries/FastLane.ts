/** `emporion-client/fast-lane`: the client of `/rpc`. */
export { ApiError, type FaultyField, NoAnswer } from "../ApiError.ts"
export type { StreamItem } from "../ArenaStreamClient.ts"
export type { ErrorCode, StreamedOrder } from "../Contract.ts"
export type { TokenSource } from "../Credentials.ts"
export {
  type CallOptions,
  type Commitment,
  type EventsPiece,
  FastLaneClient,
  type FastLaneOptions,
  type ItemResult,
  type Receipt,
  type StopOptions
} from "../FastLaneClient.ts"
export type { LaneStatus } from "../LaneConnection.ts"
export type { LogPosition } from "../StreamProgress.ts"
