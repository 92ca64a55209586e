import { Effect, Layer, Redacted } from "effect"
import { Api } from "../api/Api.ts"
import { refuse } from "../api/ApiError.ts"
import { CurrentPrincipal } from "../api/Authorization.ts"
import { pageOf } from "../api/Paging.ts"
import * as HandlerGroup from "../http/HandlerGroup.ts"
import * as ListResponse from "../http/ListResponse.ts"
import { asking } from "../identity/audit/AuditLog.ts"
import { Kyc, type KycReader } from "./Kyc.ts"
import type { KycRecord } from "./KycRecord.ts"

const reader: Effect.Effect<KycReader, never, CurrentPrincipal> = Effect.map(CurrentPrincipal, ({ role, userId }) => ({
  userId,
  isAdmin: role === "admin"
}))

const echoOf = ({ address, country, email, fullnames, id, identityId, phoneNumber }: KycRecord) => ({
  id,
  fullnames,
  address,
  phoneNumber: Redacted.value(phoneNumber),
  country,
  email,
  identityId: Redacted.value(identityId)
})

const answerOf = (record: KycRecord) => ({
  ...echoOf(record),
  user_id: record.userId,
  status: record.status,
  reason: record.reason ?? null,
  submitted_at: record.submittedAt,
  reviewed_at: record.reviewedAt ?? null
})

const records = HandlerGroup.group(
  Api,
  "kyc",
  Effect.fnUntraced(function* (handlers) {
    const kyc = yield* Kyc
    return handlers.handleAll({
      submitKyc: Effect.fnUntraced(function* ({ payload }) {
        const { userId } = yield* CurrentPrincipal
        return echoOf(yield* kyc.submit(userId, payload))
      }),
      listKyc: Effect.fnUntraced(function* ({ query }) {
        const by = yield* reader
        if (!by.isAdmin && query.user_id !== undefined && query.user_id !== by.userId) {
          return yield* refuse("access_denied", "Only an administrator lists the KYC records of another user.")
        }
        const filter = { userId: query.user_id, status: query.status }
        const { records: found, ...page } = yield* kyc.list(by, filter, pageOf(query))
        return yield* ListResponse.of(found.map(answerOf), page)
      }),
      getKyc: Effect.fnUntraced(function* ({ params }) {
        return answerOf(yield* kyc.find(yield* reader, params.id))
      })
    })
  })
)

const reviews = HandlerGroup.group(
  Api,
  "kycReview",
  Effect.fnUntraced(function* (handlers) {
    const kyc = yield* Kyc
    return handlers.handleAll({
      verifyKyc: Effect.fnUntraced(function* ({ params }) {
        return answerOf(yield* kyc.verify(yield* asking, params.id))
      }),
      rejectKyc: Effect.fnUntraced(function* ({ params, payload }) {
        return answerOf(yield* kyc.reject(yield* asking, params.id, payload.reason))
      })
    })
  })
)

/** The handlers of the KYC groups. */
export const layer = Layer.mergeAll(records, reviews)
