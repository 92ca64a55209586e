/** A process that loads the fast lane as it is told to. */
import { type FastLanePlan, loadFastLane } from "./FastLaneLoad.ts"
import { serve } from "./Worker.ts"

serve((plan: FastLanePlan) => loadFastLane(plan))
