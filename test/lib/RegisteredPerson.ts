import { Effect } from "effect"
import { submitKyc } from "./rows/KycRows.ts"
import type { TestServer } from "./TestServer.ts"

/** Who registered in the browser. */
export interface RegisteredPerson {
  readonly id: string
  readonly email: string | null
  readonly company_id: string
}

/** The user of an email who registered in the browser: verified from then on, and with so many USD. */
export const verifiedPerson = (server: TestServer, email: string, usd: number) =>
  Effect.gen(function* () {
    const admin = yield* server.admin
    const { json } = yield* server.get<ReadonlyArray<RegisteredPerson>>("/v1/users?limit=100", admin)
    const person = json.find((one) => one.email === email)
    if (person === undefined) return yield* Effect.die("nobody registered")
    const kycId = yield* submitKyc({ server }, person.id)
    yield* server.request("PUT", `/v1/kyc/${kycId}/verify`, undefined, { as: admin })
    yield* server.post("/v1/funds", { owner: person.id, type: "USD", symbol: String(usd) }, { as: person.id })
    server.forgetTokens()
    return person
  })
