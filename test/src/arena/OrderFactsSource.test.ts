import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { opened } from "../../../engine/arena/Order.ts"
import { orderPrice } from "../../../engine/arena/OrderTemplate.ts"
import { OrderFactsSource } from "../../../src/arena/OrderFactsSource.ts"
import { OrderRepository } from "../../../src/arena/OrderRepository.ts"
import { itLive } from "../../lib/Effects.ts"
import { openedArena, registration } from "../../lib/OpenedArena.ts"
import type { TestServer } from "../../lib/TestServer.ts"

const stateOf = Effect.fnUntraced(function* (server: TestServer, assetType: "fx" | "options") {
  const repository = server.service(OrderRepository)
  const { orders } = yield* Effect.orDie(repository.list({ assetType, status: undefined, limit: 1, offset: 0 }))
  const [first] = yield* Effect.orDie(repository.events(orders[0]?.orderId ?? ""))
  return first?._tag === "OrderOpened" ? opened(first.terms) : yield* Effect.die("the order was never opened")
})

describe("OrderFactsSource", () => {
  itLive("prices an option's order by the premium at its underlying's medians from expiry on", () =>
    Effect.gen(function* () {
      const { server } = yield* openedArena()
      const state = yield* stateOf(server, "options")
      yield* server.tick(89_000)
      yield* server.tick(1_000)
      server.world.move(1_010n)
      yield* server.tick(5_000)
      const { medians } = yield* Effect.orDie(server.service(OrderFactsSource).of(state, server.world.now))
      const price = server.world.prices.get(state.terms.asset)
      expect(medians.map(({ at }) => at)).toEqual([state.terms.expiryAt, state.terms.expiryAt + 5_000])
      expect(medians[1]?.price).toBe(
        orderPrice(state.terms, { at: server.world.now, price: price ?? state.terms.entryPrice })
      )
    })
  )

  itLive("names the owners that had a machine of the type before expiry", () =>
    Effect.gen(function* () {
      const { server, trader } = yield* openedArena()
      const as = yield* server.admin
      const state = yield* stateOf(server, "fx")
      const owners = () =>
        Effect.map(Effect.orDie(server.service(OrderFactsSource).of(state, server.world.now)), ({ machineOwners }) => [
          ...machineOwners
        ])
      expect(yield* owners()).toEqual([])
      yield* server.post("/api/arena/machine-traders", registration({ capabilities: ["gpu"] }), { as })
      expect(yield* owners()).toEqual([])
      server.world.pass(89_999)
      yield* server.post("/api/arena/machine-traders", registration({ agent_id: "agent-2" }), { as })
      expect(yield* owners()).toEqual([trader.companyId])
      server.world.pass(1)
      const late = registration({ agent_id: "agent-3", wallet_address: `0x${"2".repeat(40)}` })
      yield* server.post("/api/arena/machine-traders", late, { as })
      expect(yield* owners()).toEqual([trader.companyId])
    })
  )
})
