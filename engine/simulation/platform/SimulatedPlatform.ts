import type { ChainedEvent } from "../../actor/CommitGroup.ts"
import type { Batch, Recorded } from "../../actor/Journal.ts"
import type { BreakerPanel } from "../../arena/BreakerPanel.ts"
import { SOURCE_FRESH_MILLIS } from "../../arena/PriceBand.ts"
import type { PriceHistory } from "../../arena/PriceHistory.ts"
import type { DeskView } from "../../fx/DeskPrices.ts"
import type { PlatformEvent } from "../../replay/PlatformEvent.ts"
import { type PriceFeed, WALK_SPEED } from "../PriceFeed.ts"
import { byName } from "../ReachedRecord.ts"
import type { Scenario } from "../Scenario.ts"
import type { SimulationResult } from "../SimulationResult.ts"
import type { VirtualClock } from "../VirtualClock.ts"
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

/** What the exchange desk looks at: the last recorded prices as long as they are fresh. */
export const deskViewOf = ({
  breakers,
  clock,
  feed,
  history
}: {
  readonly clock: Pick<VirtualClock, "currentTimeMillisUnsafe">
  readonly feed: Pick<PriceFeed, "latest">
  readonly breakers: Pick<BreakerPanel, "breakers">
  readonly history: PriceHistory
}): DeskView => ({
  fresh: (asset) => {
    const last = feed.latest(asset)
    const isFresh = last !== undefined && clock.currentTimeMillisUnsafe() - last.at <= SOURCE_FRESH_MILLIS
    return isFresh ? { price: last.price, simulated: true } : undefined
  },
  history,
  isOpen: (type) => breakers.breakers.scopes[type].state === "open",
  walkSpeed: WALK_SPEED
})

/** The companies of a world. One that has none is the same to the byte as before there could be some. */
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
      view: deskViewOf({ clock, feed, breakers, history })
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
