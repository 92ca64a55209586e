import { Clock, Context, Effect, Layer } from "effect"
import type { Unavailable } from "../../database/DatabaseError.ts"
import { Mail } from "../../mail/Mail.ts"
import { AccountRepository } from "./AccountRepository.ts"
import { MailTokens } from "./MailTokens.ts"
import type { User } from "../users/User.ts"
import type { InvalidMailToken } from "../users/UserError.ts"
import { UserRepository } from "../users/UserRepository.ts"

const mailTo = (to: string, token: string) => ({
  to,
  subject: "Verify your email",
  text: [
    "This address was given as that of an Emporion account. To show that it is yours, send this token within a day to",
    "POST /api/v1/auth/email/verify:",
    "",
    token,
    "",
    "If you know nothing of such an account, do nothing."
  ].join("\n")
})

/** Shows that mails to a user's address arrive. */
export class EmailVerification extends Context.Service<
  EmailVerification,
  {
    /** Sends a token to the user's address, later. Nothing is sent where none is needed, or too many were sent. */
    readonly send: (user: Pick<User, "id" | "email" | "isEmailVerified">) => Effect.Effect<void>
    /** Uses the token up. `within` is done in the same transaction. */
    readonly confirm: (
      token: string,
      within?: Effect.Effect<void, Unavailable>
    ) => Effect.Effect<void, InvalidMailToken | Unavailable>
  }
>()("emporion/identity/EmailVerification") {
  static readonly layer: Layer.Layer<EmailVerification, never, AccountRepository | Mail | MailTokens | UserRepository> =
    Layer.effect(
      this,
      Effect.gen(function* () {
        const accounts = yield* AccountRepository
        const mail = yield* Mail
        const tokens = yield* MailTokens
        const { transaction } = yield* UserRepository
        return EmailVerification.of({
          send: Effect.fn("EmailVerification.send")(function* ({ email, id, isEmailVerified }) {
            if (email === undefined || isEmailVerified) return
            const token = tokens.issue(id, "email_verification")
            yield* mail.post(Effect.map(token, (found) => (found === undefined ? undefined : mailTo(email, found))))
          }),
          confirm: Effect.fn("EmailVerification.confirm")((token, within = Effect.void) =>
            Effect.gen(function* () {
              const userId = yield* tokens.use(token, "email_verification")
              yield* accounts.verifyEmail(userId, yield* Clock.currentTimeMillis)
              yield* tokens.voidAll(userId, "email_verification")
              yield* within
            }).pipe(transaction)
          )
        })
      })
    )
}
