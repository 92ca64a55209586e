import { Clock, Effect, Layer } from "effect"
import { AuditLog, type Who } from "../identity/audit/AuditLog.ts"
import { KycRecords, type Verdict } from "../identity/KycRecords.ts"
import { PersonalText } from "../identity/secrets/PersonalText.ts"
import { Owners } from "../identity/users/Owners.ts"
import { KycRepository } from "./KycRepository.ts"

/** Why a record is rejected together with its user. */
const WITH_ITS_USER = "The account was rejected."

/** Decides the person's record that awaits review, and writes that down. Answers its id. */
export const decide = Effect.fnUntraced(function* (by: Who, userId: string, verdict: Verdict, reason?: string) {
  const { decide } = yield* KycRepository
  const id = yield* decide(userId, { by: by.userId, at: yield* Clock.currentTimeMillis, verdict, reason })
  if (id === undefined) return undefined
  const [audit, { seal }] = [yield* AuditLog, yield* PersonalText]
  const sealed = reason === undefined ? {} : { reason: yield* seal(userId, reason) }
  yield* audit.record(by, {
    act: verdict === "verified" ? "kyc.verify" : "kyc.reject",
    subjectId: id,
    before: { status: "pending" },
    after: { status: verdict, user_id: userId, ...sealed }
  })
  return id
})

/** What identity asks about KYC records, from the records themselves. */
export const layer: Layer.Layer<KycRecords, never, AuditLog | KycRepository | Owners | PersonalText> = Layer.effect(
  KycRecords,
  Effect.gen(function* () {
    const repository = yield* KycRepository
    const { ownerOf } = yield* Owners
    const context = yield* Effect.context<AuditLog | KycRepository | PersonalText>()

    const statusOf = Effect.fnUntraced(function* (userId: string) {
      const owner = yield* Effect.catchTag(ownerOf(userId), "UserNotFound", () => Effect.succeed(undefined))
      if (owner === undefined) return undefined
      return owner.companyKind === "normal" ? yield* repository.openStatus(owner.personId) : "verified"
    })

    return KycRecords.of({
      exists: (userId) => Effect.map(statusOf(userId), (status) => status !== undefined),
      isVerified: (userId) => Effect.map(statusOf(userId), (status) => status === "verified"),
      lock: (userId) => repository.lockOf(userId),
      decide: (by, userId, verdict) =>
        decide(by, userId, verdict, verdict === "rejected" ? WITH_ITS_USER : undefined).pipe(
          Effect.asVoid,
          Effect.provideContext(context)
        )
    })
  })
)
