import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { wire } from "./ApiError.ts"
import { LoggedIn, NewPassword } from "./Auth.ts"
import { authenticated, Authorization, open, Policy, scopes } from "./Authorization.ts"
import { AnswersSecret } from "./Conventions.ts"
import { EmailAddress, text } from "./Text.ts"

const Presented = (label: string) => Schema.RedactedFromValue(text(1, 1024), { label })

const done = (identifier: string) => Schema.Struct({}).annotate({ identifier })

const forgot = HttpApiEndpoint.post("forgotPassword", "/api/v1/auth/password/forgot", {
  payload: Schema.Struct({ email: EmailAddress }).annotate({ identifier: "ForgottenPassword" }),
  success: done("ResetRequested"),
  error: wire("rate_limited")
}).annotateMerge(
  OpenApi.annotations({
    summary: "Ask for a mail to reset a password",
    description: "Answered alike, and as fast, whether or not there is an account. The mail's token lives 30 minutes."
  })
)

const reset = HttpApiEndpoint.post("resetPassword", "/api/v1/auth/password/reset", {
  payload: Schema.Struct({ token: Presented("token"), password: NewPassword }).annotate({
    identifier: "PasswordReset"
  }),
  success: done("PasswordWasReset"),
  error: [wire("invalid_request"), wire("rate_limited"), wire("unavailable")]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Set a new password by a mail's token",
    description: "The token is good once. Every token and session of the user ends."
  })
)

const verifyEmail = HttpApiEndpoint.post("verifyEmail", "/api/v1/auth/email/verify", {
  payload: Schema.Struct({ token: Presented("token") }).annotate({ identifier: "EmailVerification" }),
  success: done("EmailVerified"),
  error: [wire("invalid_request"), wire("unavailable")]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Verify an email by a mail's token",
    description: "Registration sends the mail. The token is good once, for a day."
  })
)

const changePassword = HttpApiEndpoint.put("changePassword", "/api/v1/users/me/password", {
  payload: Schema.Struct({ current_password: Presented("current_password"), new_password: NewPassword }).annotate({
    identifier: "PasswordChange"
  }),
  success: LoggedIn,
  error: [wire("access_denied"), wire("conflict"), wire("rate_limited"), wire("unavailable")]
})
  .annotate(Policy, scopes("users:write"))
  .annotate(AnswersSecret, true)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Change one's password",
      description:
        "Every token and session ends, the one of this request too: the answer holds new tokens and sets a new session's " +
        "cookie, as a login does."
    })
  )

const sendVerification = HttpApiEndpoint.post("sendVerification", "/api/v1/users/me/email/verification", {
  success: done("VerificationSent"),
  error: wire("unavailable")
})
  .annotate(Policy, scopes("users:write"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "Ask for another mail to verify one's email",
      description: "At most 5 a day. Nothing is sent where the email is verified."
    })
  )

const logoutEverywhere = HttpApiEndpoint.post("logoutEverywhere", "/v1/logout/everywhere", {
  success: done("LoggedOutEverywhere"),
  error: wire("unavailable")
})
  .annotate(Policy, authenticated)
  .annotate(AnswersSecret, true)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Log out everywhere",
      description: "Every token, session and stream of the caller ends at once, the one of this request too."
    })
  )

/** Ways back into an account, by mail. An extension. */
export class RecoveryApi extends HttpApiGroup.make("recovery")
  .add(forgot, reset, verifyEmail)
  .annotate(Policy, open)
  .annotateMerge(OpenApi.annotations({ title: "Recovery", description: "Password reset and email verification." })) {}

/** What one does to one's own sign-ins. An extension. */
export class AccountApi extends HttpApiGroup.make("account")
  .add(changePassword, sendVerification, logoutEverywhere)
  .middleware(Authorization)
  .annotateMerge(OpenApi.annotations({ title: "Account", description: "One's own password, email and sign-ins." })) {}
