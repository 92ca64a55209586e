import { Clock, Context, Effect, Layer, Redacted } from "effect"
import type { Unavailable } from "../../database/DatabaseError.ts"
import { Mail } from "../../mail/Mail.ts"
import { AccountRepository } from "../accounts/AccountRepository.ts"
import { ApiClients } from "../clients/ApiClients.ts"
import { LoginAttempts } from "./LoginAttempts.ts"
import type { TooManyAttempts } from "./LoginAttempts.ts"
import { MailTokens } from "../accounts/MailTokens.ts"
import { Owners } from "../users/Owners.ts"
import { Passwords } from "./Passwords.ts"
import { CurrentLane, type PasswordsBusy } from "./HashingTurns.ts"
import { RefreshTokens } from "../tokens/RefreshTokens.ts"
import { Sessions } from "./Sessions.ts"
import type { User } from "../users/User.ts"
import { InvalidMailToken, NoPassword, SignInOutdated, WrongPassword } from "../users/UserError.ts"
import { UserRepository } from "../users/UserRepository.ts"

const resetMail = (to: string, token: string) => ({
  to,
  subject: "Reset your password",
  text: [
    "Somebody asked to reset the password of the Emporion account of this address. To choose a new one, send it within",
    "30 minutes with this token to POST /api/v1/auth/password/reset:",
    "",
    token,
    "",
    "If it was not you, do nothing: without the token nothing changes."
  ].join("\n")
})

const changedMail = (to: string) => ({
  to,
  subject: "Your password was changed",
  text: [
    "The password of the Emporion account of this address was changed, and every other sign-in ended.",
    "",
    "If it was not you, reset it at once: POST /api/v1/auth/password/forgot."
  ].join("\n")
})

type Services =
  | AccountRepository
  | ApiClients
  | LoginAttempts
  | Mail
  | MailTokens
  | Owners
  | Passwords
  | RefreshTokens
  | Sessions
  | UserRepository

/** In the transaction that changed the password: whatever was signed in or could be by mail ends. */
const endAll = Effect.fnUntraced(function* (userId: string) {
  yield* Effect.flatMap(RefreshTokens, ({ revokeUser }) => revokeUser(userId))
  yield* Effect.flatMap(Sessions, ({ endAll: end }) => end(userId))
  yield* Effect.flatMap(MailTokens, ({ voidAll }) => voidAll(userId, "password_reset"))
  const owners = yield* Owners
  const { afterCommit } = yield* UserRepository
  yield* afterCommit(owners.forget(userId))
})

const tell = (email: string) => Effect.flatMap(Mail, ({ post }) => post(Effect.succeed(changedMail(email))))

const change = Effect.fnUntraced(function* (asked: PasswordChange, address: string) {
  const { current, next, userId } = asked
  const passwords = yield* Passwords
  const repository = yield* UserRepository
  const attempts = yield* LoginAttempts
  const email = (yield* repository.find(userId))?.email
  const credentials = email === undefined ? undefined : yield* repository.credentials(email)
  const hash = credentials?.passwordHash
  if (credentials === undefined || email === undefined || hash === undefined) return yield* new NoPassword({ userId })
  const matches = passwords.verify(Redacted.value(hash), current)
  const attempt = Effect.map(matches, (isRight) => (isRight ? credentials.user : undefined))
  const user = yield* attempts.attempt(email, address, attempt)
  if (user === undefined) return yield* new WrongPassword()
  // Who has just shown the password waits behind no stranger.
  const nextHash = yield* Effect.provideService(passwords.hash(next), CurrentLane, "known")
  yield* Effect.gen(function* () {
    const { changePassword } = yield* AccountRepository
    if (!(yield* changePassword(userId, nextHash, user.tokenEpoch))) return yield* new SignInOutdated({ userId })
    yield* endAll(userId)
  }).pipe(repository.transaction)
  yield* tell(email)
  return { ...user, tokenEpoch: user.tokenEpoch + 1 }
})

const composeReset = Effect.fnUntraced(function* (email: string) {
  const repository = yield* UserRepository
  const tokens = yield* MailTokens
  const user = (yield* repository.credentials(email))?.user
  if (user?.email === undefined || user.status === "suspended") return undefined
  const token = yield* tokens.issue(user.id, "password_reset")
  return token === undefined ? undefined : resetMail(user.email, token)
})

const reset = Effect.fnUntraced(function* (
  token: string,
  next: Redacted.Redacted,
  within: Effect.Effect<void, Unavailable>
) {
  const repository = yield* UserRepository
  const tokens = yield* MailTokens
  const attempts = yield* LoginAttempts
  yield* tokens.userOf(token, "password_reset")
  const passwordHash = yield* Effect.flatMap(Passwords, ({ hash }) => hash(next))
  const userId = yield* Effect.gen(function* () {
    const { changePassword, verifyEmail } = yield* AccountRepository
    const { endSecretsMadeBy } = yield* ApiClients
    const id = yield* tokens.use(token, "password_reset")
    if (!(yield* changePassword(id, passwordHash, undefined))) return yield* new InvalidMailToken()
    // Until now the address was anybody's claim, and anybody may have the secrets of the clients made under it.
    if (yield* verifyEmail(id, yield* Clock.currentTimeMillis)) yield* endSecretsMadeBy(id)
    yield* endAll(id)
    yield* within
    return id
  }).pipe(repository.transaction)
  const email = yield* Effect.orElseSucceed(
    Effect.map(repository.find(userId), (user) => user?.email),
    () => undefined
  )
  if (email === undefined) return
  yield* tell(email)
  yield* attempts.forgive(email)
})

/** Somebody's own password, to be replaced. */
export interface PasswordChange {
  readonly userId: string
  readonly current: Redacted.Redacted
  readonly next: Redacted.Redacted
}

type ChangeError = WrongPassword | NoPassword | SignInOutdated | TooManyAttempts | PasswordsBusy | Unavailable

/** New passwords, by the old one or by a mail. Either ends every sign-in of the user and every other mail's token. */
export class PasswordChanges extends Context.Service<
  PasswordChanges,
  {
    /** Answers the user as it is afterwards, who may sign in anew. `address` is where the request comes from. */
    readonly change: (asked: PasswordChange, address: string) => Effect.Effect<User, ChangeError>
    /** Sends a token to the user with this email, if there is one. Nothing tells whether there is. */
    readonly forgot: (email: string, address: string) => Effect.Effect<void, TooManyAttempts>
    /**
     * Sets a new password by the token of a mail, which is used up. It also shows that the email is the user's: where
     * nothing had before, the secrets and tokens of the API clients that the user made end. `within` is done in the same
     * transaction.
     */
    readonly reset: (
      token: string,
      next: Redacted.Redacted,
      address: string,
      within?: Effect.Effect<void, Unavailable>
    ) => Effect.Effect<void, InvalidMailToken | TooManyAttempts | PasswordsBusy | Unavailable>
  }
>()("emporion/identity/PasswordChanges") {
  static readonly layer: Layer.Layer<PasswordChanges, never, Services> = Layer.effect(
    this,
    Effect.gen(function* () {
      const attempts = yield* LoginAttempts
      const mail = yield* Mail
      const context = yield* Effect.context<Services>()
      const provided = Effect.provideContext(context)
      return PasswordChanges.of({
        change: Effect.fn("PasswordChanges.change")((asked, address) => provided(change(asked, address))),
        forgot: Effect.fn("PasswordChanges.forgot")(function* (email, address) {
          const posted = Effect.as(mail.post(provided(composeReset(email))), undefined)
          yield* attempts.attempt(`reset ${email}`, `reset ${address}`, posted)
        }),
        reset: Effect.fn("PasswordChanges.reset")(function* (token, next, address, within = Effect.void) {
          const attempt = Effect.as(provided(reset(token, next, within)), true).pipe(
            Effect.catchTag("InvalidMailToken", () => Effect.undefined)
          )
          const done = yield* attempts.attempt(undefined, `reset ${address}`, attempt)
          if (done === undefined) return yield* new InvalidMailToken()
        })
      })
    })
  )
}
