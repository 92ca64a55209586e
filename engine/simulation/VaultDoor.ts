import { Clock, Effect } from "effect"
import type { ChainedEvent } from "../actor/CommitGroup.ts"
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
  /** What to call once an entry is recorded that closes the vault, by its event. */
  readonly #closing = new Map<object, () => void>()
  #isClosed = false

  constructor(parts: VaultDoorParts, random: SeededRandom) {
    this.#parts = parts
    this.#random = random
  }

  /** `onClosed` is called once it is recorded that the vault is closed, if it comes to that. */
  turn(closed: boolean, onClosed: () => void = () => {}): void {
    const { clock, fork } = this.#parts
    this.#isClosed = closed
    clock.schedule(clock.elapsed + this.#random.below(HEARD_MILLIS), () => fork(this.#turned(onClosed)))
  }

  /** Events became durable. */
  committed(recorded: ReadonlyArray<ChainedEvent<PlatformEvent>>): void {
    for (const { event } of this.#closing.size > 0 ? recorded : []) {
      this.#closing.get(event)?.()
      this.#closing.delete(event)
    }
  }

  /** Has the vault be as it is to be, however often that has to be asked for. */
  #turned(onClosed: () => void): Effect.Effect<unknown, StaleVersion> {
    return Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const entry = decideVaultDeposits(this.#isClosed, now)
      if (entry.event.closed) this.#closing.set(entry.event, onClosed)
      return this.#parts.journal.append({ stream: VAULT_DEPOSITS_STREAM, version: null, entries: [entry] })
    }).pipe(Effect.catchTag("JournalUnavailable", () => Effect.delay(this.#turned(onClosed), TICK_MILLIS)))
  }
}
