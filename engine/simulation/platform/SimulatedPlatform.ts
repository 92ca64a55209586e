import type { ChainedEvent } from "../../actor/CommitGroup.ts"
import type { Batch, Recorded } from "../../actor/Journal.ts"
import type { BreakerPanel } from "../../arena/BreakerPanel.ts"
import type { PriceHistory } from "../../arena/PriceHistory.ts"
import type { PlatformEvent } from "../../replay/PlatformEvent.ts"
import { type PriceFeed, WALK_SPEED } from "../PriceFeed.ts"
import { byName } from "../ReachedRecord.ts"
import type { Scenario } from "../Scenario.ts"
import type { SimulationResult } from "../SimulationResult.ts"
import { CompanyDesks, type CompanyDesksParts, type PlantedCompanies } from "./CompanyDesks.ts"

/** Faults of the companies' part, to see that the auditors find them. */
export interface PlantedPlatform {
  readonly companies?: PlantedCompanies
}

export interface SimulatedPlatformParts extends Pick<
  CompanyDesksParts,
  "clock" | "board" | "journal" | "fork" | "report"
> {
  readonly scenario: Scenario
  readonly feed: PriceFeed
  readonly breakers: BreakerPanel
  readonly history: PriceHistory
  readonly planted?: PlantedPlatform | undefined
}

/** The companies of a world, if it has any: a world without is the same to the byte whether or not there could be some. */
export class SimulatedPlatform {
  readonly desks: CompanyDesks | undefined

  constructor(parts: SimulatedPlatformParts) {
    const { breakers, clock, feed, history, planted, scenario } = parts
    const { advances, companies, spec } = scenario
    if (companies.length === 0) return
    this.desks = new CompanyDesks({
      ...parts,
      seed: spec.seed,
      companies,
      advances,
      planted: planted?.companies,
      view: {
        fresh: (asset) => {
          const last = feed.latest(asset)
          return last === undefined ? undefined : { price: last.price, simulated: true }
        },
        history,
        isOpen: (type) => breakers.halt(type, clock.currentTimeMillisUnsafe()) !== null,
        walkSpeed: WALK_SPEED
      }
    })
  }

  opening(at: number): ReadonlyArray<Batch<PlatformEvent>> {
    return this.desks?.opening(at) ?? []
  }

  plan(): void {
    this.desks?.plan()
  }

  restart(): void {
    this.desks?.restart()
  }

  get isOwing(): boolean {
    return this.desks?.isOwing ?? false
  }

  committed(recorded: ReadonlyArray<ChainedEvent<PlatformEvent>>): void {
    this.desks?.committed(recorded)
  }

  hear(recorded: ReadonlyArray<Recorded<PlatformEvent>>): void {
    this.desks?.hear(recorded)
  }

  /** What it adds to the result of the world. */
  get result(): Pick<SimulationResult, "companyResponses"> {
    return this.desks === undefined ? {} : { companyResponses: byName(this.desks.answers) }
  }
}
