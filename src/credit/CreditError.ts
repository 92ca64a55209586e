import { refusal } from "../../engine/wire/Refusal.ts"

/** Only the user itself and administrators see a credit profile. */
export class ProfileForbidden extends refusal<"ProfileForbidden", "access_denied", { readonly profileId: string }>(
  "ProfileForbidden",
  "access_denied",
  () => "Only its user and administrators see a credit profile."
) {}

/** The user was never scored. */
export class ProfileNotFound extends refusal(
  "ProfileNotFound",
  "not_found",
  ({ profileId }: { readonly profileId: string }) => `There is no score card of ${profileId}: request one first.`
) {}

/** Terms are offered for the caller's own company and those that it manages. */
export class NotOwnCompany extends refusal<"NotOwnCompany", "access_denied", { readonly companyId: string }>(
  "NotOwnCompany",
  "access_denied",
  () => "Terms are offered for your own company and those that it manages: send its id as company_id."
) {}
