import { Data } from "effect"
import type { KycStatus } from "./KycRecord.ts"

/** No record has this id, or none that the caller may know of. */
export class KycNotFound extends Data.TaggedError("KycNotFound")<{ readonly id: string }> {}

/** The phone number is none of its country, nor of another one. */
export class PhoneNumberRefused extends Data.TaggedError("PhoneNumberRefused")<{ readonly country: string }> {}

/** The person has a record already that was not rejected. */
export class KycOpen extends Data.TaggedError("KycOpen")<{ readonly id: string; readonly status: KycStatus }> {}

/** Another record has this id. */
export class KycIdTaken extends Data.TaggedError("KycIdTaken")<{ readonly id: string }> {}

/** The user was rejected, for good. */
export class KycBarred extends Data.TaggedError("KycBarred")<{ readonly userId: string }> {}

/** The record was decided on otherwise. */
export class KycDecided extends Data.TaggedError("KycDecided")<{ readonly id: string; readonly status: KycStatus }> {}

/** Administrators do not review their own record. */
export class OwnKyc extends Data.TaggedError("OwnKyc")<{ readonly id: string }> {}
