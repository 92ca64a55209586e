import { Effect } from "effect"
import { cardAnswer, profileAnswer } from "../../engine/credit/CreditObject.ts"
import { purposeOf } from "../../engine/credit/Purpose.ts"
import { Api } from "../api/Api.ts"
import { CurrentPrincipal } from "../api/Authorization.ts"
import { CreditProfile } from "../api/Credit.ts"
import { pageOf } from "../api/Paging.ts"
import * as HandlerGroup from "../http/HandlerGroup.ts"
import * as ListResponse from "../http/ListResponse.ts"
import { IdempotencyScope } from "../http/IdempotencyScope.ts"
import { IdempotencyRepository } from "../http/IdempotencyRepository.ts"
import { keptOr } from "../http/KeptResponse.ts"
import { FreeText } from "../identity/secrets/FreeText.ts"
import { type Caller, Credit } from "./Credit.ts"

export const caller: Effect.Effect<Caller, never, CurrentPrincipal> = Effect.map(
  CurrentPrincipal,
  ({ companyId, role, userId }) => ({ userId, companyId, isAdmin: role === "admin" })
)

const keptOrProfile = keptOr(CreditProfile)

/** The credit group's handlers. */
export const layer = HandlerGroup.group(
  Api,
  "credit",
  Effect.fnUntraced(function* (handlers) {
    const credit = yield* Credit
    const keptAnswers = yield* Effect.context<IdempotencyRepository>()
    const typed = yield* FreeText

    return handlers.handleAll({
      requestCredit: Effect.fnUntraced(function* ({ payload }) {
        const keyed = yield* IdempotencyScope
        const by = yield* caller
        // A purpose that the model knows is a word of its own.
        const fields = purposeOf(payload.purpose) === null ? (["desc", "purpose"] as const) : (["desc"] as const)
        const request = yield* typed.texts(by.userId, payload, fields)
        const profile = yield* credit.request(by, request, keyed)
        return yield* Effect.provideContext(keptOrProfile(Effect.succeed(profileAnswer(profile))), keptAnswers)
      }, Effect.uninterruptible),
      getCreditProfile: Effect.fnUntraced(function* ({ params }) {
        const profile = yield* credit.profile(yield* caller, params.profileId)
        return { ...profileAnswer(profile), frozen: profile.isFrozen }
      }),
      listCreditProfiles: Effect.fnUntraced(function* ({ params, query }) {
        const { cards, ...page } = yield* credit.history(yield* caller, params.profileId, pageOf(query))
        return yield* ListResponse.of(cards.map(cardAnswer), page)
      })
    })
  })
)
