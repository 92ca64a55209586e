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
