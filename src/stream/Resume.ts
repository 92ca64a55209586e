/** Whether a resume gets what it missed, or has to begin anew. */

import type { RESYNC_REASONS } from "../api/ArenaStreamProtocol.ts"
import type { LogPosition } from "./ServerFrames.ts"

/** The most events that a resume replays; a client that missed more begins anew. */
export const MAX_REPLAY_EVENTS = 100_000

/** Why a log that ends at `end` cannot be replayed from a position; undefined if it can. */
export const obstacleTo = (from: LogPosition, end: LogPosition): (typeof RESYNC_REASONS)[number] | undefined => {
  if (from.epoch !== end.epoch) return "epoch_changed"
  if (from.seq > end.seq) return "position_unknown"
  return end.seq - from.seq > MAX_REPLAY_EVENTS ? "too_far_behind" : undefined
}
