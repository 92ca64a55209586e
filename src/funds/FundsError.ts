import { Data } from "effect"
import type { Amount } from "../../engine/money/Amount.ts"

/** The caller may not mint for this owner, or not at all. `reason` is a sentence for the caller. */
export class MintForbidden extends Data.TaggedError("MintForbidden")<{ readonly reason: string }> {}

/** No user has this id. */
export class OwnerNotFound extends Data.TaggedError("OwnerNotFound")<{ readonly owner: string }> {}

/** Production mints only what an external reference accounts for. */
export class ReferenceRequired extends Data.TaggedError("ReferenceRequired")<Record<never, never>> {}

/** Money was already minted for this external reference. */
export class ReferenceUsed extends Data.TaggedError("ReferenceUsed")<{ readonly reference: string }> {}

/** The id belongs to another fund, or the owner's fund of this asset has another id, which is `existing`. */
export class FundIdConflict extends Data.TaggedError("FundIdConflict")<{
  readonly id: string
  readonly existing: string | undefined
}> {}

/** The owner may mint only `left` more of the asset. */
export class MintLimitReached extends Data.TaggedError("MintLimitReached")<{
  readonly asset: string
  readonly left: Amount
}> {}

/** The caller sees no fund of this id. */
export class FundNotFound extends Data.TaggedError("FundNotFound")<{ readonly id: string }> {}

/** Every reason to refuse a mint. */
export type MintRefused =
  | MintForbidden
  | OwnerNotFound
  | ReferenceRequired
  | ReferenceUsed
  | FundIdConflict
  | MintLimitReached
