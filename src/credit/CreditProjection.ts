import { Schema } from "effect"
import type { Recorded } from "../../engine/actor/Journal.ts"
import type { CreditAssessed } from "../../engine/credit/CreditEvent.ts"
import { assessedRows, limitSetRows } from "../../engine/credit/CreditRows.ts"
import { CreditProfile } from "../api/Credit.ts"
import type { StoredAnswer } from "../../engine/journal/WritePorts.ts"
import type { ContextProjection } from "../database/Projection.ts"
import { profileAnswer } from "./ScoreCardResponse.ts"

const encode = Schema.encodeSync(Schema.fromJsonString(CreditProfile))

const answered = ({ event }: Recorded<CreditAssessed>): StoredAnswer => ({
  status: 200,
  body: encode(profileAnswer(event))
})

/** The rows of score cards and limits. */
export const creditProjection: ContextProjection = {
  rows: { CreditAssessed: assessedRows, CreditLimitSet: limitSetRows },
  answers: { CreditAssessed: answered }
}
