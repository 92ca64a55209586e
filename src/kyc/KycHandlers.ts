import { Effect, Layer, Redacted } from "effect"
import { Api } from "../api/Api.ts"
import { refuse } from "../api/ApiError.ts"
import { CurrentPrincipal } from "../api/Authorization.ts"
import { pageOf } from "../api/Paging.ts"
import * as HandlerGroup from "../http/HandlerGroup.ts"
import * as ListResponse from "../http/ListResponse.ts"
import { asking } from "../identity/audit/AuditLog.ts"
import { Kyc, type KycReader } from "./Kyc.ts"
import type * as Refusal from "./KycError.ts"
import type { KycRecord } from "./KycRecord.ts"

const reader: Effect.Effect<KycReader, never, CurrentPrincipal> = Effect.map(CurrentPrincipal, ({ role, userId }) => ({
  userId,
  isAdmin: role === "admin"
}))

/** What the caller is told of each refusal. */
const answers = {
  KycNotFound: ({ id }: Refusal.KycNotFound) => refuse("not_found", `There is no KYC record ${id} that you may see.`),
  PhoneNumberRefused: ({ country }: Refusal.PhoneNumberRefused) =>
    refuse(
      "invalid_request",
      `payload.phoneNumber: Expected a phone number with its country code, such as +32 470 12 34 56, or one of ${country}`
    ),
  KycOpen: ({ id, status }: Refusal.KycOpen) =>
    refuse(
      "conflict",
      status === "pending"
        ? `Your KYC record ${id} awaits review: wait for the decision.`
        : `Your KYC record ${id} is verified: nothing is to be submitted.`
    ),
  KycIdTaken: ({ id }: Refusal.KycIdTaken) =>
    refuse("conflict", `Another KYC record has the id ${id}: choose another one, or leave it out.`),
  KycBarred: () => refuse("access_denied", "This account was rejected, for good: ask the operator."),
  KycDecided: ({ id, status }: Refusal.KycDecided) =>
    refuse("conflict", `The KYC record ${id} is ${status}: that is not changed any more.`),
  OwnKyc: () => refuse("conflict", "Administrators do not review their own KYC record: ask another one."),
  NotAdministrator: () => refuse("access_denied", "Only an administrator may do that.")
}

const { KycBarred, KycDecided, KycIdTaken, KycNotFound, KycOpen, NotAdministrator, OwnKyc, PhoneNumberRefused } =
  answers
const submission = { KycBarred, KycIdTaken, KycOpen, PhoneNumberRefused }
const review = { KycNotFound, KycDecided, OwnKyc, NotAdministrator }

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
        return echoOf(yield* Effect.catchTags(kyc.submit(userId, payload), submission))
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
        return answerOf(yield* Effect.catchTags(kyc.find(yield* reader, params.id), { KycNotFound }))
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
        return answerOf(yield* Effect.catchTags(kyc.verify(yield* asking, params.id), review))
      }),
      rejectKyc: Effect.fnUntraced(function* ({ params, payload }) {
        return answerOf(yield* Effect.catchTags(kyc.reject(yield* asking, params.id, payload.reason), review))
      })
    })
  })
)

/** The handlers of the KYC groups. */
export const layer = Layer.mergeAll(records, reviews)
