import { refusal } from "../../../engine/wire/Refusal.ts"

/** Another user has this email, in whatever case. */
export class EmailTaken extends refusal(
  "EmailTaken",
  "conflict",
  () => "This email is registered already: log in, or use another one."
) {}

/** Another user has this wallet address. */
export class WalletTaken extends refusal(
  "WalletTaken",
  "conflict",
  () => "Another account has this wallet address: link a different one."
) {}

/** No user has this email and password. */
export class WrongCredentials extends refusal(
  "WrongCredentials",
  "unauthorized",
  () => "The email or the password is wrong."
) {}

/** The user is suspended. */
export class UserSuspended extends refusal<"UserSuspended", "access_denied", { readonly userId: string }>(
  "UserSuspended",
  "access_denied",
  () => "This account is suspended: ask the operator."
) {}

/** The user's tokens were withdrawn while this sign-in was on its way, such as by a new password. */
export class SignInOutdated extends refusal<"SignInOutdated", "unauthorized", { readonly userId: string }>(
  "SignInOutdated",
  "unauthorized",
  () => "The account changed during this sign-in: sign in again."
) {}

/** No user has this id. */
export class UserNotFound extends refusal(
  "UserNotFound",
  "not_found",
  ({ userId }: { readonly userId: string }) => `There is no user ${userId} that you may see.`
) {}

/** The user of the access token is there no longer. */
export class AccountGone extends refusal(
  "AccountGone",
  "unauthorized",
  () => "The account of this access token is gone: sign in again."
) {}

/** No company has this id, or none that the caller may know of. */
export class CompanyNotFound extends refusal(
  "CompanyNotFound",
  "not_found",
  ({ companyId }: { readonly companyId: string }) => `There is no company ${companyId} that you may see.`
) {}

/** The company has as many users, API clients or managed companies as one may have. */
export class CompanyFull extends refusal(
  "CompanyFull",
  "conflict",
  ({ limit, what }: { readonly what: "users" | "clients" | "managed companies"; readonly limit: number }) =>
    `The company has ${limit} ${what}, the most there can be.`
) {}

/** Who asks is no longer an administrator. */
export class NotAdministrator extends refusal(
  "NotAdministrator",
  "access_denied",
  () => "Only an administrator may do that."
) {}

/** Administrators do not do this to themselves, so that there is always another one to undo it. */
export class OwnAccount extends refusal(
  "OwnAccount",
  "conflict",
  () => "Administrators do not do that to themselves: ask another one."
) {}

/** The user has no KYC record to verify. */
export class KycMissing extends refusal<"KycMissing", "conflict", { readonly userId: string }>(
  "KycMissing",
  "conflict",
  () => "The user has no KYC record to verify: it must be submitted first."
) {}

/** The user cannot have the role. */
export class RoleRefused extends refusal(
  "RoleRefused",
  "unprocessable",
  ({ reason }: { readonly reason: string }) => reason
) {}

/** The password that was to be replaced is another one. */
export class WrongPassword extends refusal("WrongPassword", "access_denied", () => "The current password is wrong.") {}

/** The user has no password: an API client, or a person who signs in elsewhere. */
export class NoPassword extends refusal<"NoPassword", "conflict", { readonly userId: string }>(
  "NoPassword",
  "conflict",
  () => "This account has no password: ask for a mail to set one."
) {}

/** The token is not one of a mail that was sent, or it was used, or has expired. */
export class InvalidMailToken extends refusal(
  "InvalidMailToken",
  "invalid_request",
  () => "payload.token: Expected the token of a mail, neither used nor expired: ask for one"
) {}
