import { describe, expect } from "bun:test"
import { Effect } from "effect"
import type { BenchPostgres } from "../../../scripts/bench/BenchPostgres.ts"
import type { BenchWorld } from "../../../scripts/bench/BenchWorld.ts"
import { conventionalMarket } from "../../../scripts/bench/ConventionalMarket.ts"
import { registry } from "../../../src/database/migrations/Registry.ts"
import { itEffect } from "../../lib/Effects.ts"

const world: BenchWorld = {
  traders: [{ userId: "usr_1", companyId: "cmp_1", token: "t" }],
  tokens: ["t"],
  orderIds: ["ord_1", "ord_2"]
}

describe("conventionalMarket", () => {
  itEffect("runs the migrations of its day and no later one, then fills the tables", () =>
    Effect.gen(function* () {
      const ran: Array<string> = []
      const script = (_: string, statements: ReadonlyArray<string>) => Effect.sync(() => void ran.push(...statements))
      const postgres = { create: () => Effect.succeed("peer"), script } as Partial<BenchPostgres> as BenchPostgres
      expect(yield* conventionalMarket(postgres, world)).toBe("peer")
      const before = registry.filter(({ id }) => id <= 44).flatMap(({ up }) => up)
      expect(ran.slice(0, before.length)).toEqual(before)
      const filled = ran.slice(before.length).map((statement) => /^(?:INSERT INTO (\w+)|ANALYZE)/.exec(statement)?.[1])
      expect(filled).toEqual([
        "companies",
        "users",
        "ledger_accounts",
        "event_streams",
        "events",
        "arena_orders",
        undefined
      ])
    })
  )
})
