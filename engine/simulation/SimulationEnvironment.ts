import type { ChainedEvent } from "../actor/CommitGroup.ts"
import type { Journal } from "../actor/Journal.ts"
import type { FairnessRule } from "../arena/Fairness.ts"
import type { PriceHistory } from "../arena/PriceHistory.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { PlantedWithBots } from "./BotCompanies.ts"
import type { ExportedWorld } from "./ExportedWorld.ts"
import type { LoadedExtension } from "./ExtensionHost.ts"
import type { PlantedPlatform } from "./platform/SimulatedPlatform.ts"
import type { TextCompression } from "./OrderArchive.ts"
import type { OrderBehavior } from "./SimulatedArena.ts"
import type { PlantedJournal, SimulatedJournal } from "./SimulatedJournal.ts"
import type { SimulationHashing } from "./SimulationHashing.ts"
import type { ProgressListener } from "./SimulationResult.ts"

/** What a simulation needs from outside, and what may be put in the place of its parts. */
export interface SimulationEnvironment {
  readonly hashing: SimulationHashing
  /** How texts are kept that wait for the end; as they are unless it is said. */
  readonly compression?: TextCompression
  /** The real closes that prices walk on from. */
  readonly history: PriceHistory
  readonly onProgress?: ProgressListener
  /** Hears what each step recorded; must not change anything the simulation sees. */
  readonly onStep?: (recorded: ReadonlyArray<ChainedEvent<PlatformEvent>>) => void
  /** Whether the result tells the prices of every order; false unless said. */
  readonly prices?: boolean
  /** Whether every step is judged; true unless said. */
  readonly audit?: boolean
  /** The module that the specification names, if it names one. */
  readonly extension?: LoadedExtension | undefined
  /** The world that the specification names, if it names one. */
  readonly world?: ExportedWorld | undefined
  /** Parts with a fault of their own, to see that the auditor finds it. */
  readonly planted?: Planted
}

export interface Planted extends PlantedWithBots, PlantedPlatform {
  readonly journal?: PlantedJournal
  readonly append?: (journal: SimulatedJournal) => Journal<PlatformEvent>["append"]
  readonly behavior?: (behavior: OrderBehavior) => OrderBehavior
  readonly tieHash?: (tieKey: string, owner: string) => string
  readonly rule?: FairnessRule
}
