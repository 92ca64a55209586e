import { Effect, Redacted, Schema } from "effect"
import { Api } from "../../api/Api.ts"
import { CurrentPrincipal } from "../../api/Authorization.ts"
import * as HandlerGroup from "../../http/HandlerGroup.ts"
import type { IdempotencyRepository } from "../../http/IdempotencyRepository.ts"
import { keepWithin } from "../../http/KeptResponse.ts"
import * as ActingUser from "../users/ActingUser.ts"
import { setCookie } from "../sessions/ResponseCookie.ts"
import { EmailVerification } from "./EmailVerification.ts"
import { PasswordChanges } from "../sessions/PasswordChanges.ts"
import { Sessions } from "../sessions/Sessions.ts"
import { TokenGrants } from "../tokens/TokenGrants.ts"
import { AccountGone } from "../users/UserError.ts"
import { Users } from "../users/Users.ts"

/** The recovery group's handlers. */
export const recovery = HandlerGroup.group(
  Api,
  "recovery",
  Effect.fnUntraced(function* (handlers) {
    const passwords = yield* PasswordChanges
    const verification = yield* EmailVerification
    const kept = yield* Effect.context<IdempotencyRepository>()
    const keepDone = Effect.provideContext(
      Effect.map(keepWithin(Schema.Struct({})), (keep) => keep({})),
      kept
    )
    return handlers.handleAll({
      forgotPassword: Effect.fnUntraced(function* ({ payload }) {
        yield* passwords.forgot(payload.email, yield* ActingUser.address)
        return {}
      }),
      resetPassword: Effect.fnUntraced(function* ({ payload }) {
        const keep = yield* keepDone
        yield* passwords.reset(Redacted.value(payload.token), payload.password, yield* ActingUser.address, keep)
        return {}
      }),
      verifyEmail: Effect.fnUntraced(function* ({ payload }) {
        yield* verification.confirm(Redacted.value(payload.token), yield* keepDone)
        return {}
      })
    })
  })
)

/** The account group's handlers. */
export const account = HandlerGroup.group(
  Api,
  "account",
  Effect.fnUntraced(function* (handlers) {
    const passwords = yield* PasswordChanges
    const verification = yield* EmailVerification
    const users = yield* Users
    const grants = yield* TokenGrants
    const sessions = yield* Sessions
    return handlers.handleAll({
      changePassword: Effect.fnUntraced(function* ({ payload }) {
        const { userId } = yield* CurrentPrincipal
        const asked = { userId, current: payload.current_password, next: payload.new_password }
        const user = yield* passwords.change(asked, yield* ActingUser.address)
        const tokens = yield* grants.login(user)
        yield* setCookie(yield* sessions.begin(user))
        const { companyName, email, id, role } = user
        return { ...tokens, user: { id, email: email ?? "", company_name: companyName, role } }
      }),
      sendVerification: Effect.fnUntraced(
        function* () {
          const { userId } = yield* CurrentPrincipal
          yield* verification.send(yield* users.find(userId))
          return {}
        },
        Effect.catchTag("UserNotFound", () => Effect.fail(new AccountGone()))
      ),
      logoutEverywhere: Effect.fnUntraced(function* () {
        const { userId } = yield* CurrentPrincipal
        yield* users.logoutEverywhere(userId)
        yield* setCookie(sessions.noCookie)
        return {}
      })
    })
  })
)
