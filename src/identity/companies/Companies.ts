import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { Idempotency, Precondition } from "../../../engine/actor/Journal.ts"
import {
  type CompanyActor,
  type CompanyCreated,
  type CompanyEvent,
  type CompanyProfile,
  companyStream,
  streamOf,
  type CompanyPlan
} from "../../../engine/company/CompanyEvent.ts"
import type { Page } from "../../api/Paging.ts"
import type { Unavailable } from "../../database/DatabaseError.ts"
import type { UnknownCursor } from "../../database/Keyset.ts"
import { dieOnRefusal, retryStale, writeEntry } from "../../database/EntryWriting.ts"
import { UnitOfWork } from "../../database/UnitOfWork.ts"
import * as Identifier from "../../Identifier.ts"
import type { ActingUser } from "../users/ActingUser.ts"
import type { Company } from "./Company.ts"
import { openedCompanies, openedContacts, sealedContacts, sealedProfile } from "./CompanyContacts.ts"
import { madeBy } from "./CompanyProjection.ts"
import { CompanyRepository, type CompanyStanding } from "./CompanyRepository.ts"
import { ordered, snapshotOf } from "./CompanySnapshot.ts"
import type { PersonalText } from "../secrets/PersonalText.ts"
import { Owners } from "../users/Owners.ts"
import type { PostalAddress } from "../users/User.ts"
import { CompanyFull, CompanyNotFound } from "../users/UserError.ts"

/** Companies that one company can manage. */
export const MAX_MANAGED = 10_000

/** What a company may have of bots, and the precondition that it still may when what follows from it is written. */
export interface BotRights {
  readonly plan: CompanyPlan
  readonly botsWithdrawn: boolean
  readonly precondition: Precondition
}

/** What a company says of itself. Null clears a field; undefined leaves it as it is. */
export interface ProfileChange {
  readonly name?: string | undefined
  readonly taxId?: string | null | undefined
  readonly email?: string | null | undefined
  readonly phone?: string | null | undefined
  readonly country?: string | null | undefined
  readonly address?: PostalAddress | null | undefined
}

const changedProfile = (change: ProfileChange, before: CompanyProfile): CompanyProfile => {
  const kept = <A>(given: A | undefined, present: A): A => (given === undefined ? present : given)
  const address = kept(change.address, before.address)
  return {
    name: kept(change.name, before.name),
    taxId: kept(change.taxId, before.taxId),
    email: kept(change.email, before.email),
    phone: kept(change.phone, before.phone),
    country: kept(change.country, before.country),
    address: address === null ? null : ordered(address)
  }
}

const NOTHING: CompanyProfile = { name: "", taxId: null, email: null, phone: null, country: null, address: null }

const actorOf = (by: ActingUser, administers: boolean): CompanyActor => ({
  userId: by.userId,
  requestId: by.requestId ?? null,
  administers
})

const isWithin = (by: ActingUser, { id, managedBy }: Company): boolean =>
  by.companyId === id || by.companyId === managedBy

/** The company and its version, where the actor may know of it. */
const visible = Effect.fnUntraced(function* (by: ActingUser, companyId: string) {
  const found = yield* Effect.flatMap(CompanyRepository, ({ find }) => find(companyId))
  return found !== undefined && (by.isAdmin || isWithin(by, found.company))
    ? found
    : yield* new CompanyNotFound({ companyId })
})

/** Writes what follows from the company as it is, if anything does, and answers the company as it is then. */
const changing = (
  by: ActingUser,
  companyId: string,
  decide: (company: Company, at: number) => CompanyEvent | undefined
) =>
  Effect.gen(function* () {
    const { company: found, version } = yield* visible(by, companyId)
    const company = yield* sealedContacts(companyId, found)
    const event = decide(company, yield* Clock.currentTimeMillis)
    if (event === undefined) return company
    yield* writeEntry({ stream: streamOf(event), version, entry: { commands: [], event } })
    return (yield* visible(by, companyId)).company
  }).pipe(retryStale, dieOnRefusal)

const create = Effect.fnUntraced(function* (
  by: ActingUser,
  given: ProfileChange,
  idempotency: Idempotency | undefined
) {
  const repository = yield* CompanyRepository
  const companyId = yield* Identifier.make("cmp")
  const managedBy = by.isAdmin ? null : by.companyId
  const profile = yield* sealedProfile(companyId, changedProfile(given, NOTHING))
  const attempt = Effect.gen(function* () {
    const version = yield* repository.managed(managedBy)
    if (managedBy !== null && version >= MAX_MANAGED) {
      return yield* new CompanyFull({ what: "managed companies", limit: MAX_MANAGED })
    }
    const event: CompanyCreated = {
      _tag: "CompanyCreated",
      at: yield* Clock.currentTimeMillis,
      by: actorOf(by, by.isAdmin),
      companyId,
      managedBy,
      profile
    }
    yield* writeEntry({ stream: streamOf(event), version, entry: { commands: [], event, idempotency } })
    return madeBy(event)
  })
  return yield* attempt.pipe(retryStale, dieOnRefusal)
})

/** The given fields as the journal has them. */
const sealedChange = Effect.fnUntraced(function* (companyId: string, given: ProfileChange) {
  const profile = changedProfile(given, NOTHING)
  const sealed: ProfileChange = yield* sealedProfile(companyId, profile)
  const fields = Object.keys(profile) as ReadonlyArray<keyof ProfileChange>
  return Object.fromEntries(fields.map((field) => [field, given[field] === undefined ? undefined : sealed[field]]))
})

const change = Effect.fnUntraced(function* (by: ActingUser, companyId: string, given: ProfileChange) {
  yield* visible(by, companyId)
  const sealed: ProfileChange = yield* sealedChange(companyId, given)
  return yield* changing(by, companyId, (company, at) => {
    const present = snapshotOf(company)
    const { profile: before } = present
    const after = changedProfile(sealed, before)
    const isSame = JSON.stringify(before) === JSON.stringify(after)
    const of = { at, by: actorOf(by, !isWithin(by, company)), companyId, company: { ...present, profile: after } }
    return isSame ? undefined : { _tag: "CompanyUpdated", ...of, before, after }
  })
})

const setPlan = Effect.fnUntraced(function* (by: ActingUser, companyId: string, after: CompanyPlan) {
  const set = yield* changing(by, companyId, (company, at) => {
    const { plan: before } = company
    const of = { at, by: actorOf(by, true), companyId, company: { ...snapshotOf(company), plan: after } }
    return before === after ? undefined : { _tag: "CompanyPlanSet", ...of, before, after }
  })
  yield* Effect.flatMap(Owners, ({ forgetAll }) => forgetAll)
  return set
})

const setBots = Effect.fnUntraced(function* (by: ActingUser, companyId: string, after: boolean) {
  const set = yield* changing(by, companyId, (company, at) => {
    const of = { at, by: actorOf(by, true), companyId, company: snapshotOf(company) }
    return company.botsWithdrawn !== after
      ? undefined
      : { _tag: "CompanyEntitlementSet", ...of, entitlement: "machine_trader", after }
  })
  yield* Effect.flatMap(Owners, ({ forgetAll }) => forgetAll)
  return set
})

const verify = (by: ActingUser, companyId: string) =>
  changing(by, companyId, (company, at) => {
    const of = { at, by: actorOf(by, true), companyId, company: { ...snapshotOf(company), verifiedAt: at } }
    return company.verifiedAt === undefined ? { _tag: "CompanyVerified", ...of } : undefined
  })

type Services = CompanyRepository | Owners | PersonalText | SecureRandom | UnitOfWork

/**
 * Companies: each sees and changes its own and those that it manages, administrators all. Of others nothing is told, not
 * even that they exist. What changes is recorded, and asking for what is already so changes nothing.
 */
export class Companies extends Context.Service<
  Companies,
  {
    /** Makes a company that the actor's own manages; an administrator makes one that nobody manages. */
    readonly create: (
      by: ActingUser,
      company: ProfileChange & { readonly name: string },
      idempotency: Idempotency | undefined
    ) => Effect.Effect<Company, CompanyFull | Unavailable>
    readonly find: (by: ActingUser, companyId: string) => Effect.Effect<Company, CompanyNotFound | Unavailable>
    /** Oldest first, and how many there are. */
    readonly list: (
      by: ActingUser,
      name: string | undefined,
      page: Page
    ) => Effect.Effect<
      { readonly companies: ReadonlyArray<Company>; readonly total: number; readonly next: string | undefined },
      Unavailable | UnknownCursor
    >
    readonly change: (
      by: ActingUser,
      companyId: string,
      change: ProfileChange
    ) => Effect.Effect<Company, CompanyNotFound | Unavailable>
    /** For administrators. Holds from the next request on. */
    readonly setPlan: (
      by: ActingUser,
      companyId: string,
      plan: CompanyPlan
    ) => Effect.Effect<Company, CompanyNotFound | Unavailable>
    /** For administrators: whether it may have the bots that its plan gives. Holds from the next request on. */
    readonly setBots: (
      by: ActingUser,
      companyId: string,
      allowed: boolean
    ) => Effect.Effect<Company, CompanyNotFound | Unavailable>
    /** For administrators. */
    readonly verify: (by: ActingUser, companyId: string) => Effect.Effect<Company, CompanyNotFound | Unavailable>
    /** Whether users of the first company may buy for the second: their own, or one that it manages. */
    readonly mayBuyFor: (companyId: string, buyerCompanyId: string) => Effect.Effect<boolean, Unavailable>
    /** The plans and managers of companies, by their ids, whoever may see them. */
    readonly standings: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, CompanyStanding>, Unavailable>
    /** As they are recorded now. A company that is not there is a defect. */
    readonly botRights: (companyId: string) => Effect.Effect<BotRights, Unavailable>
  }
>()("emporion/identity/Companies") {
  static readonly layer: Layer.Layer<Companies, never, Services> = Layer.effect(
    this,
    Effect.gen(function* () {
      const context = yield* Effect.context<Services>()
      const repository = yield* CompanyRepository
      const inside = Effect.provideContext(context)
      const shown = <E>(work: Effect.Effect<Company, E, Services>) => inside(Effect.flatMap(work, openedContacts))
      return Companies.of({
        create: Effect.fn("Companies.create")((by, company, idempotency) => shown(create(by, company, idempotency))),
        find: Effect.fn("Companies.find")((by, companyId) =>
          shown(Effect.map(visible(by, companyId), ({ company }) => company))
        ),
        list: (by, name, page) =>
          repository.list({ within: by.isAdmin ? undefined : by.companyId, name }, page).pipe(
            Effect.flatMap(({ companies, ...rest }) =>
              Effect.map(openedCompanies(companies), (opened) => ({ companies: opened, ...rest }))
            ),
            inside
          ),
        change: Effect.fn("Companies.change")((by, companyId, given) => shown(change(by, companyId, given))),
        setPlan: Effect.fn("Companies.setPlan")((by, companyId, plan) => shown(setPlan(by, companyId, plan))),
        setBots: Effect.fn("Companies.setBots")((by, companyId, allowed) => shown(setBots(by, companyId, allowed))),
        verify: Effect.fn("Companies.verify")((by, companyId) => shown(verify(by, companyId))),
        mayBuyFor: (companyId, buyerCompanyId) =>
          companyId === buyerCompanyId ? Effect.succeed(true) : repository.isManagedBy(buyerCompanyId, companyId),
        standings: repository.standings,
        botRights: Effect.fnUntraced(function* (companyId) {
          const found = yield* repository.find(companyId)
          if (found === undefined) return yield* Effect.die(`there is no company ${companyId}`)
          const { botsWithdrawn, plan } = found.company
          return { plan, botsWithdrawn, precondition: { stream: companyStream(companyId), version: found.version } }
        })
      })
    })
  )
}
