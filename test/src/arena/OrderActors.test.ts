import { describe, expect } from "bun:test"
import { Effect, Exit } from "effect"
import { orderStream } from "../../../engine/arena/Order.ts"
import { OrderActors } from "../../../src/arena/OrderActors.ts"
import { UnitOfWork } from "../../../src/database/UnitOfWork.ts"
import { itLive } from "../../lib/Effects.ts"
import { openedArena, refusal } from "../../lib/OpenedArena.ts"

describe("OrderActors", () => {
  itLive("give each of many commitments at once its own place", () =>
    Effect.gen(function* () {
      const { commit, order, server } = yield* openedArena()
      const answers = yield* Effect.forEach(Array.from({ length: 50 }), () => commit({ quantity: 1 }), {
        concurrency: "unbounded"
      })
      const ids = answers.map(({ json }) => json.data.commitment_id)
      expect(new Set(ids)).toEqual(
        new Set(Array.from({ length: 50 }, (_, index) => `com_${order.order_id.slice(4)}_${index + 1}`))
      )
      expect(server.service(OrderActors).size()).toBe(1)
    })
  )

  itLive("have none for an order that is not there", () =>
    Effect.gen(function* () {
      const { server } = yield* openedArena()
      const actors = server.service(OrderActors)
      const asked = yield* Effect.exit(actors.ask("ord_none", { _tag: "Advance" }))
      expect(Exit.isFailure(asked) && String(asked.cause)).toContain("OrderNotFound")
      expect(actors.size()).toBe(0)
    })
  )

  itLive("accept nothing before what was recorded, where the clock steps back while the server starts", () =>
    Effect.gen(function* () {
      const { commit, server, trader } = yield* openedArena()
      const accepted = Effect.map(
        server.get<{ readonly commitments: ReadonlyArray<{ readonly created_at: string }> }>(
          "/api/arena/commitments/my",
          trader.id
        ),
        ({ json }) => json.commitments.map(({ created_at: at }) => Date.parse(at))
      )
      server.world.pass(5_000)
      yield* commit({ quantity: 1 })
      const before = server.world.now
      server.world.pass(-2_000)
      yield* server.restart()
      expect((yield* commit({ quantity: 2 })).status).toBe(200)
      expect(yield* accepted).toEqual([before, before])
    })
  )

  itLive("write nothing on a stale state, and go on from the true one", () =>
    Effect.gen(function* () {
      const { commit, order, server } = yield* openedArena()
      expect((yield* commit({ quantity: 1 })).status).toBe(200)
      const event = { _tag: "OrderClosed", at: server.world.now, orderId: order.order_id } as const
      const batch = { stream: orderStream(order.order_id), version: 2, entries: [{ commands: [], event }] }
      yield* Effect.orDie(server.service(UnitOfWork).append(batch))
      expect(refusal(yield* commit({ quantity: 1 }))).toEqual([503, "unavailable", "later"])
      const again = Effect.flatMap(commit({ quantity: 1 }), (answer) =>
        answer.status === 503 ? Effect.fail("restarting") : Effect.succeed(answer)
      )
      expect(refusal(yield* Effect.eventually(again))).toEqual([410, "ARENA_004", "at once"])
    })
  )
})
