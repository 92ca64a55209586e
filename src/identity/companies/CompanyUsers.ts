import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { SCOPES } from "../../api/Authorization.ts"
import type { Page } from "../../api/Paging.ts"
import type { Unavailable } from "../../database/DatabaseError.ts"
import type { UnknownCursor } from "../../database/Keyset.ts"
import { AccountRepository } from "../accounts/AccountRepository.ts"
import type { UserFilter } from "../accounts/AccountRepository.ts"
import type { ActingUser } from "../users/ActingUser.ts"
import { AuditLog } from "../audit/AuditLog.ts"
import * as Identifier from "../../Identifier.ts"
import { Passwords } from "../sessions/Passwords.ts"
import type { PasswordsBusy } from "../sessions/HashingTurns.ts"
import type { PostalAddress, Profile, User } from "../users/User.ts"
import { CompanyFull, CompanyNotFound, UserNotFound } from "../users/UserError.ts"
import type { EmailTaken } from "../users/UserError.ts"
import { UserRepository } from "../users/UserRepository.ts"
import type { WithUser } from "../users/Users.ts"

/** People that one company can have. */
export const MAX_PEOPLE = 1_000

/** A person to be added to a company. Specification 2.4. */
export interface NewPerson {
  readonly email: string
  readonly password: Redacted.Redacted
  readonly contactName: string
  readonly phone: string
  readonly address: PostalAddress
  readonly profile: Profile
}

/** A sign-in may do everything, so a token that may not makes users who may no more than it. */
const limitOf = ({ scopes }: ActingUser) => (SCOPES.every((scope) => scopes.includes(scope)) ? undefined : scopes)

const add = Effect.fnUntraced(function* (by: ActingUser, person: NewPerson, companyId: string, within: WithUser) {
  const repository = yield* UserRepository
  const { password, ...rest } = person
  const passwordHash = yield* Effect.flatMap(Passwords, ({ hash }) => hash(password))
  const createdAt = yield* Clock.currentTimeMillis
  const id = yield* Identifier.make("usr")
  const user = { ...rest, id, companyId, role: "buyer", status: "pending_kyc", passwordHash, createdAt } as const
  const written = Effect.gen(function* () {
    const company = yield* Effect.flatMap(AccountRepository, ({ lockCompany }) => lockCompany(companyId))
    if (company?.kind !== "normal" || company.erased) return yield* new CompanyNotFound({ companyId })
    if (company.people >= MAX_PEOPLE) return yield* new CompanyFull({ what: "users", limit: MAX_PEOPLE })
    yield* repository
      .addUser({ ...user, scopes: limitOf(by) })
      .pipe(Effect.catchTag("WalletTaken", (error) => Effect.die(error)))
    if (by.isAdmin) {
      const audit = yield* AuditLog
      yield* audit.record(by, { act: "user.add", subjectId: id, after: { company: companyId, role: user.role } })
    }
    const added = (yield* repository.find(id)) ?? (yield* Effect.die(new UserNotFound({ userId: id })))
    yield* within(added)
    return added
  })
  return yield* repository.transaction(written)
})

type Services = AccountRepository | AuditLog | Passwords | SecureRandom | UserRepository

/**
 * The people of a company: each sees and adds to their own company's, administrators everybody's. Of other companies
 * nothing is told, not even that they exist.
 */
export class CompanyUsers extends Context.Service<
  CompanyUsers,
  {
    /** Adds a buyer who awaits KYC to a company, by default the actor's own. */
    readonly add: (
      by: ActingUser,
      person: NewPerson,
      companyId: string | undefined,
      within?: WithUser
    ) => Effect.Effect<User, CompanyNotFound | CompanyFull | EmailTaken | PasswordsBusy | Unavailable>
    readonly find: (by: ActingUser, userId: string) => Effect.Effect<User, UserNotFound | Unavailable>
    /** Oldest first, and how many there are. */
    readonly list: (
      by: ActingUser,
      filter: UserFilter,
      page: Page
    ) => Effect.Effect<
      { readonly users: ReadonlyArray<User>; readonly total: number; readonly next: string | undefined },
      CompanyNotFound | Unavailable | UnknownCursor
    >
  }
>()("emporion/identity/CompanyUsers") {
  static readonly layer: Layer.Layer<CompanyUsers, never, Services> = Layer.effect(
    this,
    Effect.gen(function* () {
      const context = yield* Effect.context<Services>()
      const repository = yield* UserRepository
      const accounts = yield* AccountRepository

      const isForeign = (by: ActingUser, companyId: string | undefined): companyId is string =>
        companyId !== undefined && companyId !== by.companyId && !by.isAdmin

      return CompanyUsers.of({
        add: Effect.fn("CompanyUsers.add")(function* (by, person, companyId, within = () => Effect.void) {
          if (isForeign(by, companyId)) return yield* new CompanyNotFound({ companyId })
          return yield* Effect.provideContext(add(by, person, companyId ?? by.companyId, within), context)
        }),
        find: Effect.fn("CompanyUsers.find")(function* (by, userId) {
          const user = yield* repository.find(userId)
          const isVisible = user !== undefined && (by.isAdmin || user.companyId === by.companyId)
          return isVisible ? user : yield* new UserNotFound({ userId })
        }),
        list: Effect.fn("CompanyUsers.list")(function* (by, filter, page) {
          const { companyId, status } = filter
          if (isForeign(by, companyId)) return yield* new CompanyNotFound({ companyId })
          return yield* accounts.list({ companyId: by.isAdmin ? companyId : by.companyId, status }, page)
        })
      })
    })
  )
}
