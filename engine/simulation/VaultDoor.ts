import { Clock, Effect } from "effect"
import type { Journal, StaleVersion } from "../actor/Journal.ts"
import { decideVaultDeposits, VAULT_DEPOSITS_STREAM } from "../arena/VaultDeposits.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { SeededRandom } from "./SeededRandom.ts"
import { TICK_MILLIS } from "./SimulatedAgent.ts"
import type { VirtualClock } from "./VirtualClock.ts"
import type { Fork } from "./VirtualScheduler.ts"

export interface VaultDoorParts {
  readonly clock: VirtualClock
  readonly journal: Journal<PlatformEvent>
  readonly fork: Fork
}

/** The platform hears of a change within so many milliseconds. */
const HEARD_MILLIS = 1_000

/** Whether the vault takes deposits, as a fault has it. */
export class VaultDoor {
  readonly #parts: VaultDoorParts
  readonly #random: SeededRandom
  #isClosed = false

  constructor(parts: VaultDoorParts, random: SeededRandom) {
    this.#parts = parts
    this.#random = random
  }

  turn(closed: boolean): void {
    const { clock, fork } = this.#parts
    this.#isClosed = closed
    clock.schedule(clock.elapsed + this.#random.below(HEARD_MILLIS), () => fork(this.#turned))
  }

  /** Has the vault be as it is to be, however often that has to be asked for. */
  readonly #turned: Effect.Effect<unknown, StaleVersion> = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    this.#parts.journal.append({
      stream: VAULT_DEPOSITS_STREAM,
      version: null,
      entries: [decideVaultDeposits(this.#isClosed, now)]
    })
  ).pipe(Effect.catchTag("JournalUnavailable", () => Effect.delay(this.#turned, TICK_MILLIS)))
}
