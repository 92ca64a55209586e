import { Clock, Effect } from "effect"
import type { InvalidApplication } from "../../engine/credit/CreditApplication.ts"
import type { TooManyAssessments } from "../../engine/credit/CreditDecision.ts"
import { Api } from "../api/Api.ts"
import { ApiError } from "../api/ApiError.ts"
import { CurrentPrincipal } from "../api/Authorization.ts"
import { CreditProfile } from "../api/Credit.ts"
import { pageOf } from "../api/Paging.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import * as HandlerGroup from "../http/HandlerGroup.ts"
import * as ListResponse from "../http/ListResponse.ts"
import { IdempotencyScope } from "../http/IdempotencyScope.ts"
import { IdempotencyRepository } from "../http/IdempotencyRepository.ts"
import { keptOr } from "../http/KeptResponse.ts"
import { type Caller, Credit } from "./Credit.ts"
import type { ProfileForbidden, ProfileNotFound } from "./CreditError.ts"
import { cardAnswer, profileAnswer } from "./ScoreCardResponse.ts"

export const caller: Effect.Effect<Caller, never, CurrentPrincipal> = Effect.map(
  CurrentPrincipal,
  ({ companyId, role, userId }) => ({ userId, companyId, isAdmin: role === "admin" })
)

const SECOND = 1_000

/** What the caller is told of a refused request. */
const told = (error: InvalidApplication | TooManyAssessments | Unavailable, now: number) => {
  switch (error._tag) {
    case "Unavailable":
      return error
    case "InvalidApplication":
      return new ApiError("invalid_request", `payload.${error.field}: Expected ${error.expected}`)
    case "TooManyAssessments":
      return new ApiError(
        "rate_limited",
        error.by === "user"
          ? "You were scored as often as a day allows: wait for the seconds in Retry-After."
          : "Your company's users were scored as often as a day allows: wait for the seconds in Retry-After.",
        Math.max(1, Math.ceil((error.again - now) / SECOND))
      )
  }
}

/** What the caller is told of a profile that it does not see. */
const toldOf = (error: ProfileForbidden | ProfileNotFound | Unavailable) => {
  switch (error._tag) {
    case "Unavailable":
      return error
    case "ProfileForbidden":
      return new ApiError("access_denied", "Only its user and administrators see a credit profile.")
    case "ProfileNotFound":
      return new ApiError("not_found", `There is no score card of ${error.profileId}: request one first.`)
  }
}

const keptOrProfile = keptOr(CreditProfile)

/** The credit group's handlers. */
export const layer = HandlerGroup.group(
  Api,
  "credit",
  Effect.fnUntraced(function* (handlers) {
    const credit = yield* Credit
    const keptAnswers = yield* Effect.context<IdempotencyRepository>()

    return handlers.handleAll({
      requestCredit: Effect.fnUntraced(function* ({ payload }) {
        const keyed = yield* IdempotencyScope
        const now = yield* Clock.currentTimeMillis
        const profile = yield* credit
          .request(yield* caller, payload, keyed)
          .pipe(Effect.mapError((error) => told(error, now)))
        return yield* Effect.provideContext(keptOrProfile(Effect.succeed(profileAnswer(profile))), keptAnswers)
      }, Effect.uninterruptible),
      getCreditProfile: Effect.fnUntraced(function* ({ params }) {
        const profile = yield* credit.profile(yield* caller, params.profileId).pipe(Effect.mapError(toldOf))
        return profileAnswer(profile)
      }),
      listCreditProfiles: Effect.fnUntraced(function* ({ params, query }) {
        const { cards, ...page } = yield* credit
          .history(yield* caller, params.profileId, pageOf(query))
          .pipe(Effect.mapError((error) => (error._tag === "UnknownCursor" ? error : toldOf(error))))
        return yield* ListResponse.of(cards.map(cardAnswer), page)
      })
    })
  })
)
