import { refusal } from "../../engine/wire/Refusal.ts"

/** The caller sees no subscription of this id. */
export class SubscriptionNotFound extends refusal(
  "SubscriptionNotFound",
  "not_found",
  ({ id }: { readonly id: string }) => `There is no subscription ${id} of yours.`
) {}

/** A user subscribes for its own company. */
export class NotOwnCompany extends refusal<"NotOwnCompany", "access_denied", { readonly companyId: string }>(
  "NotOwnCompany",
  "access_denied",
  () => "You subscribe for your own company: send its id as company_id."
) {}

/** There is no product of this id. */
export class NoSuchProduct extends refusal(
  "NoSuchProduct",
  "unprocessable",
  ({ productId }: { readonly productId: string }) => `payload.product_id: Expected a product; there is no ${productId}.`
) {}
