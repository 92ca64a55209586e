import { Effect } from "effect"
import { RequestRecorder } from "../../../src/requests/RequestRecorder.ts"
import type { OperationRow } from "../OperationRows.ts"
import type { Fixture } from "../OperationFixture.ts"

interface Listed {
  readonly id: string
}

/** A request of `mine` that is in the log. */
const logged = ({ mine, server }: Fixture) =>
  Effect.gen(function* () {
    yield* server.post("/v1/funds", {}, { as: mine.userId })
    yield* server.service(RequestRecorder).flush
    const { json } = yield* server.get<ReadonlyArray<Listed>>("/v1/requests?limit=1", mine.userId)
    return { params: { id: json[0]?.id ?? "" } }
  })

/** The rows of the log of requests. */
export const requestRows: Readonly<Record<string, OperationRow>> = {
  "GET /v1/requests": { tenancy: "own", send: () => ({ query: { operation: "POST /v1/funds" } }) },
  "GET /v1/requests/{id}": { tenancy: "refused", send: logged }
}
