import { Data } from "effect"

/** Only the user itself and administrators see a credit profile. */
export class ProfileForbidden extends Data.TaggedError("ProfileForbidden")<{ readonly profileId: string }> {}

/** The user was never scored. */
export class ProfileNotFound extends Data.TaggedError("ProfileNotFound")<{ readonly profileId: string }> {}

/** Terms are offered for the caller's own company and those that it manages. */
export class NotOwnCompany extends Data.TaggedError("NotOwnCompany")<{ readonly companyId: string }> {}
