import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { bothWays } from "../../lib/BothWays.ts"
import { itLive } from "../../lib/Effects.ts"
import { TestServer } from "../../lib/TestServer.ts"

describe("A transfer before the router", () => {
  itLive("is answered as the router answers it", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const [sender, recipient] = [yield* server.user(), yield* server.user()]
      yield* server.mint(sender.id, fromUnits(100n * ONE))
      const transfer = {
        pair: "USD/USD",
        quantity: "1.5",
        from: sender.id,
        to: recipient.id,
        country: "US",
        description: "Rent",
        createdDate: 1
      }
      const bodies: ReadonlyArray<unknown> = [
        transfer,
        { ...transfer, id: "mine" },
        { ...transfer, id: "mine", quantity: "2" },
        { ...transfer, from: recipient.id },
        { ...transfer, to: "usr_none" },
        { ...transfer, quantity: "1000" },
        { ...transfer, quantity: "-1" },
        { ...transfer, mode: "local", fxQuote: 1.1 },
        { ...transfer, pair: "USD" },
        {},
        null
      ]
      const statuses: Array<number | undefined> = []
      for (const body of bodies) {
        const [direct, routed] = yield* bothWays(server, "/v1/transfers", sender.id, JSON.stringify(body))
        expect(direct).toEqual(routed)
        statuses.push(direct?.status)
      }
      expect(statuses).toEqual([200, 200, 409, 403, 404, 422, 400, 200, 400, 400, 400])
      const funds = yield* server.get<ReadonlyArray<{ readonly symbol: string }>>("/v1/funds", sender.id)
      expect(funds.json[0]?.symbol).toBe("92.5")
    })
  )
})
