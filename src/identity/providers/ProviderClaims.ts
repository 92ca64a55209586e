import { refusal } from "../../../engine/wire/Refusal.ts"

/** What a provider says of a person who has signed in there. */
export interface ProviderClaims {
  /** Who says so: an issuer's URL, or a shop's host. */
  readonly issuer: string
  /** The person's name there, which never changes hands. */
  readonly subject: string
  readonly email: string | undefined
  /** Whether the provider has seen that the address is the person's. */
  readonly emailVerified: boolean
  readonly name: string | undefined
  /** Whether an account of the same address may be signed in to. False where anybody may claim to be anyone. */
  readonly mayLink: boolean
  /** The shop that the person owns. */
  readonly shop: string | undefined
}

/** The code is unknown, used, expired, or not for this sign-in. */
export class CodeRefused extends refusal<"CodeRefused", "invalid_grant", { readonly reason: string }>(
  "CodeRefused",
  "invalid_grant",
  () => "The code is not good for this sign-in: begin again."
) {}

/** The provider did not answer as it should. `reason` is for the log. */
export class ProviderUnavailable extends refusal<"ProviderUnavailable", "unavailable", { readonly reason: string }>(
  "ProviderUnavailable",
  "unavailable",
  () => "The provider did not answer: begin the sign-in again."
) {}
