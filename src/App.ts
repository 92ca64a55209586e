import { Effect, Layer } from "effect"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import { FetchHttpClient } from "effect/http"
import { module as analytics } from "./analytics/AnalyticsModule.ts"
import { Api } from "./api/Api.ts"
import { module as archive } from "./backup/ArchiveModule.ts"
import { module as arena, startingPrices } from "./arena/ArenaModule.ts"
import { module as bots } from "./bots/BotsModule.ts"
import { module as credits } from "./bots/credits/CreditsModule.ts"
import * as StartCheck from "./checks/StartCheck.ts"
import { module as commerce } from "./commerce/CommerceModule.ts"
import { Settings } from "./Config.ts"
import { module as credit } from "./credit/CreditModule.ts"
import { DashboardBundle } from "./dashboard/DashboardBundle.ts"
import * as DashboardRoutes from "./dashboard/DashboardRoutes.ts"
import { SimulatorBundle } from "./dashboard/SimulatorBundle.ts"
import * as SimulatorRoutes from "./dashboard/SimulatorRoutes.ts"
import * as CommitTimes from "./database/CommitTimes.ts"
import * as Database from "./database/Database.ts"
import * as DiskGuard from "./database/DiskGuard.ts"
import { journalPosition } from "./database/JournalPosition.ts"
import { JournalRepository } from "./database/JournalRepository.ts"
import * as Migrations from "./database/Migrations.ts"
import type { PersonalTable } from "./database/PersonalTable.ts"
import { ProcessLock } from "./database/ProcessLock.ts"
import { ProjectedStreams } from "./database/ProjectedStreams.ts"
import { Projection } from "./database/Projection.ts"
import * as RecordClock from "./database/RecordClock.ts"
import { RowWriter } from "./database/RowWriter.ts"
import { KeyIndex } from "./database/StoredKeyIndex.ts"
import * as UnfinishedRestore from "./database/UnfinishedRestore.ts"
import { UnitOfWork } from "./database/UnitOfWork.ts"
import { WriterTerm } from "./database/WriterTerm.ts"
import { discarding, WriteSession } from "./database/WriteSession.ts"
import { DueWork, DueWorks } from "./DueWork.ts"
import { moduleOver as erasure } from "./erasure/ErasureModule.ts"
import { module as funds } from "./funds/FundsModule.ts"
import { AnswerPosition } from "./http/AnswerPosition.ts"
import { CachedResponses, oneOf } from "./http/CachedResponses.ts"
import * as Documentation from "./http/Documentation.ts"
import * as HttpApp from "./http/HttpApp.ts"
import * as HttpConventions from "./http/HttpConventions.ts"
import * as HttpServer from "./http/HttpServer.ts"
import * as NodeHandlers from "./http/NodeHandlers.ts"
import { Readiness } from "./http/Readiness.ts"
import * as SystemHandlers from "./http/SystemHandlers.ts"
import { WebSocketRoutes } from "./http/WebSocketRoutes.ts"
import { moduleWith as identity } from "./identity/IdentityModule.ts"
import * as PersonalIdempotency from "./identity/secrets/PersonalIdempotency.ts"
import { PersonalText } from "./identity/secrets/PersonalText.ts"
import { Secrets } from "./identity/secrets/Secrets.ts"
import * as TokenVerification from "./identity/tokens/TokenVerification.ts"
import { module as kyc, records as kycRecords } from "./kyc/KycModule.ts"
import { Modules } from "./Module.ts"
import { Oracles } from "./oracles/Oracles.ts"
import { module as payments } from "./payments/PaymentsModule.ts"
import { FastLaneServer } from "./rpc/FastLaneServer.ts"
import { RpcHandlers } from "./rpc/RpcHandler.ts"
import { module as requests } from "./requests/RequestsModule.ts"
import { module as sandbox } from "./sandbox/SandboxModule.ts"
import { ArenaStream } from "./stream/ArenaStream.ts"
import { module as stream } from "./stream/StreamModule.ts"
import { module as subscriptions } from "./subscriptions/SubscriptionsModule.ts"
import { module as transfers } from "./transfers/TransfersModule.ts"
import { module as webhooks } from "./webhooks/WebhooksModule.ts"

/** The contexts that know people, each after those whose services it needs. */
const peopled = Modules.none
  .and(identity(kycRecords))
  .and(kyc)
  .and(funds)
  .and(credit)
  .and(commerce)
  .and(payments)
  .and(subscriptions)
  .and(credits)
  .and(arena)
  .and(transfers)
  .and(bots)
  .and(sandbox)
  .and(webhooks)
  .and(analytics)
  .and(requests)
  .and(stream)

/** Every table beside the journal that identifies people. */
export const PERSONAL_TABLES: ReadonlyArray<PersonalTable> = peopled.all.flatMap(({ personal }) => personal)

/** Every context. */
const contexts = peopled.and(erasure(PERSONAL_TABLES)).and(archive)

const modules = contexts.all

/** Every column that is sealed under `SECRET_KEY`. */
export const SEALED_COLUMNS = modules.flatMap(({ sealed }) => sealed)

/** A migrated database that no other process works on, nor can write to from now on. */
export const database = RecordClock.layer.pipe(
  Layer.provideMerge(WriterTerm.layer),
  Layer.provideMerge(StartCheck.tables),
  Layer.provideMerge(Migrations.layer),
  Layer.provideMerge(UnfinishedRestore.refused),
  Layer.provideMerge(ProcessLock.layer()),
  Layer.provide(StartCheck.server),
  Layer.provideMerge(Database.layer)
)

/** What the contexts make of recorded events. */
const projection = Layer.effect(
  Projection,
  Effect.zipWith(Effect.all(modules.map(({ rows }) => rows)), RowWriter, (parts, writer) =>
    Projection.composed(parts.flat(), writer)
  )
).pipe(Layer.provide(Layer.mergeAll(RowWriter.layer, ProjectedStreams.layer, ...modules.map(({ tables }) => tables))))

/** Answers under idempotency keys, with what is sealed in them opened. */
const keptAnswers = PersonalIdempotency.layer.pipe(
  Layer.provide(Layer.merge(PersonalText.layer, projection)),
  Layer.provide(Secrets.layer),
  Layer.provide(layerWebCrypto)
)

const servicesOn = <E, R>(journal: Layer.Layer<UnitOfWork, E, R>) =>
  contexts.services.pipe(
    Layer.provideMerge(journal.pipe(Layer.provide(projection))),
    Layer.provideMerge(Layer.merge(JournalRepository.layer, keptAnswers)),
    Layer.provideMerge(Layer.merge(KeyIndex.layer, CommitTimes.layer))
  )

/** Brings the tables up to the journal when it is built, and does nothing else of the program. */
export const recovery = UnitOfWork.layer.pipe(
  Layer.provide(WriteSession.layer),
  Layer.provide(projection),
  Layer.provide(Layer.mergeAll(JournalRepository.layer, KeyIndex.layer))
)

/** The contexts' services. Needs a source of prices. */
export const services = servicesOn(UnitOfWork.layer.pipe(Layer.provide(WriteSession.layer)))

/** The same on a journal that keeps nothing. */
export const rehearsedServices = servicesOn(UnitOfWork.onSessions.pipe(Layer.provide(discarding)))

/** The prices that the settings ask for. */
export const oracles = Oracles.layer.pipe(Layer.provide(startingPrices), Layer.provide(FetchHttpClient.layer))

const handlers = Layer.mergeAll(SystemHandlers.layer, NodeHandlers.layer, ...modules.map(({ handlers }) => handlers))

/** What the contexts have in memory as bytes. */
const cachedResponses = Layer.effect(
  CachedResponses,
  Effect.map(Effect.all(modules.map(({ cached }) => cached)), (sources) => oneOf(sources.flat()))
)

/** The journal whose position answers carry, where there are several nodes. */
const answerPosition = Layer.effect(
  AnswerPosition,
  Effect.flatMap(Settings, ({ cluster }) => (cluster === undefined ? Effect.undefined : journalPosition))
)

const rpcs = Layer.effect(
  RpcHandlers,
  Effect.map(Effect.all(modules.map(({ rpcs }) => rpcs)), (handlers) => handlers.flat())
)

/** The fast lane with the handlers of every context. It counts its messages where HTTP counts its requests. */
const fastLane = FastLaneServer.layer.pipe(
  Layer.provide(rpcs),
  Layer.provide(HttpConventions.services),
  Layer.provide(TokenVerification.layer)
)

/** The server's WebSocket routes. */
const sockets = Layer.effect(
  WebSocketRoutes,
  Effect.map(Effect.all([ArenaStream, FastLaneServer]), (servers) => servers.map(({ route }) => route))
).pipe(Layer.provideMerge(fastLane))

/** The database answers, and took what was written last. */
const readiness = Layer.unwrap(
  Effect.gen(function* () {
    const { probe } = yield* JournalRepository
    const { writes } = yield* UnitOfWork
    return Readiness.layer(Effect.andThen(writes, probe))
  })
)

const api = HttpApp.layer(Api, [...DashboardRoutes.routes, ...SimulatorRoutes.routes]).pipe(
  Layer.provide(handlers),
  Layer.provide(HttpApp.middleware),
  Layer.provide(TokenVerification.layer),
  Layer.provide(Layer.merge(cachedResponses, answerPosition))
)

/** HTTP and WebSocket on the services, with the dashboard's pages. */
export const server = HttpServer.layer(Layer.mergeAll(api, DashboardRoutes.layer, SimulatorRoutes.layer)).pipe(
  Layer.provideMerge(Layer.merge(DashboardBundle.layer, SimulatorBundle.layer)),
  Layer.provideMerge(readiness),
  Layer.provideMerge(sockets)
)

/** What runs by itself. */
export const background = Layer.mergeAll(contexts.background, DashboardBundle.ahead, Documentation.ahead(Api))

/** The whole program. Needs `Settings`. */
export const layer = background.pipe(
  Layer.provideMerge(server),
  Layer.provideMerge(services),
  Layer.provideMerge(oracles),
  Layer.provideMerge(database),
  Layer.provide(Layer.sync(DueWork, () => new DueWorks())),
  Layer.provide(DiskGuard.layer),
  Layer.provide(HttpServer.addressIsFree),
  Layer.provide(StartCheck.machine)
)
