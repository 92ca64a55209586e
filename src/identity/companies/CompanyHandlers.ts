import { Effect } from "effect"
import { CompanyAnswer } from "../../../engine/company/CompanyObject.ts"
import { Api } from "../../api/Api.ts"
import { pageOf } from "../../api/Paging.ts"
import * as HandlerGroup from "../../http/HandlerGroup.ts"
import * as ListResponse from "../../http/ListResponse.ts"
import type { IdempotencyRepository } from "../../http/IdempotencyRepository.ts"
import { IdempotencyScope } from "../../http/IdempotencyScope.ts"
import { keptOr } from "../../http/KeptResponse.ts"
import * as ActingUser from "../users/ActingUser.ts"
import { Companies, type ProfileChange } from "./Companies.ts"
import { companyAnswer } from "./CompanySnapshot.ts"
import type { PostalAddress } from "../users/User.ts"

const keptOrCompany = keptOr(CompanyAnswer)

interface Given {
  readonly name?: string
  readonly tax_id?: string | null
  readonly email?: string | null
  readonly phone?: string | null
  readonly country?: string | null
  readonly address?: PostalAddress | null
}

const changeOf = <G extends Given>({
  tax_id: taxId,
  ...rest
}: G): Omit<G, "tax_id"> & Pick<ProfileChange, "taxId"> => ({
  ...rest,
  taxId
})

/** The companies group's handlers. */
export const layer = HandlerGroup.group(
  Api,
  "companies",
  Effect.fnUntraced(function* (handlers) {
    const companies = yield* Companies
    const keptAnswers = yield* Effect.context<IdempotencyRepository>()
    return handlers.handleAll({
      createCompany: Effect.fnUntraced(function* ({ payload }) {
        const keyed = yield* IdempotencyScope
        const company = yield* companies.create(yield* ActingUser.current, changeOf(payload), keyed)
        return yield* Effect.provideContext(keptOrCompany(Effect.succeed(companyAnswer(company))), keptAnswers)
      }, Effect.uninterruptible),
      listCompanies: Effect.fnUntraced(function* ({ query }) {
        const { companies: found, ...page } = yield* companies.list(yield* ActingUser.current, query.q, pageOf(query))
        return yield* ListResponse.of(found.map(companyAnswer), page)
      }),
      getCompany: Effect.fnUntraced(function* ({ params }) {
        return companyAnswer(yield* companies.find(yield* ActingUser.current, params.id))
      }),
      changeCompany: Effect.fnUntraced(function* ({ params, payload }) {
        return companyAnswer(yield* companies.change(yield* ActingUser.current, params.id, changeOf(payload)))
      }, Effect.uninterruptible),
      setCompanyPlan: Effect.fnUntraced(function* ({ params, payload }) {
        return companyAnswer(yield* companies.setPlan(yield* ActingUser.current, params.id, payload.plan))
      }, Effect.uninterruptible),
      setCompanyEntitlements: Effect.fnUntraced(function* ({ params, payload }) {
        return companyAnswer(yield* companies.setBots(yield* ActingUser.current, params.id, payload.machine_trader))
      }, Effect.uninterruptible),
      verifyCompany: Effect.fnUntraced(function* ({ params }) {
        return companyAnswer(yield* companies.verify(yield* ActingUser.current, params.id))
      }, Effect.uninterruptible)
    })
  })
)
