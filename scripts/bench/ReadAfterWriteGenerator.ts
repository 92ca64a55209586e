/** A process that reads after its writes as it is told to. */
import { type ReadAfterWritePlan, readAfterWrites } from "./ReadAfterWriteLoad.ts"
import { serve } from "./Worker.ts"

serve((plan: ReadAfterWritePlan) => readAfterWrites(plan))
