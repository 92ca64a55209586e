import type { Refill } from "../http/TokenBucket.ts"

/** Frames that a client may send. */
export const FRAME_BUDGET: Refill = { burst: 60, perSecond: 10 }

/** What a subscription that reads the database counts for. */
export const READING_COST = 5
