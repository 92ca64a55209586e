import { Data } from "effect"
import type { Amount } from "../../engine/money/Amount.ts"

/** There is no product of this id. */
export class ProductNotFound extends Data.TaggedError("ProductNotFound")<{ readonly productId: string }> {}

/** The product is another company's. */
export class NotTheSeller extends Data.TaggedError("NotTheSeller")<{ readonly productId: string }> {}

/** The caller sees no price list of this id. */
export class PriceListNotFound extends Data.TaggedError("PriceListNotFound")<{ readonly priceListId: string }> {}

/** There is no other company of this id to have prices. */
export class CustomerNotFound extends Data.TaggedError("CustomerNotFound")<{ readonly companyId: string }> {}

/** A price list names what is no product of its seller. */
export class NotOwnProduct extends Data.TaggedError("NotOwnProduct")<{
  readonly productId: string
  /** Its place among the prices, from 0. */
  readonly index: number
}> {}

/** The customer has a price for the product on another list. */
export class PriceTaken extends Data.TaggedError("PriceTaken")<{ readonly productId: string }> {}

/** The caller may not buy for this company. */
export class BuyerNotFound extends Data.TaggedError("BuyerNotFound")<{ readonly companyId: string }> {}

/** The caller takes part in no order of this id. */
export class OrderNotFound extends Data.TaggedError("OrderNotFound")<{ readonly orderId: string }> {}

/** An item names what is no product. */
export class ItemNotFound extends Data.TaggedError("ItemNotFound")<{
  readonly productId: string
  /** Its place among the items, from 0. */
  readonly index: number
}> {}

/** Fewer pieces of a product are for sale than the order takes. */
export class OutOfStock extends Data.TaggedError("OutOfStock")<{
  readonly productId: string
  readonly left: number
}> {}

/** Terms on credit need a verified KYC record. */
export class KycRequired extends Data.TaggedError("KycRequired")<{ readonly userId: string }> {}

/** The buyer's free credit limit does not cover the order. */
export class CreditExceeded extends Data.TaggedError("CreditExceeded")<{ readonly free: Amount }> {}

/** What the order is paid from has less than the payment needs. */
export class WalletShort extends Data.TaggedError("WalletShort")<{
  readonly available: Amount
  readonly needed: Amount
}> {}

/** A seller has no longer what it would have to give back. */
export class RefundShort extends Data.TaggedError("RefundShort")<{ readonly sellerWallet: string }> {}
