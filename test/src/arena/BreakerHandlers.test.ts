import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Breakers } from "../../../src/arena/Breakers.ts"
import { itLive } from "../../lib/Effects.ts"
import { openedArena, refusal } from "../../lib/OpenedArena.ts"
import type { TestServer } from "../../lib/TestServer.ts"

interface Answer {
  readonly breakers: ReadonlyArray<{ readonly scope: string; readonly status: string; readonly latched: boolean }>
  readonly transitions: ReadonlyArray<{ readonly scope: string; readonly status: string; readonly reason: string }>
}

const open = ({ breakers }: Answer) =>
  breakers.filter(({ status }) => status !== "closed").map(({ latched, scope, status }) => [scope, status, latched])

const trip = (server: TestServer, scope: "fx" | "global", reason: "order_overdue" | "ledger_imbalance") =>
  server.run(Effect.flatMap(Breakers, ({ trip }) => trip([{ scope, reason }], server.world.now)))

describe("/v1/breakers", () => {
  itLive("shows administrators what is open and why, and lets trading go on after a ledger that did not add up", () =>
    Effect.gen(function* () {
      const { server } = yield* openedArena()
      const as = yield* server.admin
      const shown = Effect.map(server.get<Answer>("/v1/breakers", as), ({ json }) => json)
      expect((yield* shown).breakers.map(({ scope }) => scope)).toEqual(["global", "commodity", "fx", "options", "gpu"])
      expect([open(yield* shown), (yield* shown).transitions]).toEqual([[], []])

      yield* trip(server, "fx", "order_overdue")
      expect(open(yield* shown)).toEqual([["fx", "open", false]])
      expect(refusal(yield* server.post("/v1/breakers/reset", undefined, { as }))).toEqual([409, "conflict", "at once"])

      yield* trip(server, "global", "ledger_imbalance")
      expect(open(yield* shown)).toEqual([
        ["global", "open", true],
        ["fx", "open", false]
      ])
      const onLedger = (change: number) =>
        server.run(
          Effect.flatMap(
            SqlClient,
            (sql) => sql`
              UPDATE ledger_accounts SET balance = balance + ${BigInt(change)}
              WHERE id = (SELECT min(id) FROM ledger_accounts WHERE id LIKE 'usr%')`
          )
        )
      yield* onLedger(1)
      expect(refusal(yield* server.post("/v1/breakers/reset", undefined, { as }))).toEqual([409, "conflict", "at once"])
      yield* onLedger(-1)
      const reset = yield* server.post<Answer>("/v1/breakers/reset", undefined, { as })
      expect([reset.status, open(reset.json)]).toEqual([
        200,
        [
          ["global", "half_open", false],
          ["fx", "open", false]
        ]
      ])
      expect((yield* shown).transitions.map(({ reason, scope, status }) => [scope, status, reason])).toEqual([
        ["global", "half_open", "operator_reset"],
        ["global", "open", "ledger_imbalance"],
        ["fx", "open", "order_overdue"]
      ])
      const audit = yield* server.get<ReadonlyArray<{ readonly actor_id: string }>>("/v1/audit?act=breaker.reset", as)
      expect(audit.json).toMatchObject([{ actor_id: as, subject_id: "global" }])
    })
  )

  itLive("is for administrators alone", () =>
    Effect.gen(function* () {
      const { server, trader } = yield* openedArena()
      expect(refusal(yield* server.get("/v1/breakers", trader.id))).toEqual([403, "access_denied", "at once"])
      expect(refusal(yield* server.post("/v1/breakers/reset", undefined, { as: trader.id }))).toEqual([
        403,
        "access_denied",
        "at once"
      ])
    })
  )
})
