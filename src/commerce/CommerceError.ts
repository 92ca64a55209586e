import { refusal } from "../../engine/wire/Refusal.ts"

/** There is no product of this id. */
export class ProductNotFound extends refusal(
  "ProductNotFound",
  "not_found",
  ({ productId }: { readonly productId: string }) => `There is no product ${productId}.`
) {}

/** The product is another company's. */
export class NotTheSeller extends refusal(
  "NotTheSeller",
  "access_denied",
  ({ productId }: { readonly productId: string }) => `Only the company that sells ${productId} may change it.`
) {}

/** Whoever is paid for the product was erased, or was an API client that is deleted, so that its sales would reach nobody. */
export class SellerGone extends refusal(
  "SellerGone",
  "conflict",
  ({ productId }: { readonly productId: string }) =>
    `The account that is paid for ${productId} is gone: offer it as a new product instead.`
) {}

/** The caller sees no price list of this id. */
export class PriceListNotFound extends refusal(
  "PriceListNotFound",
  "not_found",
  ({ priceListId }: { readonly priceListId: string }) => `There is no price list ${priceListId} of your company.`
) {}

/** What is to have prices is the seller itself, or no company's id. Whether another company has the id is told to nobody. */
export class NotACustomer extends refusal(
  "NotACustomer",
  "unprocessable",
  ({ companyId }: { readonly companyId: string }) =>
    `payload.customer_company_id: Expected the id of another company, cmp_ and 24 letters or digits; ${companyId} is none.`
) {}

/** A price list names what is no product of its seller. */
export class NotOwnProduct extends refusal(
  "NotOwnProduct",
  "not_found",
  ({
    index,
    productId
  }: {
    readonly productId: string
    /** Its place among the prices, from 0. */
    readonly index: number
  }) => `payload.prices.${index}.product_id: There is no product ${productId} of the seller.`
) {}

/** The customer has a price for the product on another list. */
export class PriceTaken extends refusal(
  "PriceTaken",
  "conflict",
  ({ productId }: { readonly productId: string }) =>
    `This customer has a price for ${productId} on another of your lists: change it there.`
) {}

/** The caller may not buy for this company. */
export class BuyerNotFound extends refusal(
  "BuyerNotFound",
  "not_found",
  ({ companyId }: { readonly companyId: string }) => `There is no company ${companyId} that you may buy for.`
) {}

/** The caller takes part in no order of this id. */
export class OrderNotFound extends refusal(
  "OrderNotFound",
  "not_found",
  ({ orderId }: { readonly orderId: string }) => `There is no order ${orderId} of yours.`
) {}

/** Terms on credit need a verified KYC record. */
export class KycRequired extends refusal<"KycRequired", "access_denied", { readonly userId: string }>(
  "KycRequired",
  "access_denied",
  () => "Terms on credit need a verified KYC record: submit one with POST /v1/kyc, or order prepaid."
) {}
