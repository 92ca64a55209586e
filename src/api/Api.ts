import { HttpApi, OpenApi } from "effect/http-api"
import { AccountApi, RecoveryApi } from "./Account.ts"
import { AnalyticsApi } from "./Analytics.ts"
import { ArenaApi } from "./Arena.ts"
import { ArenaBoardApi } from "./ArenaBoard.ts"
import { ArenaHistoryApi } from "./ArenaHistory.ts"
import { ArenaStreamApi } from "./ArenaStream.ts"
import { AuditApi } from "./Audit.ts"
import { AuthApi } from "./Auth.ts"
import { BreakersApi } from "./Breakers.ts"
import { BotCreditsApi } from "./BotCredits.ts"
import { BotDecisionsApi } from "./BotDecisions.ts"
import { ClientsApi } from "./Clients.ts"
import { CompaniesApi } from "./Companies.ts"
import { BotsApi } from "./Bots.ts"
import { Conventions } from "./Conventions.ts"
import { CreditApi } from "./Credit.ts"
import { BeneficiariesApi } from "./Beneficiaries.ts"
import { ErasureApi } from "./Erasure.ts"
import { FundsApi } from "./Funds.ts"
import { FxApi } from "./Fx.ts"
import { CurrentUserApi } from "./CurrentUser.ts"
import { KycApi, KycReviewApi } from "./Kyc.ts"
import { MachineTradersApi } from "./MachineTraders.ts"
import { NodesApi } from "./Nodes.ts"
import { PaymentTermsApi } from "./PaymentTerms.ts"
import { PriceListsApi } from "./PriceLists.ts"
import { PaymentsApi } from "./Payments.ts"
import { ProductsApi } from "./Products.ts"
import { ProvidersApi } from "./Providers.ts"
import { PurchaseOrdersApi } from "./PurchaseOrders.ts"
import { RequestsApi } from "./Requests.ts"
import { SandboxClockApi } from "./SandboxClock.ts"
import { SubscriptionsApi } from "./Subscriptions.ts"
import { SystemApi } from "./System.ts"
import { TransfersApi } from "./Transfers.ts"
import { UserAdministrationApi, UsersApi } from "./Users.ts"
import { WebhooksApi } from "./Webhooks.ts"
import { WithdrawalsApi } from "./Withdrawals.ts"
import { YieldApi } from "./Yield.ts"

/** The whole contract: one group a file. `Conventions` comes last, so that it covers every group. */
export class Api extends HttpApi.make("emporion")
  .add(SystemApi)
  .add(AuthApi)
  .add(ProvidersApi)
  .add(CurrentUserApi)
  .add(AccountApi)
  .add(RecoveryApi)
  .add(UsersApi)
  .add(UserAdministrationApi)
  .add(ErasureApi)
  .add(CompaniesApi)
  .add(ClientsApi)
  .add(AuditApi)
  .add(NodesApi)
  .add(SandboxClockApi)
  .add(AnalyticsApi)
  .add(RequestsApi)
  .add(KycApi)
  .add(KycReviewApi)
  .add(ArenaApi)
  .add(ArenaBoardApi)
  .add(ArenaHistoryApi)
  .add(ArenaStreamApi)
  .add(YieldApi)
  .add(BreakersApi)
  .add(MachineTradersApi)
  .add(BotsApi)
  .add(BotCreditsApi)
  .add(BotDecisionsApi)
  .add(ProductsApi)
  .add(PriceListsApi)
  .add(PurchaseOrdersApi)
  .add(PaymentsApi)
  .add(FundsApi)
  .add(BeneficiariesApi)
  .add(TransfersApi)
  .add(WithdrawalsApi)
  .add(FxApi)
  .add(CreditApi)
  .add(PaymentTermsApi)
  .add(SubscriptionsApi)
  .add(WebhooksApi)
  .middleware(Conventions)
  .annotateMerge(
    OpenApi.annotations({
      title: "Emporion",
      version: "1.0",
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
      description:
        "B2B commerce, trade finance and a competitive trading arena. Errors are {message, code}; in the arena " +
        "{success: false, message, code}. Every answer carries X-RateLimit-Limit, X-RateLimit-Remaining and " +
        "X-RateLimit-Reset. A POST that lists Idempotency-Key takes it."
    })
  ) {}
