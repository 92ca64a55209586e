import { Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { pageOf } from "../../api/Paging.ts"
import * as HandlerGroup from "../../http/HandlerGroup.ts"
import * as ListResponse from "../../http/ListResponse.ts"
import * as ActingUser from "./ActingUser.ts"
import { AuditLog } from "../audit/AuditLog.ts"
import type { AuditEntry } from "../audit/AuditLogRepository.ts"
import { PersonalText } from "../secrets/PersonalText.ts"
import { personResponse } from "./PersonResponse.ts"
import { UserAdministration } from "./UserAdministration.ts"
import type { StatusAct } from "./UserLifecycle.ts"

/** The user administration group's handlers. */
export const users = HandlerGroup.group(
  Api,
  "userAdministration",
  Effect.fnUntraced(function* (handlers) {
    const administration = yield* UserAdministration
    const changed = (act: StatusAct) =>
      Effect.fnUntraced(function* ({ params }: { readonly params: { readonly userId: string } }) {
        return personResponse(yield* administration.changeStatus(yield* ActingUser.current, params.userId, act))
      })
    return handlers.handleAll({
      verifyUser: changed("verify"),
      rejectUser: changed("reject"),
      suspendUser: changed("suspend"),
      reactivateUser: changed("reactivate"),
      setUserRole: Effect.fnUntraced(function* ({ params, payload }) {
        return personResponse(yield* administration.setRole(yield* ActingUser.current, params.userId, payload.role))
      })
    })
  })
)

const entryAnswer = (entry: AuditEntry) => ({
  id: entry.id,
  at: entry.at,
  actor_id: entry.actorId,
  act: entry.act,
  subject_id: entry.subjectId,
  before: entry.before ?? null,
  after: entry.after ?? null,
  request_id: entry.requestId ?? null
})

/** The audit group's handlers. */
export const audit = HandlerGroup.group(
  Api,
  "audit",
  Effect.fnUntraced(function* (handlers) {
    const log = yield* AuditLog
    const { openRecorded } = yield* PersonalText
    return handlers.handleAll({
      listAudit: Effect.fnUntraced(function* ({ query }) {
        const filter = { actorId: query.actor_id, subjectId: query.subject_id, act: query.act }
        const { entries, ...page } = yield* log.list(filter, pageOf(query))
        return yield* ListResponse.of(yield* openRecorded(entries.map(entryAnswer)), page)
      })
    })
  })
)
