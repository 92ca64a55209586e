import { Effect } from "effect"
import { makeBot } from "../CreditsFixture.ts"
import type { OperationRow } from "../OperationRows.ts"
import type { Fixture } from "../OperationFixture.ts"

const PATH = "/api/arena/machine-traders"

/** An inactive bot of `mine`, whose plan has room for it. */
const robot = Effect.fnUntraced(function* ({ admin, mine, server }: Fixture) {
  yield* server.request("PUT", `/v1/companies/${mine.companyId}/plan`, { plan: "enterprise" }, { as: admin })
  yield* server.post(`${PATH}/pause-all`, undefined, { as: mine.userId })
  const { botId } = yield* makeBot(server, { id: mine.userId, companyId: mine.companyId })
  return { bot_id: botId }
})

/** One that went through these acts. */
const after = Effect.fnUntraced(function* (fixture: Fixture, acts: ReadonlyArray<string>) {
  const params = yield* robot(fixture)
  for (const act of acts) {
    yield* fixture.server.post(`${PATH}/${params.bot_id}/${act}`, undefined, { as: fixture.mine.userId })
  }
  return params
})

const act = (...before: ReadonlyArray<string>): OperationRow => ({
  tenancy: "refused",
  send: (fixture) => Effect.map(after(fixture, before), (params) => ({ params }))
})

const cents = (turn: number) => (1 + (turn % 100)) / 100

/** The rows of bots. */
export const botRows: Readonly<Record<string, OperationRow>> = {
  "GET /api/arena/machine-traders": { tenancy: "own", send: () => ({}) },
  "GET /api/arena/machine-traders/{bot_id}": act(),
  "GET /api/arena/machine-traders/{bot_id}/commitments": act(),
  "PATCH /api/arena/machine-traders/{bot_id}": {
    tenancy: "refused",
    send: (fixture, turn) => Effect.map(robot(fixture), (params) => ({ params, body: { name: `Robot ${turn}` } }))
  },
  "POST /api/arena/machine-traders/{bot_id}/start": act(),
  "POST /api/arena/machine-traders/{bot_id}/pause": act("start"),
  "POST /api/arena/machine-traders/{bot_id}/resume": act("start", "pause"),
  "POST /api/arena/machine-traders/{bot_id}/terminate": act("start"),
  "POST /api/arena/machine-traders/{bot_id}/fund": {
    tenancy: "refused",
    send: (fixture, turn) => Effect.map(robot(fixture), (params) => ({ params, body: { amount: cents(turn) } }))
  },
  "POST /api/arena/machine-traders/{bot_id}/withdraw": {
    tenancy: "refused",
    send: (fixture, turn) =>
      Effect.gen(function* () {
        const params = yield* robot(fixture)
        yield* fixture.server.post(`${PATH}/${params.bot_id}/fund`, { amount: 1 }, { as: fixture.mine.userId })
        return { params, body: { amount: cents(turn) } }
      })
  },
  "POST /api/arena/machine-traders/pause-all": { tenancy: "own", send: () => ({}) },
  "GET /api/arena/machine-traders/kill-switch": { tenancy: "own", send: () => ({}) },
  "DELETE /api/arena/machine-traders/kill-switch": { tenancy: "own", send: () => ({}) },
  "GET /api/arena/machine-traders/cancel-after": { tenancy: "own", send: () => ({}) },
  "POST /api/arena/machine-traders/cancel-after": {
    tenancy: "own",
    send: (_, turn) => ({ body: { timeout_seconds: turn % 60 } })
  }
}
