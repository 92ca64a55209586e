/** A process that loads servers as it is told to. */
import { load, type LoadPlan } from "./HttpLoad.ts"
import { serve } from "./Worker.ts"

serve((plan: LoadPlan) => load(plan))
