import type { BotCompanies } from "./BotCompanies.ts"
import type { BotProjection } from "./BotProjection.ts"
import type { CollateralPeaks } from "./CollateralPeaks.ts"
import type { FaultBoard } from "./FaultBoard.ts"
import type { HaltDesk } from "./HaltDesk.ts"
import type { OrderArchive } from "./OrderArchive.ts"
import type { SimulatedPlatform } from "./platform/SimulatedPlatform.ts"
import { added, byName, type Reached } from "./ReachedRecord.ts"
import type { Scenario } from "./Scenario.ts"
import type { SimulatedArena } from "./SimulatedArena.ts"
import type { SimulatedJournal } from "./SimulatedJournal.ts"
import type { LineDigest, SimulationHashing } from "./SimulationHashing.ts"
import type { SimulationResult, Violation } from "./SimulationResult.ts"
import { botRows, traderRows } from "./SimulationRows.ts"
import type { TraderDesk } from "./TraderDesk.ts"
import type { VirtualClock } from "./VirtualClock.ts"

/** The parts of a world that have something to tell. */
export interface WorldResultParts {
  readonly scenario: Scenario
  readonly hashing: SimulationHashing
  readonly clock: VirtualClock
  readonly journal: SimulatedJournal
  readonly arena: SimulatedArena
  readonly archive: OrderArchive
  readonly peaks: CollateralPeaks
  readonly board: FaultBoard
  readonly desk: TraderDesk
  readonly halts: HaltDesk
  readonly bots: BotProjection
  readonly companies: BotCompanies
  readonly platform: SimulatedPlatform
  /** Of all events' bytes. */
  readonly bytes: LineDigest
  readonly reached: Reached
  readonly violation: Violation | null
}

/** Everything that a world has to tell once it has ended. */
export const worldResult = ({
  arena,
  archive,
  board,
  bots,
  bytes,
  clock,
  companies,
  desk,
  halts,
  hashing,
  journal,
  peaks,
  platform,
  reached,
  scenario,
  violation
}: WorldResultParts): SimulationResult => {
  const state = hashing.digest()
  for (const text of archive.stateText()) state.update(text)
  return {
    seed: scenario.spec.seed,
    events: journal.lastSeq,
    commits: journal.commits,
    messages: arena.messages,
    stateHash: state.hex(),
    eventsHash: bytes.hex(),
    startedAt: scenario.startedAt,
    endedAt: scenario.startedAt + clock.elapsed,
    orders: archive.rows(),
    traders: traderRows(scenario.traders, archive.byTrader, journal, peaks, desk.tallies),
    bots: botRows(bots, archive.byBot),
    faults: board.struck,
    answers: byName(added(desk.answers, halts.answers)),
    botResponses: byName(companies.answers),
    ...platform.result,
    restarts: arena.restarts + companies.restarts,
    reached,
    violation
  }
}
