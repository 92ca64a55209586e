import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { JournalUnavailable } from "../../../engine/actor/Journal.ts"
import type { PaymentTerms } from "../../../engine/commerce/PaymentTerms.ts"
import { type Amount, fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { DueInstalments } from "../../../src/commerce/DueInstalments.ts"
import { PurchaseOrderRepository } from "../../../src/commerce/PurchaseOrderRepository.ts"
import { UnitOfWork } from "../../../src/database/UnitOfWork.ts"
import { itEffect } from "../../lib/Effects.ts"
import { Market } from "../../lib/Market.ts"

const DAY = 86_400_000
const NET_30 = { type: "net_30" } as const
const usd = (dollars: number): Amount => fromUnits(BigInt(dollars) * ONE)

const fixture = Effect.gen(function* () {
  const market = yield* Market.make()
  const { server } = market
  const buyer = yield* market.trader(usd(5_000), usd(5_000))
  const anvil = yield* market.offer(yield* market.trader(), 20, 10_000)
  const look = server.run(server.service(DueInstalments).look)
  const buy = (terms: PaymentTerms) => market.order(buyer, [[anvil.id, 1]], terms)
  return { market, server, buyer, buy, look }
})

describe("A look after a long stop", () => {
  itEffect("finds all that is overdue of an order, so that a payment of a part of it ends no freeze", () =>
    Effect.gen(function* () {
      const { buy, buyer, look, market, server } = yield* fixture
      const { json: order } = yield* buy({ type: "installments", installments: 4 })
      server.world.pass(130 * DAY)
      expect([yield* look, yield* look]).toEqual([4, 0])
      for (let part = 1; part <= 3; part++) {
        yield* market.act(order, "pay", buyer, { instalments: "next" })
        expect((yield* buy(NET_30)).json.code).toBe("credit_frozen")
      }
      yield* market.act(order, "pay", buyer, { instalments: "next" })
      expect((yield* buy(NET_30)).status).toBe(200)
      expect(yield* market.faults).toEqual([])
    })
  )

  itEffect("asks a journal that takes nothing once, and not for every order", () =>
    Effect.gen(function* () {
      const { buy, look, server } = yield* fixture
      for (let count = 0; count < 5; count++) yield* buy(NET_30)
      server.world.pass(31 * DAY)
      let asked = 0
      const refusing = Effect.map(UnitOfWork, (journal) => ({
        ...journal,
        append: () => {
          asked += 1
          return Effect.fail(new JournalUnavailable({ reason: "the disk is full", isUnwritten: true }))
        }
      }))
      const refused = yield* server.run(
        Effect.flatMap(DueInstalments, ({ look: looked }) => Effect.flip(looked)).pipe(
          Effect.provide(Layer.provide(Layer.fresh(DueInstalments.layer), PurchaseOrderRepository.layer)),
          Effect.provideServiceEffect(UnitOfWork, refusing)
        )
      )
      expect([refused._tag, asked]).toEqual(["Unavailable", 1])
      expect(yield* look).toBe(5)
    })
  )
})
