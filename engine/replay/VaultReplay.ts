import type { ArenaEvent } from "../arena/ArenaEvent.ts"
import type { OrderState } from "../arena/Order.ts"
import { totalOf } from "./OrderFactsOf.ts"
import type { RowSink } from "./RowSink.ts"
import type { StateRow } from "./StateTable.ts"
import type { StoredEvent } from "./StoredEvent.ts"

/** The vault's running totals as the events make them. */
export class VaultReplay {
  readonly #sink: RowSink
  #generated = 0n
  #locked = 0n
  #active = 0n
  #event: StoredEvent | undefined

  constructor(sink: RowSink) {
    this.#sink = sink
  }

  /** @param before - the order's locked commitments before the event, and after it */
  step(event: ArenaEvent, before: Locked, after: Locked, stored: StoredEvent): void {
    for (const paid of "yields" in event ? event.yields : []) this.#generated += totalOf(paid)
    this.#locked += after.collateral - before.collateral
    this.#active += after.count - before.count
    this.#event = stored
    if (this.#sink.history) this.#sink.put(this.#row, stored)
  }

  finish(): void {
    if (this.#event !== undefined) this.#sink.put(this.#row, this.#event)
  }

  get #row(): StateRow {
    return {
      table: "arena_vault_totals",
      values: ["true", `${this.#generated}`, `${this.#locked}`, `${this.#active}`]
    }
  }
}

/** Commitments whose collateral is locked. */
export interface Locked {
  readonly collateral: bigint
  readonly count: bigint
}

export const NONE_LOCKED: Locked = { collateral: 0n, count: 0n }

/** What an order keeps locked. */
export const lockedBy = (state: OrderState): Locked => {
  let { collateral, count } = NONE_LOCKED
  for (const commitment of state.commitments.values()) {
    if (commitment.status !== "active" && commitment.status !== "won") continue
    collateral += commitment.collateral
    count += 1n
  }
  return { collateral, count }
}
