import { Effect } from "effect"
import { REQUEST } from "../CreditArbitraries.ts"
import type { OperationRow } from "../OperationRows.ts"
import type { Fixture } from "../OperationFixture.ts"

/** Makes sure that the fixture's user has a score card. */
const scored = ({ mine, server }: Fixture) =>
  Effect.gen(function* () {
    const params = { profileId: mine.userId }
    const { status } = yield* server.get(`/v1/credit/profile/${mine.userId}`, mine.userId)
    if (status === 404) yield* server.post("/v1/credit/request", REQUEST, { as: mine.userId })
    return { params }
  })

/** The operations of credit. */
export const creditRows: Readonly<Record<string, OperationRow>> = {
  "POST /v1/credit/request": {
    tenancy: "own",
    send: (_, turn) => ({ body: { ...REQUEST, loanAmt: 1_000 + turn } })
  },
  "GET /v1/credit/profile/{profileId}": { tenancy: "refused", send: scored },
  "GET /v1/credit/profile/{profileId}/history": { tenancy: "refused", send: scored },
  "POST /v1/payments/terms": {
    tenancy: "refused",
    send: ({ mine }, turn) => ({ body: { company_id: mine.companyId, amount: 100 + turn, currency: "USD" } })
  }
}
