import { type Amount, format } from "../../engine/money/Amount.ts"
import { refusal } from "../../engine/wire/Refusal.ts"

/** The caller may not mint for this owner, or not at all. `reason` is a sentence for the caller. */
export class MintForbidden extends refusal(
  "MintForbidden",
  "access_denied",
  ({ reason }: { readonly reason: string }) => reason
) {}

/** No user has this id. */
export class OwnerNotFound extends refusal(
  "OwnerNotFound",
  "not_found",
  ({ owner }: { readonly owner: string }) => `There is no user ${owner}: name the id of a registered one.`
) {}

/** Production mints only what an external reference accounts for. */
export class ReferenceRequired extends refusal(
  "ReferenceRequired",
  "invalid_request",
  () => "payload.external_reference: Expected what the money stands for outside"
) {}

/** Money was already minted for this external reference. */
export class ReferenceUsed extends refusal(
  "ReferenceUsed",
  "conflict",
  ({ reference }: { readonly reference: string }) => `Funds were already added for external_reference ${reference}.`
) {}

/** The id belongs to another fund, or the owner's fund of this asset has another id, which is `existing`. */
export class FundIdConflict extends refusal(
  "FundIdConflict",
  "conflict",
  ({ existing, id }: { readonly id: string; readonly existing: string | undefined }) =>
    existing === undefined
      ? `Another fund has the id ${id}: choose another one, or leave it out.`
      : `This owner's fund of that type is ${existing}: send that id, or leave it out.`
) {}

/** The owner may mint only `left` more of the asset. */
export class MintLimitReached extends refusal(
  "MintLimitReached",
  "unprocessable",
  ({ asset, left }: { readonly asset: string; readonly left: Amount }) =>
    `The sandbox adds ${format(left)} ${asset} more at most: ask for less.`
) {}

/** The caller sees no fund of this id. */
export class FundNotFound extends refusal(
  "FundNotFound",
  "not_found",
  ({ id }: { readonly id: string }) => `There is no fund ${id} of yours.`
) {}

/** Every reason to refuse a mint. */
export type MintRefused =
  | MintForbidden
  | OwnerNotFound
  | ReferenceRequired
  | ReferenceUsed
  | FundIdConflict
  | MintLimitReached
