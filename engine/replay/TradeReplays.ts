import { CompanyReplay } from "./CompanyReplay.ts"
import { CreditReplay } from "./CreditReplay.ts"
import type { FamilyReplay } from "./FamilyReplay.ts"
import { PaymentReplay } from "./PaymentReplay.ts"
import type { EventFamilies } from "./PlatformEvent.ts"
import { ProductReplay } from "./ProductReplay.ts"
import { PurchaseReplay } from "./PurchaseReplay.ts"
import type { RowSink } from "./RowSink.ts"
import { SubscriptionReplay } from "./SubscriptionReplay.ts"
import { TransferReplay } from "./TransferReplay.ts"
import { WebhookReplay } from "./WebhookReplay.ts"

/** The families of what companies do outside of the arena. */
type TradeFamily = "product" | "purchase" | "payment" | "transfer" | "company" | "credit" | "subscription" | "webhook"

export type TradeReplays = { readonly [F in TradeFamily]: FamilyReplay<EventFamilies[F]> }

/** Replays of what companies do outside of the arena, none of which needs another. */
export const tradeReplays = (sink: RowSink): TradeReplays => ({
  product: new ProductReplay(sink),
  purchase: new PurchaseReplay(sink),
  payment: new PaymentReplay(sink),
  transfer: new TransferReplay(sink),
  company: new CompanyReplay(),
  credit: new CreditReplay(sink),
  subscription: new SubscriptionReplay(sink),
  webhook: new WebhookReplay(sink)
})
