import { Effect } from "effect"
import { Api } from "../api/Api.ts"
import { refuse } from "../api/ApiError.ts"
import { CurrentPrincipal } from "../api/Authorization.ts"
import { pageOf } from "../api/Paging.ts"
import * as HandlerGroup from "../http/HandlerGroup.ts"
import * as ListResponse from "../http/ListResponse.ts"
import { Beneficiaries, type Beneficiary } from "./Beneficiaries.ts"

const toAnswer = ({ accountName, accountNumber, bankId, country, createdAt, id }: Beneficiary) => ({
  id,
  accountName,
  accountNumber,
  ...(country === undefined ? {} : { country }),
  ...(bankId === undefined ? {} : { bankId }),
  created_at: createdAt
})

/** The beneficiaries group's handlers. Only an owner and administrators get here, so numbers are shown whole. */
export const layer = HandlerGroup.group(
  Api,
  "beneficiaries",
  Effect.fnUntraced(function* (handlers) {
    const beneficiaries = yield* Beneficiaries
    return handlers.handleAll({
      createBeneficiary: Effect.fnUntraced(function* ({ payload }) {
        const { userId } = yield* CurrentPrincipal
        return toAnswer(yield* beneficiaries.load(userId, payload))
      }),
      listBeneficiaries: Effect.fnUntraced(function* ({ query }) {
        const { role, userId } = yield* CurrentPrincipal
        const { owner = userId } = query
        if (owner !== userId && role !== "admin") {
          return yield* refuse("access_denied", "Only an administrator reads the beneficiaries of another owner.")
        }
        const { beneficiaries: found, ...page } = yield* beneficiaries.list(owner, pageOf(query))
        return yield* ListResponse.of(found.map(toAnswer), page)
      }),
      deleteBeneficiary: Effect.fnUntraced(function* ({ params }) {
        const { userId } = yield* CurrentPrincipal
        yield* beneficiaries.remove(userId, params.id)
        return { id: params.id, deleted: true as const }
      })
    })
  })
)
