import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { decodeArenaEvent } from "../../../engine/arena/ArenaEvent.ts"
import type { TableRow } from "../../../engine/journal/TableRow.ts"
import { arenaProjection } from "../../../src/arena/ArenaProjection.ts"
import { LockedCommitmentsRepository } from "../../../src/arena/LockedCommitmentsRepository.ts"
import { itEffect as it } from "../../lib/Effects.ts"
import { sampleLog } from "../../lib/ReplayLog.ts"

const commitments = sampleLog()
  .filter(({ type }) => type === "CommitmentSubmitted")
  .map(({ data, ...place }) => ({ ...place, event: decodeArenaEvent(data) }))

const [first, second, third] = commitments

const totalsOf = (rows: ReadonlyArray<TableRow> | undefined) =>
  rows?.flatMap((row) => (row._tag === "Set" && row.table === "arena_vault_totals" ? [row.columns] : []))

describe("The projection of the arena", () => {
  it("reads the vault's totals once, and anew where a write is not certain", () =>
    Effect.gen(function* () {
      let reads = 0
      const stored = { generated: 7n, locked: 0n, commitments: 0n }
      const repository = LockedCommitmentsRepository.of({
        totals: Effect.sync(() => ((reads += 1), stored)),
        ofOrders: () => Effect.die(new Error("nothing is freed"))
      })
      const { aggregates } = yield* Effect.provideService(arenaProjection, LockedCommitmentsRepository, repository)
      const write = Effect.fnUntraced(function* (recorded: typeof first, isWritten: boolean) {
        const rows = recorded === undefined ? undefined : yield* aggregates![0]!.begin([recorded])
        const made = rows?.take(recorded!)
        if (isWritten) rows?.written()
        return totalsOf(made)?.[0]?.["active_commitments"]
      })
      expect([yield* write(first, true), yield* write(second, true), reads]).toEqual(["1", "2", 1])
      expect([yield* write(third, false), reads]).toEqual(["3", 1])
      expect([yield* write(third, true), reads]).toEqual(["1", 2])
    }))
})
