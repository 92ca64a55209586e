import { Effect, Layer } from "effect"
import { Settings } from "../Config.ts"
import { HorizonRepository } from "../database/HorizonRepository.ts"
import { type Module, nothing } from "../Module.ts"
import { StartingPrices } from "../oracles/StartingPrices.ts"
import * as Retention from "../Retention.ts"
import { AgentActivity } from "./AgentActivity.ts"
import { Arena } from "./Arena.ts"
import { ArenaAgent } from "./ArenaAgent.ts"
import { ArenaBoardHandlers } from "./ArenaBoardHandlers.ts"
import { ArenaBoardRepository } from "./ArenaBoardRepository.ts"
import { ArenaHandlers } from "./ArenaHandlers.ts"
import { arenaProjection } from "./ArenaProjection.ts"
import { arenaRpcs } from "./ArenaRpcs.ts"
import { BreakerHandlers } from "./BreakerHandlers.ts"
import { BreakerRepository } from "./BreakerRepository.ts"
import { Breakers } from "./Breakers.ts"
import { commitmentHaltProjection } from "./CommitmentHaltProjection.ts"
import { CommitmentHaltRepository } from "./CommitmentHaltRepository.ts"
import { CommitmentHalts } from "./CommitmentHalts.ts"
import { CommitmentLists } from "./CommitmentLists.ts"
import { CommitmentRepository } from "./CommitmentRepository.ts"
import * as HaltDeadlines from "./HaltDeadlines.ts"
import * as HouseTraders from "./HouseTraders.ts"
import { CandleRepository } from "./history/CandleRepository.ts"
import { MEDIANS_CLASS } from "./history/DailyMedians.ts"
import { HistoryFiles } from "./history/HistoryFiles.ts"
import { HistoryHandlers } from "./history/HistoryHandlers.ts"
import { HistoryRepository } from "./history/HistoryRepository.ts"
import * as HistorySealing from "./history/HistorySealing.ts"
import { YieldRepository } from "./history/YieldRepository.ts"
import { LockedCommitmentsRepository } from "./LockedCommitmentsRepository.ts"
import { MachineTraderHandlers } from "./MachineTraderHandlers.ts"
import { machineTraderProjection } from "./MachineTraderProjection.ts"
import { MachineTraderRegistrations } from "./MachineTraderRegistrations.ts"
import { MachineTraderRepository } from "./MachineTraderRepository.ts"
import { MachineTraders } from "./MachineTraders.ts"
import { MarketMaker } from "./MarketMaker.ts"
import { MedianRepository } from "./MedianRepository.ts"
import { OpenOrders } from "./OpenOrders.ts"
import { OrderActors } from "./OrderActors.ts"
import { OrderFactsSource } from "./OrderFactsSource.ts"
import { OrderKeys } from "./OrderKeys.ts"
import { OrderRepository } from "./OrderRepository.ts"
import { OrderResponses } from "./OrderResponses.ts"
import { OrderSnapshotRepository } from "./OrderSnapshotRepository.ts"
import { PriceBook } from "./PriceBook.ts"
import { ProgramBids } from "./ProgramBids.ts"
import { PublicOrders } from "./PublicOrders.ts"
import { RecordedPrices } from "./RecordedPrices.ts"
import { Vault } from "./Vault.ts"
import { VaultRepository } from "./VaultRepository.ts"
import { YieldHandlers } from "./YieldHandlers.ts"

const repositories = Layer.mergeAll(
  ArenaBoardRepository.layer,
  OrderRepository.layer,
  CommitmentRepository.layer,
  MedianRepository.layer,
  BreakerRepository.layer,
  VaultRepository.layer,
  MachineTraderRepository.layer,
  CommitmentHaltRepository.layer,
  OrderSnapshotRepository.layer,
  HistoryRepository.layer,
  CandleRepository.layer,
  YieldRepository.layer,
  HorizonRepository.layer
)

/** Simulated prices go on from the last recorded ones. */
export const startingPrices = Layer.effect(
  StartingPrices,
  Effect.map(MedianRepository, ({ newest }) =>
    StartingPrices.of({
      read: Effect.map(Effect.orDie(newest), (medians) => new Map(medians.map(({ asset, price }) => [asset, price])))
    })
  )
).pipe(Layer.provide(MedianRepository.layer))

/** Recorded prices, at their age. */
const retention = Retention.running(
  Effect.gen(function* () {
    const { retention: kept } = yield* Settings
    const { prune } = yield* MedianRepository
    const step = Retention.stepOver((horizon) => prune(horizon, Retention.STEP_ROWS))
    return { kind: MEDIANS_CLASS, days: kept.medians, step }
  })
)

/** Orders and who commits to them. Orders take steps when they are told to; in the background the agent's clock does. */
export const module = {
  ...nothing,
  rows: Effect.map(arenaProjection, (orders) => [orders, commitmentHaltProjection, machineTraderProjection]),
  tables: LockedCommitmentsRepository.layer,
  services: ArenaAgent.layer.pipe(
    Layer.provideMerge(
      Layer.mergeAll(Arena.layer, MachineTraderRegistrations.layer, OrderResponses.layer, CommitmentHalts.layer)
    ),
    Layer.provideMerge(Layer.mergeAll(OrderActors.layer, CommitmentLists.layer)),
    Layer.provideMerge(Layer.mergeAll(OrderFactsSource.layer, OpenOrders.layer, ProgramBids.layer)),
    Layer.provideMerge(
      Layer.mergeAll(PriceBook.layer, RecordedPrices.layer, PublicOrders.layer, MachineTraders.layer, MarketMaker.layer)
    ),
    Layer.provideMerge(Layer.mergeAll(Breakers.layer, Vault.layer, OrderKeys.layer, AgentActivity.layer)),
    Layer.provideMerge(HistoryFiles.layer),
    Layer.provideMerge(repositories)
  ),
  handlers: Layer.mergeAll(
    ArenaHandlers,
    ArenaBoardHandlers,
    BreakerHandlers,
    HistoryHandlers,
    YieldHandlers,
    MachineTraderHandlers
  ),
  rpcs: arenaRpcs,
  cached: Effect.map(OrderResponses, ({ ready }) => [ready]),
  background: ArenaAgent.running.pipe(
    Layer.provideMerge(Layer.mergeAll(HouseTraders.layer, HaltDeadlines.running, HistorySealing.running, retention))
  )
} satisfies Module
