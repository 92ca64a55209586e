import { Effect } from "effect"
import type { Recorded } from "../../engine/actor/Journal.ts"
import type { ArenaEvent } from "../../engine/arena/ArenaEvent.ts"
import { ArenaRows, freeingOrders, totalsRow, type VaultTotals } from "../../engine/arena/ArenaRows.ts"
import { isOf, type PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { Receipt } from "../api/Arena.ts"
import type { AggregateProjection, ContextProjection } from "../database/Projection.ts"
import { storedAs } from "../http/KeptResponse.ts"
import { receiptOf } from "./CommitmentReceipt.ts"
import { LockedCommitmentsRepository } from "./LockedCommitmentsRepository.ts"

const stored = storedAs(Receipt)

const isOfOrders = isOf("order")

const isOwn = (recorded: Recorded<PlatformEvent>): recorded is Recorded<ArenaEvent> => isOfOrders(recorded.event)

/** The rows of orders and commitments event by event, and behind the last one those of the vault's totals. */
const arenaRows = Effect.map(LockedCommitmentsRepository, ({ ofOrders, totals }): AggregateProjection => {
  // What the tables have, while that is certain.
  let known: VaultTotals | undefined
  return {
    begin: Effect.fnUntraced(function* (events) {
      const own = events.filter(isOwn)
      const last = own.at(-1)
      if (last === undefined) return undefined
      const before = known ?? (yield* totals)
      known = undefined
      const freeing = freeingOrders(own.map(({ event }) => event))
      const rows = new ArenaRows(before, freeing.size === 0 ? new Map() : yield* ofOrders(freeing))
      return {
        take: (recorded) => {
          if (!isOwn(recorded)) return []
          const made = rows.take(recorded)
          return recorded.seq === last.seq ? [...made, totalsRow(rows.totals)] : made
        },
        written: () => {
          known = rows.totals
        }
      }
    })
  }
})

/** The rows of orders, commitments and the vault's totals. */
export const arenaProjection = Effect.map(arenaRows, (rows): ContextProjection => ({
  aggregates: [rows],
  answers: { CommitmentSubmitted: (recorded) => stored(receiptOf(recorded)) }
}))
