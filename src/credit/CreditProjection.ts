import { profileAnswer } from "../../engine/credit/CreditObject.ts"
import type { Recorded } from "../../engine/actor/Journal.ts"
import type { CreditAssessed } from "../../engine/credit/CreditEvent.ts"
import { assessedRows, limitSetRows } from "../../engine/credit/CreditRows.ts"
import { CreditProfile } from "../api/Credit.ts"
import type { ContextProjection } from "../database/Projection.ts"
import { storedAs } from "../http/KeptResponse.ts"

const stored = storedAs(CreditProfile)

const answered = ({ event }: Recorded<CreditAssessed>) => stored(profileAnswer(event))

/** The rows of score cards and limits. */
export const creditProjection: ContextProjection = {
  rows: { CreditAssessed: assessedRows, CreditLimitSet: limitSetRows },
  answers: { CreditAssessed: answered }
}
