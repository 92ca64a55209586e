import { Effect } from "effect"
import { freePorts } from "../../scripts/cluster/FreePorts.ts"

/** A port that nobody listened on a moment ago, and that no other test is likely to take meanwhile. */
export const freePort: Effect.Effect<number> = Effect.map(
  Effect.promise(() => freePorts(1)),
  ([port = 0]) => port
)
