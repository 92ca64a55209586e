import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { Page } from "../api/Paging.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import type { UnknownCursor } from "../database/Keyset.ts"
import * as Identifier from "../Identifier.ts"
import { AuditLog, type Who } from "../identity/audit/AuditLog.ts"
import type { Verdict } from "../identity/KycRecords.ts"
import { Owners } from "../identity/users/Owners.ts"
import type { PersonalText } from "../identity/secrets/PersonalText.ts"
import { Secrets } from "../identity/secrets/Secrets.ts"
import { UserAdministration } from "../identity/users/UserAdministration.ts"
import type { NotAdministrator } from "../identity/users/UserError.ts"
import { decide } from "./KycDecisions.ts"
import * as Refusal from "./KycError.ts"
import type { KycFacts, KycFilter, KycRecord } from "./KycRecord.ts"
import { KycRepository, type StoredKyc } from "./KycRepository.ts"
import { openFacts, sealFacts } from "./KycSeal.ts"
import { isPhoneNumber } from "./PhoneNumber.ts"

/** Who asks. */
export interface KycReader {
  readonly userId: string
  readonly isAdmin: boolean
}

/** What is submitted. */
export interface KycSubmission extends KycFacts {
  /** Of the new record. */
  readonly id?: string | undefined
}

export type SubmissionRefused =
  | Refusal.PhoneNumberRefused
  | Refusal.KycOpen
  | Refusal.KycIdTaken
  | Refusal.KycBarred
  | Unavailable

export type ReviewRefused = Refusal.KycNotFound | Refusal.KycDecided | Refusal.OwnKyc | NotAdministrator | Unavailable

/** Only another `SECRET_KEY` cannot open a record, and with that no server starts. */
const opened = Effect.fnUntraced(function* (stored: StoredKyc) {
  const { sealed, ...rest } = stored
  return { ...rest, ...(yield* Effect.orDie(openFacts(stored.id, sealed))) } satisfies KycRecord
})

const owned = Effect.fnUntraced(function* (userId: string) {
  const { ownerOf } = yield* Owners
  return yield* Effect.catchTag(ownerOf(userId), "UserNotFound", Effect.die)
})

const isSame = (record: KycRecord, { id, ...facts }: KycSubmission): boolean =>
  (id === undefined || id === record.id) &&
  (["fullnames", "address", "country", "email"] as const).every((field) => record[field] === facts[field]) &&
  (["phoneNumber", "identityId"] as const).every(
    (field) => Redacted.value(record[field]) === Redacted.value(facts[field])
  )

/** The record that stands where the submitted one could not be added: the same one, or the reason for the refusal. */
const standing = Effect.fnUntraced(function* (personId: string, submission: KycSubmission) {
  const { find, findOpen } = yield* KycRepository
  const named = submission.id === undefined ? undefined : yield* find(submission.id)
  if (submission.id !== undefined && named !== undefined && named.userId !== personId) {
    return yield* new Refusal.KycIdTaken({ id: submission.id })
  }
  const stored = named ?? (yield* findOpen(personId))
  if (stored === undefined) return undefined
  const record = yield* opened(stored)
  if (isSame(record, submission)) return record
  return yield* named === undefined
    ? new Refusal.KycOpen({ id: record.id, status: record.status })
    : new Refusal.KycIdTaken({ id: record.id })
})

const submit = Effect.fnUntraced(function* (
  userId: string,
  submission: KycSubmission
): Effect.fn.Return<KycRecord, SubmissionRefused, KycRepository | Owners | SecureRandom | Secrets> {
  const { country, phoneNumber } = submission
  if (!isPhoneNumber(Redacted.value(phoneNumber), country)) return yield* new Refusal.PhoneNumberRefused({ country })
  const { personId, status } = yield* owned(userId)
  const there = yield* standing(personId, submission)
  if (there !== undefined) return there
  if (status === "rejected") return yield* new Refusal.KycBarred({ userId })
  const { id = yield* Identifier.make("kyc"), ...facts } = submission
  const submittedAt = yield* Clock.currentTimeMillis
  const { address, email, fullnames } = facts
  const sealed = yield* sealFacts(id, facts)
  const repository = yield* KycRepository
  const added = yield* repository.add({ id, userId: personId, fullnames, address, country, email, sealed, submittedAt })
  if (added) {
    return { ...facts, id, userId: personId, status: "pending", reason: undefined, submittedAt, reviewedAt: undefined }
  }
  return (yield* standing(personId, submission)) ?? (yield* new Refusal.KycIdTaken({ id }))
})

/** A user who awaits KYC becomes active with the record. The company of one who is active already is verified by it. */
const activate = Effect.fnUntraced(function* (by: Who, userId: string) {
  const { status } = yield* owned(userId)
  const { changeStatus, verifyCompany } = yield* UserAdministration
  if (status === "active") yield* verifyCompany(by, userId)
  if (status !== "pending_kyc") return
  yield* changeStatus(by, userId, "verify").pipe(
    Effect.asVoid,
    Effect.catchTags({
      IllegalTransition: () => Effect.void,
      KycMissing: Effect.die,
      OwnAccount: Effect.die,
      UserNotFound: Effect.die
    })
  )
})

const review = Effect.fnUntraced(function* (by: Who, id: string, verdict: Verdict, reason?: string) {
  const { find, lockOf } = yield* KycRepository
  const found = yield* find(id)
  if (found === undefined) return yield* new Refusal.KycNotFound({ id })
  yield* lockOf(found.userId)
  const { status, userId } = (yield* find(id)) ?? found
  if (status !== verdict) {
    if (status !== "pending") return yield* new Refusal.KycDecided({ id, status })
    if (userId === by.userId) return yield* new Refusal.OwnKyc({ id })
    yield* decide(by, userId, verdict, reason)
    if (verdict === "verified") yield* activate(by, userId)
  }
  return yield* opened((yield* find(id)) ?? found)
})

type Services = AuditLog | KycRepository | Owners | PersonalText | SecureRandom | Secrets | UserAdministration

/** Who users say they are, and what administrators found. Specification 2.12, 4.2. */
export class Kyc extends Context.Service<
  Kyc,
  {
    /** Submits a record for the user, or for the person behind an API client. The same one again answers the first. */
    readonly submit: (userId: string, submission: KycSubmission) => Effect.Effect<KycRecord, SubmissionRefused>
    /** A record that the reader may see: its own, any for an administrator. */
    readonly find: (reader: KycReader, id: string) => Effect.Effect<KycRecord, Refusal.KycNotFound | Unavailable>
    /** Those that the reader may see, the oldest first. */
    readonly list: (
      reader: KycReader,
      filter: KycFilter,
      page: Page
    ) => Effect.Effect<
      { readonly records: ReadonlyArray<KycRecord>; readonly total: number; readonly next: string | undefined },
      Unavailable | UnknownCursor
    >
    /** Verifies a record that awaits review, and with it a user who awaits KYC. */
    readonly verify: (by: Who, id: string) => Effect.Effect<KycRecord, ReviewRefused>
    readonly reject: (by: Who, id: string, reason: string) => Effect.Effect<KycRecord, ReviewRefused>
  }
>()("emporion/kyc/Kyc") {
  static readonly layer: Layer.Layer<Kyc, never, Services> = Layer.effect(
    this,
    Effect.gen(function* () {
      const context = yield* Effect.context<Services>()
      const { find, list, transaction } = yield* KycRepository
      const within = Effect.provideContext(context)
      const personOf = (userId: string) => Effect.map(within(owned(userId)), ({ personId }) => personId)
      return Kyc.of({
        submit: Effect.fn("Kyc.submit")((userId, submission) => within(submit(userId, submission))),
        find: Effect.fn("Kyc.find")(function* ({ isAdmin, userId }, id) {
          const stored = yield* find(id)
          const isSeen = stored !== undefined && (isAdmin || stored.userId === (yield* personOf(userId)))
          return isSeen ? yield* within(opened(stored)) : yield* new Refusal.KycNotFound({ id })
        }),
        list: Effect.fn("Kyc.list")(function* ({ isAdmin, userId }, filter, page) {
          const whose = isAdmin ? filter.userId : yield* personOf(userId)
          const { records, ...counted } = yield* list({ ...filter, userId: whose }, page)
          return { records: yield* within(Effect.forEach(records, opened)), ...counted }
        }),
        verify: Effect.fn("Kyc.verify")((by, id) => transaction(within(review(by, id, "verified")))),
        reject: Effect.fn("Kyc.reject")((by, id, reason) => transaction(within(review(by, id, "rejected", reason))))
      })
    })
  )
}
