import { Effect } from "effect"
import { Api } from "../api/Api.ts"
import * as HandlerGroup from "../http/HandlerGroup.ts"
import * as ActingUser from "../identity/users/ActingUser.ts"
import { Erasures } from "./Erasures.ts"

/** The erasure group's handlers. */
export const layer = HandlerGroup.group(
  Api,
  "erasure",
  Effect.fnUntraced(function* (handlers) {
    const { erase } = yield* Erasures
    return handlers.handleAll({
      eraseUser: Effect.fnUntraced(function* ({ params }) {
        const { at, companyErased, companyId, userId } = yield* erase(yield* ActingUser.current, params.userId)
        return { id: userId, company_id: companyId, company_erased: companyErased, erased_at: at }
      }, Effect.uninterruptible)
    })
  })
)
