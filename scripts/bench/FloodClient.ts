/** A process that floods a server as it is told to. */
import { type FloodPlan, play } from "./Floods.ts"
import { serve } from "./Worker.ts"

serve((plan: FloodPlan) => play(plan))
