import { Context, Effect, Layer } from "effect"
import type { Unavailable } from "../../database/DatabaseError.ts"
import { AccountRepository } from "../accounts/AccountRepository.ts"
import type { LockedUser } from "../accounts/AccountRepository.ts"
import { AuditLog, type Who } from "../audit/AuditLog.ts"
import { CompanyOutboxRepository } from "../companies/CompanyOutboxRepository.ts"
import { KycRecords, type Verdict } from "../KycRecords.ts"
import { Owners } from "./Owners.ts"
import { RefreshTokens } from "../tokens/RefreshTokens.ts"
import { Sessions } from "../sessions/Sessions.ts"
import type { Role, User } from "./User.ts"
import { KycMissing, NotAdministrator, OwnAccount, RoleRefused, UserNotFound } from "./UserError.ts"
import * as UserLifecycle from "./UserLifecycle.ts"
import type { IllegalTransition, StatusAct } from "./UserLifecycle.ts"
import { UserRepository } from "./UserRepository.ts"

/** A role that a person can be given. */
export type PersonRole = Exclude<Role, "service">

/** The actor and the user, both locked, once the actor is still an administrator. */
const locked = Effect.fnUntraced(function* (by: Who, userId: string) {
  const accounts = yield* AccountRepository
  const users = yield* accounts.lockUsers([by.userId, userId])
  const actor = users.get(by.userId)
  if (actor?.role !== "admin" || actor.status === "suspended") return yield* new NotAdministrator()
  return users.get(userId) ?? (yield* new UserNotFound({ userId }))
})

/** Tokens and sessions of the user end, and everybody reads again who stands behind a token. */
const endSignIns = Effect.fnUntraced(function* (userId: string) {
  yield* Effect.flatMap(RefreshTokens, ({ revokeUser }) => revokeUser(userId))
  yield* Effect.flatMap(Sessions, ({ endAll }) => endAll(userId))
})

const forgetAfterCommit = Effect.gen(function* () {
  const owners = yield* Owners
  const { afterCommit } = yield* UserRepository
  yield* afterCommit(owners.forgetAll)
})

/** Deciding on a user decides on the KYC record that was submitted for it. */
const VERDICTS: Partial<Record<StatusAct, Verdict>> = { verify: "verified", reject: "rejected" }

const changeStatus = Effect.fnUntraced(function* (by: Who, userId: string, act: StatusAct) {
  const records = yield* KycRecords
  const verdict = VERDICTS[act]
  if (verdict !== undefined) yield* records.lock(userId)
  const user = yield* locked(by, userId)
  const { isEnded, isErased, status } = user
  if (isErased || isEnded) return yield* new UserLifecycle.IllegalTransition({ act, status })
  const next = yield* Effect.fromResult(UserLifecycle.after(status, act))
  if (next === status) return
  if (userId === by.userId) return yield* new OwnAccount()
  if (act === "verify" && !(yield* records.exists(userId))) return yield* new KycMissing({ userId })
  yield* Effect.flatMap(UserRepository, ({ setStatus }) => setStatus(userId, next))
  if (verdict !== undefined) yield* records.decide(by, userId, verdict)
  if (act === "verify") yield* Effect.flatMap(CompanyOutboxRepository, ({ verified }) => verified(by, userId))
  if (next === "suspended") yield* endSignIns(userId)
  if (act === "reactivate") yield* Effect.flatMap(AccountRepository, ({ withdrawTokens }) => withdrawTokens(userId))
  const audit = yield* AuditLog
  yield* audit.record(by, { act: `user.${act}`, subjectId: userId, before: { status }, after: { status: next } })
  yield* forgetAfterCommit
})

const refusalOf = (user: LockedUser, role: PersonRole): RoleRefused | undefined => {
  if (user.role === "service") return new RoleRefused({ reason: "An API client's role is service, for good." })
  if (user.isErased) return new RoleRefused({ reason: "The user was erased." })
  return role === "admin" && !user.hasEmail
    ? new RoleRefused({ reason: "An administrator needs an email, and this user has none." })
    : undefined
}

const setRole = Effect.fnUntraced(function* (by: Who, userId: string, role: PersonRole) {
  const user = yield* locked(by, userId)
  const refusal = refusalOf(user, role)
  if (refusal !== undefined) return yield* refusal
  if (user.role === role && !user.isLimited) return
  if (userId === by.userId) return yield* new OwnAccount()
  yield* Effect.flatMap(AccountRepository, ({ grantRole }) => grantRole(userId, role))
  yield* endSignIns(userId)
  const audit = yield* AuditLog
  yield* audit.record(by, {
    act: "user.set_role",
    subjectId: userId,
    before: { role: user.role, limited: user.isLimited },
    after: { role, limited: false }
  })
  yield* forgetAfterCommit
})

type Services =
  | AccountRepository
  | AuditLog
  | CompanyOutboxRepository
  | KycRecords
  | Owners
  | RefreshTokens
  | Sessions
  | UserRepository

type AdministrationError = UserNotFound | NotAdministrator | OwnAccount | Unavailable

/**
 * What administrators do to users. Each act is written to the audit log in its own transaction, and holds
 * from the next request on. Asking for what is already so changes nothing and is not written down.
 */
export class UserAdministration extends Context.Service<
  UserAdministration,
  {
    readonly changeStatus: (
      by: Who,
      userId: string,
      act: StatusAct
    ) => Effect.Effect<User, AdministrationError | IllegalTransition | KycMissing>
    /** Verifies the user's company, if it is not, in the open transaction: verifying the user does it by itself. */
    readonly verifyCompany: (by: Who, userId: string) => Effect.Effect<void, Unavailable>
    /** Gives the role whole, and withdraws every token and session of the user. */
    readonly setRole: (
      by: Who,
      userId: string,
      role: PersonRole
    ) => Effect.Effect<User, AdministrationError | RoleRefused>
  }
>()("emporion/identity/UserAdministration") {
  static readonly layer: Layer.Layer<UserAdministration, never, Services> = Layer.effect(
    this,
    Effect.gen(function* () {
      const context = yield* Effect.context<Services>()
      const { find, transaction } = yield* UserRepository
      const { verified: verifyCompany } = yield* CompanyOutboxRepository
      const changed = <E>(userId: string, change: Effect.Effect<void, E, Services>) =>
        change.pipe(
          Effect.provideContext(context),
          Effect.andThen(find(userId)),
          Effect.flatMap((user) =>
            user === undefined ? Effect.fail(new UserNotFound({ userId })) : Effect.succeed(user)
          ),
          transaction
        )
      return UserAdministration.of({
        changeStatus: Effect.fn("UserAdministration.changeStatus")((by, userId, act) =>
          changed(userId, changeStatus(by, userId, act))
        ),
        verifyCompany,
        setRole: Effect.fn("UserAdministration.setRole")((by, userId, role) =>
          changed(userId, setRole(by, userId, role))
        )
      })
    })
  )
}
