import { Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { ActivityRecorder } from "./analytics/ActivityRecorder.ts"
import { ActivityRepository } from "./analytics/ActivityRepository.ts"
import { Analytics } from "./analytics/Analytics.ts"
import * as AnalyticsHandlers from "./analytics/AnalyticsHandlers.ts"
import { UsageRecorder } from "./analytics/UsageRecorder.ts"
import { UsageRepository } from "./analytics/UsageRepository.ts"
import { Api } from "./api/Api.ts"
import { AgentActivity } from "./arena/AgentActivity.ts"
import { Arena } from "./arena/Arena.ts"
import { ArenaAgent } from "./arena/ArenaAgent.ts"
import { ArenaBoardHandlers } from "./arena/ArenaBoardHandlers.ts"
import { ArenaBoardRepository } from "./arena/ArenaBoardRepository.ts"
import { ArenaHandlers } from "./arena/ArenaHandlers.ts"
import { BreakerRepository } from "./arena/BreakerRepository.ts"
import { Breakers } from "./arena/Breakers.ts"
import { CommitmentHaltRepository } from "./arena/CommitmentHaltRepository.ts"
import { CommitmentHalts } from "./arena/CommitmentHalts.ts"
import { CommitmentRepository } from "./arena/CommitmentRepository.ts"
import * as HaltDeadlines from "./arena/HaltDeadlines.ts"
import * as HouseTraders from "./arena/HouseTraders.ts"
import { MachineTraderRegistrations } from "./arena/MachineTraderRegistrations.ts"
import { MachineTraderHandlers } from "./arena/MachineTraderHandlers.ts"
import { MachineTraderRepository } from "./arena/MachineTraderRepository.ts"
import { MachineTraders } from "./arena/MachineTraders.ts"
import { MarketMaker } from "./arena/MarketMaker.ts"
import { MedianRepository } from "./arena/MedianRepository.ts"
import { OrderActors } from "./arena/OrderActors.ts"
import { OrderResponses } from "./arena/OrderResponses.ts"
import { OrderFactsSource } from "./arena/OrderFactsSource.ts"
import { OrderKeys } from "./arena/OrderKeys.ts"
import { OrderRepository } from "./arena/OrderRepository.ts"
import { OrderSnapshotRepository } from "./arena/OrderSnapshotRepository.ts"
import { PriceBook } from "./arena/PriceBook.ts"
import { PublicOrders } from "./arena/PublicOrders.ts"
import { Vault } from "./arena/Vault.ts"
import { VaultRepository } from "./arena/VaultRepository.ts"
import { YieldHandlers } from "./arena/YieldHandlers.ts"
import * as BeforeTheRouter from "./BeforeTheRouter.ts"
import * as BotsContext from "./bots/BotsContext.ts"
import { BotScheduler } from "./bots/BotScheduler.ts"
import * as CreditsContext from "./bots/credits/CreditsContext.ts"
import * as MonthlyCreditExpiry from "./bots/credits/MonthlyCreditExpiry.ts"
import * as DecisionsContext from "./bots/DecisionsContext.ts"
import * as StartCheck from "./checks/StartCheck.ts"
import { Credit } from "./credit/Credit.ts"
import * as CreditHandlers from "./credit/CreditHandlers.ts"
import { CreditRepository } from "./credit/CreditRepository.ts"
import * as LimitTrimming from "./credit/LimitTrimming.ts"
import * as PaymentTermsHandlers from "./credit/PaymentTermsHandlers.ts"
import * as CommerceContext from "./commerce/CommerceContext.ts"
import { DashboardBundle } from "./dashboard/DashboardBundle.ts"
import * as DashboardRoutes from "./dashboard/DashboardRoutes.ts"
import * as Database from "./database/Database.ts"
import { EventLogRepository } from "./database/EventLogRepository.ts"
import { JournalRepository } from "./database/JournalRepository.ts"
import { KeyIndex } from "./database/StoredKeyIndex.ts"
import * as Migrations from "./database/Migrations.ts"
import { ProcessLock } from "./database/ProcessLock.ts"
import * as RecordClock from "./database/RecordClock.ts"
import { UnitOfWork } from "./database/UnitOfWork.ts"
import { WriteSession } from "./database/WriteSession.ts"
import { WriterTerm } from "./database/WriterTerm.ts"
import * as FastLaneRouting from "./FastLaneRouting.ts"
import { Funds } from "./funds/Funds.ts"
import * as FundsHandlers from "./funds/FundsHandlers.ts"
import { FundsRepository } from "./funds/FundsRepository.ts"
import { Statements } from "./funds/Statements.ts"
import { LedgerAudit } from "./funds/LedgerAudit.ts"
import { LedgerAuditRepository } from "./funds/LedgerAuditRepository.ts"
import * as HttpServer from "./http/HttpServer.ts"
import * as Documentation from "./http/Documentation.ts"
import * as HttpApp from "./http/HttpApp.ts"
import { IdempotencyRepository } from "./http/IdempotencyRepository.ts"
import { Readiness } from "./http/Readiness.ts"
import * as SystemHandlers from "./http/SystemHandlers.ts"
import * as AuthHandlers from "./identity/sessions/AuthHandlers.ts"
import { accountHandlers } from "./identity/accounts/AllAccountHandlers.ts"
import { Companies } from "./identity/companies/Companies.ts"
import * as CompanyRecorder from "./identity/companies/CompanyRecorder.ts"
import * as CompanyHandlers from "./identity/companies/CompanyHandlers.ts"
import { CompanyRepository } from "./identity/companies/CompanyRepository.ts"
import * as CurrentUserHandlers from "./identity/users/CurrentUserHandlers.ts"
import * as Identity from "./identity/Identity.ts"
import * as ProviderHandlers from "./identity/providers/ProviderHandlers.ts"
import * as TokenVerification from "./identity/tokens/TokenVerification.ts"
import { Kyc } from "./kyc/Kyc.ts"
import * as KycDecisions from "./kyc/KycDecisions.ts"
import * as KycHandlers from "./kyc/KycHandlers.ts"
import { KycRepository } from "./kyc/KycRepository.ts"
import { Oracles } from "./oracles/Oracles.ts"
import { StartingPrices } from "./oracles/StartingPrices.ts"
import * as PaymentsContext from "./payments/PaymentsContext.ts"
import * as PaymentsHandlers from "./payments/PaymentsHandlers.ts"
import { PaymentWorker } from "./payments/PaymentWorker.ts"
import * as Projections from "./Projections.ts"
import { DemoAccount } from "./sandbox/DemoAccount.ts"
import { ArenaStream } from "./stream/ArenaStream.ts"
import { ReplayRepository } from "./stream/ReplayRepository.ts"
import * as PriceFeed from "./stream/PriceFeed.ts"
import { StreamAuthentication } from "./stream/StreamAuthentication.ts"
import { TicketHandlers } from "./stream/TicketHandlers.ts"
import { Tickets } from "./stream/Tickets.ts"
import * as RenewalWorker from "./subscriptions/RenewalWorker.ts"
import * as SubscriptionHandlers from "./subscriptions/SubscriptionHandlers.ts"
import * as SubscriptionsContext from "./subscriptions/SubscriptionsContext.ts"
import * as TransfersContext from "./transfers/TransfersContext.ts"
import * as WebhooksContext from "./webhooks/WebhooksContext.ts"

/** A migrated database that no other process works on, nor can write to from now on. */
export const database = RecordClock.layer.pipe(
  Layer.provideMerge(WriterTerm.layer),
  Layer.provideMerge(StartCheck.tables),
  Layer.provideMerge(Migrations.layer),
  Layer.provideMerge(ProcessLock.layer()),
  Layer.provide(StartCheck.server),
  Layer.provideMerge(Database.layer)
)

const journal = UnitOfWork.layer.pipe(
  Layer.provide(Layer.mergeAll(Projections.layer, WriteSession.layer)),
  Layer.provideMerge(JournalRepository.layer)
)

const money = Layer.mergeAll(
  Statements.layer.pipe(Layer.provideMerge(Funds.layer)),
  Companies.layer,
  CompanyRecorder.layer,
  LedgerAudit.layer.pipe(Layer.provide(LedgerAuditRepository.layer))
).pipe(Layer.provideMerge(journal), Layer.provideMerge(Layer.mergeAll(FundsRepository.layer, CompanyRepository.layer)))

/** Simulated prices go on from the last recorded ones. */
const startingPrices = Layer.effect(
  StartingPrices,
  Effect.map(MedianRepository, ({ newest }) =>
    StartingPrices.of({
      read: Effect.map(Effect.orDie(newest), (medians) => new Map(medians.map(({ asset, price }) => [asset, price])))
    })
  )
)

const arenaRepositories = Layer.mergeAll(
  ArenaBoardRepository.layer,
  OrderRepository.layer,
  CommitmentRepository.layer,
  MedianRepository.layer,
  BreakerRepository.layer,
  VaultRepository.layer,
  MachineTraderRepository.layer,
  CommitmentHaltRepository.layer
)

/** Everything of the arena but the agent's clock: orders take steps when they are told to. */
const arena = ArenaAgent.layer.pipe(
  Layer.provideMerge(
    Layer.mergeAll(Arena.layer, MachineTraderRegistrations.layer, OrderResponses.layer, CommitmentHalts.layer)
  ),
  Layer.provideMerge(OrderActors.layer),
  Layer.provideMerge(OrderFactsSource.layer),
  Layer.provideMerge(Layer.mergeAll(PriceBook.layer, MachineTraders.layer, MarketMaker.layer)),
  Layer.provideMerge(Layer.mergeAll(Breakers.layer, Vault.layer, OrderKeys.layer, AgentActivity.layer))
)

const identity = Identity.layerWith(KycDecisions.layer.pipe(Layer.provideMerge(KycRepository.layer)))

const credit = LimitTrimming.layer.pipe(Layer.provideMerge(Credit.layer), Layer.provideMerge(CreditRepository.layer))

/** Usage is counted where the server is built on this. */
const analytics = Layer.mergeAll(Analytics.layer, UsageRecorder.counting).pipe(
  Layer.provideMerge(Layer.mergeAll(UsageRecorder.layer, ActivityRecorder.layer)),
  Layer.provideMerge(Layer.mergeAll(UsageRepository.layer, ActivityRepository.layer)),
  Layer.provide(EventLogRepository.layer)
)

/** The contexts' services. Needs a source of prices. */
export const services = Layer.mergeAll(
  Layer.mergeAll(PaymentsContext.services, SubscriptionsContext.services).pipe(
    Layer.provideMerge(CommerceContext.services)
  ),
  Layer.mergeAll(TransfersContext.services, DecisionsContext.services, BotsContext.services).pipe(
    Layer.provideMerge(arena),
    Layer.provideMerge(CreditsContext.services)
  ),
  DemoAccount.layer,
  WebhooksContext.services,
  analytics
).pipe(
  Layer.provideMerge(credit),
  Layer.provideMerge(money),
  Layer.provideMerge(Kyc.layer),
  Layer.provideMerge(Layer.mergeAll(identity, IdempotencyRepository.layer, arenaRepositories)),
  Layer.provideMerge(KeyIndex.layer)
)

/** The prices that the settings ask for. */
export const oracles = Oracles.layer.pipe(
  Layer.provide(startingPrices),
  Layer.provide(MedianRepository.layer),
  Layer.provide(FetchHttpClient.layer)
)

const handlers = Layer.mergeAll(
  Layer.mergeAll(ArenaHandlers, ArenaBoardHandlers),
  TicketHandlers,
  YieldHandlers,
  MachineTraderHandlers,
  CreditsContext.handlers,
  DecisionsContext.handlers,
  BotsContext.handlers,
  AuthHandlers.layer,
  ProviderHandlers.layer,
  CurrentUserHandlers.layer,
  accountHandlers,
  CompanyHandlers.layer,
  AnalyticsHandlers.layer,
  CommerceContext.handlers,
  PaymentsHandlers.layer,
  FundsHandlers.layer,
  TransfersContext.handlers,
  CreditHandlers.layer,
  PaymentTermsHandlers.layer,
  SubscriptionHandlers.layer,
  WebhooksContext.handlers,
  KycHandlers.layer,
  SystemHandlers.layer
)

/** The database answers, and took what was written last. */
const readiness = Layer.unwrap(
  Effect.gen(function* () {
    const { probe } = yield* JournalRepository
    const { writes } = yield* UnitOfWork
    return Readiness.layer(Effect.andThen(writes, probe))
  })
)

/** The arena's event stream, and who may connect to it as whom. */
const stream = ArenaStream.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(Tickets.layer, StreamAuthentication.layer)),
  Layer.provide(PublicOrders.layer),
  Layer.provide(Layer.mergeAll(ReplayRepository.layer, OrderSnapshotRepository.layer))
)

const api = HttpApp.layer(Api, DashboardRoutes.routes).pipe(
  Layer.provide(handlers),
  Layer.provide(HttpApp.middleware),
  Layer.provide(TokenVerification.layer),
  Layer.provide(BeforeTheRouter.layer)
)

/** HTTP and WebSocket on the services, with the dashboard's pages. */
export const server = HttpServer.layer(Layer.merge(api, DashboardRoutes.layer)).pipe(
  Layer.provideMerge(DashboardBundle.layer),
  Layer.provideMerge(readiness),
  Layer.provideMerge(FastLaneRouting.layer),
  Layer.provideMerge(stream)
)

/** What runs by itself. The house traders and the price feed listen before the agent makes its first order. */
export const background = ArenaAgent.running.pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      HouseTraders.layer,
      BotScheduler.running,
      PriceFeed.layer,
      UsageRecorder.running,
      ActivityRecorder.running,
      PaymentWorker.running,
      RenewalWorker.layer,
      BotsContext.running,
      HaltDeadlines.running,
      WebhooksContext.running,
      MonthlyCreditExpiry.layer,
      DashboardBundle.ahead,
      Documentation.ahead(Api)
    )
  )
)

/** The whole program. Needs `Settings`. */
export const layer = background.pipe(
  Layer.provideMerge(server),
  Layer.provideMerge(services),
  Layer.provideMerge(oracles),
  Layer.provideMerge(database),
  Layer.provide(HttpServer.addressIsFree),
  Layer.provide(StartCheck.machine)
)
