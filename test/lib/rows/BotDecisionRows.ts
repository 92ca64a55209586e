import { Effect } from "effect"
import { makeBot } from "../CreditsFixture.ts"
import type { OperationRow } from "../OperationRows.ts"
import type { Fixture } from "../OperationFixture.ts"

/** A bot of `mine`, with credits to decide with. */
const robot = Effect.fnUntraced(function* ({ admin, mine, server }: Fixture) {
  yield* server.request("PUT", `/v1/companies/${mine.companyId}/plan`, { plan: "enterprise" }, { as: admin })
  const { botId } = yield* makeBot(server, { id: mine.userId, companyId: mine.companyId })
  return { bot_id: botId }
})

/** The operations of what bots decide. */
export const botDecisionRows: Readonly<Record<string, OperationRow>> = {
  "POST /api/arena/machine-traders/{bot_id}/evaluate": {
    tenancy: "refused",
    send: (fixture) => Effect.map(robot(fixture), (params) => ({ params, body: { order_id: fixture.orderId } }))
  },
  "GET /api/arena/machine-traders/{bot_id}/decisions": {
    tenancy: "refused",
    send: (fixture) => Effect.map(robot(fixture), (params) => ({ params }))
  }
}
