import { Effect } from "effect"
import { ApiError } from "../api/ApiError.ts"
import type { TooManyAttempts } from "./LoginAttempts.ts"
import type { PasswordsBusy } from "./Passwords.ts"
import type { ScopeNotGranted, UnknownScope } from "./Scope.ts"
import type { InvalidWalletAddress } from "./WalletAddress.ts"

/** How each refusal of this context is answered, for `Effect.catchTags`. */
export const answers = {
  EmailTaken: () =>
    Effect.fail(new ApiError("conflict", "This email is registered already: log in, or use another one.")),
  WalletTaken: () =>
    Effect.fail(new ApiError("conflict", "Another account has this wallet address: link a different one.")),
  InvalidWalletAddress: (error: InvalidWalletAddress) =>
    Effect.fail(new ApiError("invalid_request", `payload.wallet_address: Expected ${error.expected}`)),
  WrongCredentials: () => Effect.fail(new ApiError("unauthorized", "The email or the password is wrong.")),
  UserNotFound: () =>
    Effect.fail(new ApiError("unauthorized", "The account of this access token is gone: sign in again.")),
  UserSuspended: () => Effect.fail(new ApiError("access_denied", "This account is suspended: ask the operator.")),
  SignInOutdated: () =>
    Effect.fail(new ApiError("unauthorized", "The account changed during this sign-in: sign in again.")),
  TooManyAttempts: (error: TooManyAttempts) =>
    Effect.fail(
      new ApiError(
        "rate_limited",
        "Too many wrong attempts: wait for the seconds in Retry-After.",
        error.retryAfterSeconds
      )
    ),
  PasswordsBusy: (error: PasswordsBusy) => Effect.fail(new ApiError("unavailable", undefined, error.retryAfterSeconds)),
  ForeignOrigin: () =>
    Effect.fail(
      new ApiError(
        "access_denied",
        "A session cookie changes nothing without an Origin header of this site: send it, or send an access token."
      )
    ),
  InvalidClient: () => Effect.fail(new ApiError("invalid_client")),
  InvalidRefreshToken: () => Effect.fail(new ApiError("invalid_grant")),
  UnknownScope: (error: UnknownScope) =>
    Effect.fail(new ApiError("invalid_scope", `There is no scope ${error.scope}: ask for one of the client's scopes.`)),
  ScopeNotGranted: (error: ScopeNotGranted) =>
    Effect.fail(
      new ApiError("unauthorized_client", `This client may not use the scope ${error.scope}: ask for one it was given.`)
    )
} as const
