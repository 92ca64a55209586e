import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { EmailAddress, text } from "../../api/Text.ts"
import type { Unavailable } from "../../database/DatabaseError.ts"
import * as Identifier from "../../Identifier.ts"
import { CompanyOutboxRepository } from "../companies/CompanyOutboxRepository.ts"
import type { User } from "../users/User.ts"
import { UserRepository } from "../users/UserRepository.ts"
import { ExternalIdentityRepository } from "./ExternalIdentityRepository.ts"
import type { ProviderClaims } from "./ProviderClaims.ts"
import { refusal } from "../../../engine/wire/Refusal.ts"

/** The person is known at the provider and gets into no account here. `reason` is a sentence for the caller. */
export class IdentityRefused extends refusal(
  "IdentityRefused",
  "access_denied",
  ({ reason }: { readonly reason: string }) => reason
) {}

const refused = (reason: string) => new IdentityRefused({ reason })

const unverified = refused("The provider has not verified your mail address: verify it there, then sign in again.")
const taken = refused(
  "An account with this mail address exists and has not verified it: sign in with its password, or reset that, first."
)
const notYours = refused("An account with this mail address exists: sign in with its password.")
const shopTaken = refused("This shop is linked to another account, or this account to another shop: ask the operator.")

const isEmail = Schema.is(EmailAddress)
const isName = Schema.is(text(1, 200))
const isSubject = Schema.is(text(1, 255))

/** The address that the claims show to be the person's. */
const provenEmail = (claims: ProviderClaims): string | undefined =>
  claims.emailVerified && isEmail(claims.email) ? claims.email : undefined

const create = Effect.fnUntraced(function* (claims: ProviderClaims, email: string, createdAt: number) {
  const users = yield* UserRepository
  const contactName = isName(claims.name) ? claims.name : undefined
  const name = claims.shop ?? contactName ?? email.slice(0, 200)
  const company = {
    id: yield* Identifier.make("cmp"),
    name,
    kind: "normal",
    label: undefined,
    taxId: undefined
  } as const
  const companyId = yield* users.addCompany({ ...company, createdAt })
  const id = yield* Identifier.make("usr")
  const user = { id, companyId, role: "buyer", status: "pending_kyc", email, contactName, createdAt } as const
  yield* users
    .addUser(user)
    .pipe(Effect.catchTags({ EmailTaken: () => Effect.fail(notYours), WalletTaken: Effect.die }))
  yield* Effect.flatMap(CompanyOutboxRepository, ({ registered }) => registered(companyId, id, createdAt))
  return id
})

/** The account that the address leads to: one that has shown it is its own, else a new one. */
const accountFor = Effect.fnUntraced(function* (claims: ProviderClaims, now: number) {
  const repository = yield* ExternalIdentityRepository
  const email = provenEmail(claims)
  if (email === undefined) return yield* unverified
  const account = yield* repository.accountOf(email)
  if (account === undefined) {
    const userId = yield* create(claims, email, now)
    if (claims.mayLink) yield* repository.verifyEmail(userId, now)
    return userId
  }
  if (!claims.mayLink) return yield* notYours
  return account.emailVerified ? account.userId : yield* taken
})

const signIn = Effect.fnUntraced(function* (claims: ProviderClaims) {
  const repository = yield* ExternalIdentityRepository
  const users = yield* UserRepository
  if (!isSubject(claims.subject)) return yield* unverified
  const now = yield* Clock.currentTimeMillis
  const known = yield* repository.lock(claims.issuer, claims.subject)
  const userId = known ?? (yield* accountFor(claims, now))
  if (known === undefined) yield* repository.link(claims.issuer, claims.subject, userId, now)
  if (claims.shop !== undefined && !(yield* repository.linkShop(userId, claims.shop))) return yield* shopTaken
  const user = yield* users.find(userId)
  return user ?? (yield* Effect.die(new Error(`an identity of no user: ${userId}`)))
})

/**
 * Who people at identity providers and shops are here. A person who comes for the first time gets the account of the
 * same mail address only when both sides have verified it: else whoever registers somebody's address first would wait
 * in that person's account.
 */
export class ExternalIdentities extends Context.Service<
  ExternalIdentities,
  {
    /** The user of a person who has signed in elsewhere, linked or made at the first time. */
    readonly signIn: (claims: ProviderClaims) => Effect.Effect<User, IdentityRefused | Unavailable>
  }
>()("emporion/identity/ExternalIdentities") {
  static readonly layer: Layer.Layer<
    ExternalIdentities,
    never,
    CompanyOutboxRepository | ExternalIdentityRepository | UserRepository | SecureRandom
  > = Layer.effect(
    this,
    Effect.gen(function* () {
      const users = yield* UserRepository
      const context = yield* Effect.context<
        CompanyOutboxRepository | ExternalIdentityRepository | UserRepository | SecureRandom
      >()
      return ExternalIdentities.of({
        signIn: Effect.fn("ExternalIdentities.signIn")((claims) =>
          signIn(claims).pipe(Effect.provideContext(context), users.transaction)
        )
      })
    })
  )
}
