import { Effect } from "effect"
import { ApiError } from "../api/ApiError.ts"
import type { TooManyAttempts } from "./sessions/LoginAttempts.ts"
import type { PasswordsBusy } from "./sessions/HashingTurns.ts"
import type { ClientNotFound } from "./clients/ApiClients.ts"
import type { ScopeNotGranted, UnknownScope } from "./tokens/Scope.ts"
import type { CompanyFull, CompanyNotFound, RoleRefused, UserNotFound } from "./users/UserError.ts"
import type { IllegalTransition } from "./users/UserLifecycle.ts"
import type { InvalidWalletAddress } from "./users/WalletAddress.ts"

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
  NoSuchUser: (error: UserNotFound) =>
    Effect.fail(new ApiError("not_found", `There is no user ${error.userId} that you may see.`)),
  CompanyNotFound: (error: CompanyNotFound) =>
    Effect.fail(new ApiError("not_found", `There is no company ${error.companyId} that you may see.`)),
  CompanyFull: (error: CompanyFull) =>
    Effect.fail(new ApiError("conflict", `The company has ${error.limit} ${error.what}, the most there can be.`)),
  ClientNotFound: (error: ClientNotFound) =>
    Effect.fail(new ApiError("not_found", `There is no API client ${error.clientId} that you may see.`)),
  NotAdministrator: () => Effect.fail(new ApiError("access_denied", "Only an administrator may do that.")),
  OwnAccount: () =>
    Effect.fail(new ApiError("conflict", "Administrators do not do that to themselves: ask another one.")),
  IllegalTransition: (error: IllegalTransition) =>
    Effect.fail(new ApiError("conflict", `The user is ${error.status}: ${error.act} does not follow from that.`)),
  KycMissing: () =>
    Effect.fail(new ApiError("conflict", "The user has no KYC record to verify: it must be submitted first.")),
  RoleRefused: (error: RoleRefused) => Effect.fail(new ApiError("unprocessable", error.reason)),
  WrongPassword: () => Effect.fail(new ApiError("access_denied", "The current password is wrong.")),
  NoPassword: () => Effect.fail(new ApiError("conflict", "This account has no password: ask for a mail to set one.")),
  InvalidMailToken: () =>
    Effect.fail(
      new ApiError(
        "invalid_request",
        "payload.token: Expected the token of a mail, neither used nor expired: ask for one"
      )
    ),
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
  ScopeBeyondOwn: (error: ScopeNotGranted) =>
    Effect.fail(
      new ApiError(
        "insufficient_scope",
        `The access token lacks the scope ${error.scope}, and gives no more than it has.`
      )
    ),
  UnknownScope: (error: UnknownScope) =>
    Effect.fail(new ApiError("invalid_scope", `There is no scope ${error.scope}: ask for one of the client's scopes.`)),
  ScopeNotGranted: (error: ScopeNotGranted) =>
    Effect.fail(
      new ApiError("unauthorized_client", `This client may not use the scope ${error.scope}: ask for one it was given.`)
    )
} as const
