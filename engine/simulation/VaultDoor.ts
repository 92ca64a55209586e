import { Clock, Effect } from "effect"
import type { Journal, StaleVersion } from "../actor/Journal.ts"
import { decideVaultDeposits, VAULT_DEPOSITS_STREAM } from "../arena/VaultDeposits.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import { TICK_MILLIS } from "./SimulatedAgent.ts"
import type { Fork } from "./VirtualScheduler.ts"

/** Whether the vault takes deposits, as a fault has it. */
export class VaultDoor {
  readonly #journal: Journal<PlatformEvent>
  readonly #fork: Fork
  #isClosed = false

  constructor(journal: Journal<PlatformEvent>, fork: Fork) {
    this.#journal = journal
    this.#fork = fork
  }

  turn(closed: boolean): void {
    this.#isClosed = closed
    this.#fork(this.#turned)
  }

  /** Has the vault be as it is to be, however often that has to be asked for. */
  readonly #turned: Effect.Effect<unknown, StaleVersion> = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    this.#journal.append({
      stream: VAULT_DEPOSITS_STREAM,
      version: null,
      entries: [decideVaultDeposits(this.#isClosed, now)]
    })
  ).pipe(Effect.catchTag("JournalUnavailable", () => Effect.delay(this.#turned, TICK_MILLIS)))
}
