import { Data } from "effect"

/** Another user has this email, in whatever case. */
export class EmailTaken extends Data.TaggedError("EmailTaken")<Record<never, never>> {}

/** Another user has this wallet address. */
export class WalletTaken extends Data.TaggedError("WalletTaken")<Record<never, never>> {}

/** No user has this email and password. */
export class WrongCredentials extends Data.TaggedError("WrongCredentials")<Record<never, never>> {}

/** The user is suspended. */
export class UserSuspended extends Data.TaggedError("UserSuspended")<{ readonly userId: string }> {}

/** The user's tokens were withdrawn while this sign-in was on its way, such as by a new password. */
export class SignInOutdated extends Data.TaggedError("SignInOutdated")<{ readonly userId: string }> {}

/** No user has this id. */
export class UserNotFound extends Data.TaggedError("UserNotFound")<{ readonly userId: string }> {}

/** No company has this id, or none that the caller may know of. */
export class CompanyNotFound extends Data.TaggedError("CompanyNotFound")<{ readonly companyId: string }> {}

/** The company has as many users, API clients or managed companies as one may have. */
export class CompanyFull extends Data.TaggedError("CompanyFull")<{
  readonly what: "users" | "clients" | "managed companies"
  readonly limit: number
}> {}

/** Who asks is no longer an administrator. */
export class NotAdministrator extends Data.TaggedError("NotAdministrator")<Record<never, never>> {}

/** Administrators do not do this to themselves, so that there is always another one to undo it. */
export class OwnAccount extends Data.TaggedError("OwnAccount")<Record<never, never>> {}

/** The user has no KYC record to verify. */
export class KycMissing extends Data.TaggedError("KycMissing")<{ readonly userId: string }> {}

/** The user cannot have the role. */
export class RoleRefused extends Data.TaggedError("RoleRefused")<{ readonly reason: string }> {}

/** The password that was to be replaced is another one. */
export class WrongPassword extends Data.TaggedError("WrongPassword")<Record<never, never>> {}

/** The user has no password: an API client, or a person who signs in elsewhere. */
export class NoPassword extends Data.TaggedError("NoPassword")<{ readonly userId: string }> {}

/** The token is not one of a mail that was sent, or it was used, or has expired. */
export class InvalidMailToken extends Data.TaggedError("InvalidMailToken")<Record<never, never>> {}
