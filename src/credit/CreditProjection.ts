import { Effect, Schema } from "effect"
import type { Recorded } from "../../engine/actor/Journal.ts"
import type { CreditAssessed, CreditEvent } from "../../engine/credit/CreditEvent.ts"
import { CreditProfile } from "../api/Credit.ts"
import { type ContextProjection, each, type StoredAnswer } from "../database/Projection.ts"
import { CreditRepository } from "./CreditRepository.ts"
import { profileAnswer } from "./ScoreCardAnswer.ts"

const encode = Schema.encodeSync(Schema.fromJsonString(CreditProfile))

const answered = ({ event }: Recorded<CreditAssessed>): StoredAnswer => ({
  status: 200,
  body: encode(profileAnswer(event))
})

const isCredit = (recorded: Recorded<{ readonly _tag: string }>): recorded is Recorded<CreditEvent> =>
  recorded.event._tag === "CreditAssessed" || recorded.event._tag === "CreditLimitSet"

/** Writes score cards and limits for recorded events, within their transaction. */
export const creditProjection = Effect.map(CreditRepository, (repository): ContextProjection => ({
  write: (events) => {
    const own = events.filter(isCredit)
    return own.length === 0 ? [] : [...each(events, "CreditAssessed", repository.assessed), ...repository.limited(own)]
  },
  answers: { CreditAssessed: answered }
}))
