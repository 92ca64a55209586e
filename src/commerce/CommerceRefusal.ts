import { Effect } from "effect"
import type {
  IllegalOrderAct,
  InvalidOrder,
  NotAParty,
  PaymentFirst
} from "../../engine/commerce/PurchaseOrderError.ts"
import { format } from "../../engine/money/Amount.ts"
import { ApiError, type Code } from "../api/ApiError.ts"
import { metadataAnswers } from "../http/MetadataRefusal.ts"
import type { MoneyGateClosed } from "../identity/MoneyGate.ts"
import type * as Refusal from "./CommerceError.ts"

const told = <C extends Code>(code: C, message: string) => Effect.fail(new ApiError(code, message))

/** How each refusal about products and prices is answered, for `Effect.catchTags`. */
export const productAnswers = {
  ProductNotFound: ({ productId }: Refusal.ProductNotFound) => told("not_found", `There is no product ${productId}.`),
  NotTheSeller: ({ productId }: Refusal.NotTheSeller) =>
    told("access_denied", `Only the company that sells ${productId} may change it.`),
  ...metadataAnswers
}

export const priceListAnswers = {
  PriceListNotFound: ({ priceListId }: Refusal.PriceListNotFound) =>
    told("not_found", `There is no price list ${priceListId} of your company.`),
  CustomerNotFound: ({ companyId }: Refusal.CustomerNotFound) =>
    told("unprocessable", `payload.customer_company_id: Expected another company; ${companyId} is none.`),
  NotOwnProduct: ({ index, productId }: Refusal.NotOwnProduct) =>
    told("not_found", `payload.prices.${index}.product_id: There is no product ${productId} of the seller.`),
  PriceTaken: ({ productId }: Refusal.PriceTaken) =>
    told("conflict", `This customer has a price for ${productId} on another of your lists: change it there.`)
}

const ACTS = { pay: "paid", fulfil: "fulfilled", cancel: "cancelled" } as const

export const orderResponses = {
  OrderNotFound: ({ orderId }: Refusal.OrderNotFound) => told("not_found", `There is no order ${orderId} of yours.`),
  NotAParty: ({ role }: NotAParty) => told("access_denied", `Only the order's ${role} may do that.`),
  IllegalOrderAct: ({ act, fulfilment, status }: IllegalOrderAct) =>
    told("conflict", `The order is ${status} and ${fulfilment}: it cannot be ${ACTS[act]} now.`),
  PaymentFirst: ({ unpaid }: PaymentFirst) =>
    told("conflict", `A prepaid order is paid before it is fulfilled: ${format(unpaid)} USD are missing.`),
  RefundShort: () =>
    told("conflict", "A seller has no longer the money to give back: the order cannot be cancelled until it has."),
  WalletShort: ({ available, needed }: Refusal.WalletShort) =>
    told(
      "unprocessable",
      `The payment needs ${format(needed)} USD and ${format(available)} are available: add funds first.`
    ),
  MoneyGateClosed: ({ message }: MoneyGateClosed) => told("access_denied", message)
}

export const placementAnswers = {
  BuyerNotFound: ({ companyId }: Refusal.BuyerNotFound) =>
    told("not_found", `There is no company ${companyId} that you may buy for.`),
  ItemNotFound: ({ index, productId }: Refusal.ItemNotFound) =>
    told("unprocessable", `payload.items.${index}.product_id: Expected a product; there is no ${productId}.`),
  InvalidOrder: ({ expected, field }: InvalidOrder) => told("unprocessable", `payload.${field}: Expected ${expected}`),
  KycRequired: () =>
    told(
      "access_denied",
      "Terms on credit need a verified KYC record: submit one with POST /v1/kyc, or order prepaid."
    ),
  OutOfStock: ({ left, productId }: Refusal.OutOfStock) =>
    told("conflict", `There are ${left} pieces of ${productId} left: order at most that many.`),
  CreditExceeded: ({ free }: Refusal.CreditExceeded) =>
    told(
      "unprocessable",
      `The free credit limit is ${format(free)} USD: order for at most that, repay something, or order prepaid.`
    )
}
