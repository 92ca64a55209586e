import { Effect } from "effect"
import { makeBot } from "../CreditsFixture.ts"
import type { OperationRow } from "../OperationRows.ts"
import type { Scene } from "../OperationFixture.ts"

/** A bot of `mine`, with credits to decide with. */
const robot = Effect.fnUntraced(function* ({ admin, mine, server }: Scene) {
  yield* server.request("PUT", `/v1/companies/${mine.companyId}/plan`, { plan: "enterprise" }, { as: admin })
  const { botId } = yield* makeBot(server, { id: mine.userId, companyId: mine.companyId })
  return { bot_id: botId }
})

/** The operations of what bots decide. */
export const botDecisionRows: Readonly<Record<string, OperationRow>> = {
  "POST /api/arena/machine-traders/{bot_id}/evaluate": {
    tenancy: "refused",
    send: (scene) => Effect.map(robot(scene), (params) => ({ params, body: { order_id: scene.orderId } }))
  },
  "GET /api/arena/machine-traders/{bot_id}/decisions": {
    tenancy: "refused",
    send: (scene) => Effect.map(robot(scene), (params) => ({ params }))
  }
}
