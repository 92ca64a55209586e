import { Clock, Context, Effect, Layer } from "effect"
import { type Arrears, isFrozen } from "../../engine/commerce/Arrears.ts"
import { availableOf, type Profile } from "../../engine/credit/CreditObject.ts"
import { type Idempotency, StaleVersion } from "../../engine/actor/Journal.ts"
import type { CreditRequest, InvalidApplication } from "../../engine/credit/CreditApplication.ts"
import { assessment, type TooManyAssessments, trimming } from "../../engine/credit/CreditDecision.ts"
import { creditStream } from "../../engine/credit/CreditStanding.ts"
import { type TermsOffer, termsOffers } from "../../engine/credit/TermsOffer.ts"
import { trainedModel } from "../../engine/credit/TrainedModel.ts"
import { type Amount, ZERO } from "../../engine/money/Amount.ts"
import type { Page } from "../api/Paging.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import type { UnknownCursor } from "../database/Keyset.ts"
import { dieOnRefusal, retryStale, writeEntry } from "../database/EntryWriting.ts"
import type { UnitOfWork } from "../database/UnitOfWork.ts"
import { Companies } from "../identity/companies/Companies.ts"
import { KycRecords } from "../identity/KycRecords.ts"
import { NotOwnCompany, ProfileForbidden, ProfileNotFound } from "./CreditError.ts"
import { type CardPage, CreditRepository, type Overhang } from "./CreditRepository.ts"

/** Who asks. */
export interface Caller {
  readonly userId: string
  readonly companyId: string
  readonly isAdmin: boolean
}

/** A profile as it is now. */
export interface PresentProfile extends Profile {
  /** Whether something of the user's company is overdue. */
  readonly isFrozen: boolean
}

/** What can be paid how, and the card behind it. */
export interface Offers {
  readonly profile: Profile | undefined
  readonly free: Amount
  readonly offers: ReadonlyArray<TermsOffer>
}

/** Score cards, and the limits that orders on credit use. */
export class Credit extends Context.Service<
  Credit,
  {
    /** Scores the caller and replaces its limit. Specification 4.2, POST /v1/credit/request. */
    readonly request: (
      caller: Caller,
      request: CreditRequest,
      idempotency: Idempotency | undefined
    ) => Effect.Effect<Profile, InvalidApplication | TooManyAssessments | Unavailable>
    /** A user's last card. Specification 4.2, GET /v1/credit/profile/{profileId}. */
    readonly profile: (
      caller: Caller,
      profileId: string
    ) => Effect.Effect<PresentProfile, ProfileForbidden | ProfileNotFound | Unavailable>
    /** A user's cards, newest first. */
    readonly history: (
      caller: Caller,
      profileId: string,
      page: Page
    ) => Effect.Effect<CardPage, ProfileForbidden | ProfileNotFound | Unavailable | UnknownCursor>
    /** The terms on which the caller can pay an amount above 0 for its company or one that it manages. Reserves nothing. */
    readonly terms: (
      caller: Caller,
      companyId: string,
      amount: Amount
    ) => Effect.Effect<Offers, NotOwnCompany | Unavailable>
    /** What of the orders that concern a company is overdue, all of one moment. */
    readonly arrears: (companyId: string) => Effect.Effect<Arrears, Unavailable>
    /** The number of the last instalment that was found overdue of these, paid since or not; 0 before the first. */
    readonly lastFound: (companyId: string) => Effect.Effect<number, Unavailable>
    /** Takes back what the user repaid above a lowered limit. To be run before an order on credit is placed. */
    readonly prepare: (userId: string) => Effect.Effect<void, Unavailable>
    /** The same for whoever repaid: answers how many limits were looked at. */
    readonly trim: Effect.Effect<number, Unavailable>
  }
>()("emporion/credit/Credit") {
  static readonly layer = Layer.effect(
    this,
    Effect.suspend(() => make)
  )
}

/** Where more is used meanwhile than was read, the limit cannot be lowered so far: it is decided anew. */
const anew = (stream: string, version: number) => () =>
  Effect.fail(new StaleVersion({ stream, expected: version, actual: version }))

const trimmed = Effect.fnUntraced(function* ({ companyId, userId }: Overhang) {
  const repository = yield* CreditRepository
  const stream = creditStream(companyId)
  const attempt = Effect.gen(function* () {
    const at = yield* Clock.currentTimeMillis
    const situation = yield* repository.situation(companyId, userId, at)
    const { version } = situation.standing
    const entry = trimming(situation, { userId, at })
    if (entry === undefined) return
    yield* writeEntry({ stream, version, entry }).pipe(Effect.catchTag("InsufficientFunds", anew(stream, version)))
  })
  yield* retryStale(attempt).pipe(dieOnRefusal)
})

const assessed = Effect.fnUntraced(function* (caller: Caller, request: CreditRequest, idempotency?: Idempotency) {
  const { companyId, userId } = caller
  const repository = yield* CreditRepository
  const stream = creditStream(companyId)
  const attempt = Effect.gen(function* () {
    const at = yield* Clock.currentTimeMillis
    const situation = yield* repository.situation(companyId, userId, at)
    const { version } = situation.standing
    const entry = yield* Effect.fromResult(assessment(trainedModel, situation, request, { userId, at }))
    const { event } = yield* writeEntry({ stream, version, entry: { ...entry, idempotency } }).pipe(
      Effect.catchTag("InsufficientFunds", anew(stream, version))
    )
    return event
  })
  return yield* retryStale(attempt).pipe(dieOnRefusal)
})

const make = Effect.gen(function* () {
  const repository = yield* CreditRepository
  const kyc = yield* KycRecords
  const companies = yield* Companies
  const context = yield* Effect.context<CreditRepository | UnitOfWork>()

  const permit = ({ isAdmin, userId }: Caller, profileId: string) =>
    isAdmin || userId === profileId ? Effect.void : Effect.fail(new ProfileForbidden({ profileId }))

  const owes = (companyIds: ReadonlyArray<string>) =>
    Effect.map(Effect.forEach(new Set(companyIds), repository.arrears), (each) => each.some(isFrozen))

  return Credit.of({
    request: Effect.fn("Credit.request")(function* (caller, request, idempotency) {
      return yield* Effect.provideContext(assessed(caller, request, idempotency), context)
    }),
    profile: Effect.fn("Credit.profile")(function* (caller, profileId) {
      yield* permit(caller, profileId)
      const profile = yield* repository.profile(profileId)
      if (profile === undefined) return yield* new ProfileNotFound({ profileId })
      return { ...profile, isFrozen: yield* owes([profile.companyId]) }
    }),
    history: Effect.fn("Credit.history")(function* (caller, profileId, page) {
      yield* permit(caller, profileId)
      const found = yield* repository.cards(profileId, page)
      return found.total > 0 ? found : yield* new ProfileNotFound({ profileId })
    }),
    terms: Effect.fn("Credit.terms")(function* (caller, companyId, amount) {
      if (!(yield* companies.mayBuyFor(caller.companyId, companyId))) return yield* new NotOwnCompany({ companyId })
      const profile = yield* repository.profile(caller.userId)
      const isVerified = yield* kyc.isVerified(caller.userId)
      const free = profile === undefined ? undefined : availableOf(profile)
      const at = yield* Clock.currentTimeMillis
      const worth = { free, isVerified, isFrozen: yield* owes([companyId, caller.companyId]) }
      return { profile, free: free ?? ZERO, offers: termsOffers(amount, worth, at) }
    }),
    arrears: repository.arrears,
    lastFound: repository.lastFound,
    prepare: Effect.fn("Credit.prepare")(function* (userId) {
      const overhang = yield* repository.overhangOf(userId)
      if (overhang !== undefined) yield* Effect.provideContext(trimmed(overhang), context)
    }),
    trim: Effect.gen(function* () {
      const overhangs = yield* repository.overhangs
      yield* Effect.forEach(overhangs, (one) => Effect.provideContext(trimmed(one), context), { discard: true })
      return overhangs.length
    }).pipe(Effect.withSpan("Credit.trim"))
  })
})
