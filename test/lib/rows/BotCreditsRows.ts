import { Effect } from "effect"
import { makeBot } from "../CreditsFixture.ts"
import type { OperationRow } from "../OperationRows.ts"
import type { Fixture } from "../OperationFixture.ts"

/** A bot of `mine`. */
const robot = ({ mine, server }: Fixture) =>
  Effect.map(makeBot(server, { id: mine.userId, companyId: mine.companyId }), ({ botId }) => ({ bot_id: botId }))

const ofOne: OperationRow = {
  tenancy: "refused",
  send: (fixture) => Effect.map(robot(fixture), (params) => ({ params }))
}

/** The operations of bots' credits. */
export const botCreditsRows: Readonly<Record<string, OperationRow>> = {
  "GET /api/arena/machine-traders/credits/balance": { tenancy: "own", send: () => ({}) },
  "GET /api/arena/machine-traders/credits/rates": { tenancy: "public", send: () => ({}) },
  "GET /api/arena/machine-traders/credits/history": { tenancy: "own", send: () => ({}) },
  "GET /api/arena/machine-traders/{bot_id}/stats": ofOne,
  "GET /api/arena/machine-traders/{bot_id}/usage": ofOne,
  "POST /api/arena/machine-traders/{bot_id}/topup": {
    tenancy: "refused",
    send: (fixture, turn) =>
      Effect.map(robot(fixture), (params) => ({ params, body: { dollar_amount: (1 + (turn % 100)) / 100 } }))
  }
}
