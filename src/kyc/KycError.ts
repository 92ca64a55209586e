import type { KycStatus } from "./KycRecord.ts"
import { refusal } from "../../engine/wire/Refusal.ts"

/** No record has this id, or none that the caller may know of. */
export class KycNotFound extends refusal(
  "KycNotFound",
  "not_found",
  ({ id }: { readonly id: string }) => `There is no KYC record ${id} that you may see.`
) {}

/** The phone number is none of its country, nor of another one. */
export class PhoneNumberRefused extends refusal(
  "PhoneNumberRefused",
  "invalid_request",
  ({ country }: { readonly country: string }) =>
    `payload.phoneNumber: Expected a phone number with its country code, such as +32 470 12 34 56, or one of ${country}`
) {}

/** The person has a record already that was not rejected. */
export class KycOpen extends refusal(
  "KycOpen",
  "conflict",
  ({ id, status }: { readonly id: string; readonly status: KycStatus }) =>
    status === "pending"
      ? `Your KYC record ${id} awaits review: wait for the decision.`
      : `Your KYC record ${id} is verified: nothing is to be submitted.`
) {}

/** Another record has this id. */
export class KycIdTaken extends refusal(
  "KycIdTaken",
  "conflict",
  ({ id }: { readonly id: string }) => `Another KYC record has the id ${id}: choose another one, or leave it out.`
) {}

/** The user was rejected, for good. */
export class KycBarred extends refusal<"KycBarred", "access_denied", { readonly userId: string }>(
  "KycBarred",
  "access_denied",
  () => "This account was rejected, for good: ask the operator."
) {}

/** The record was decided on otherwise. */
export class KycDecided extends refusal(
  "KycDecided",
  "conflict",
  ({ id, status }: { readonly id: string; readonly status: KycStatus }) =>
    `The KYC record ${id} is ${status}: that is not changed any more.`
) {}

/** Administrators do not review their own record. */
export class OwnKyc extends refusal<"OwnKyc", "conflict", { readonly id: string }>(
  "OwnKyc",
  "conflict",
  () => "Administrators do not review their own KYC record: ask another one."
) {}
