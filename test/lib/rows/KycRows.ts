import { Effect } from "effect"
import type { OperationRow } from "../OperationRows.ts"
import { addParty, type Fixture } from "../OperationFixture.ts"

/** What a person submits, always the same. */
export const kycFacts = {
  fullnames: "Ada Example",
  address: "1 High Street, 9000 Ghent",
  phoneNumber: "+32 470 12 34 56",
  country: "BE",
  email: "ada@example.com",
  identityId: "BE-592-0013377-91"
} as const

/** Submits a user's record, and answers its id. */
export const submitKyc = ({ server }: Pick<Fixture, "server">, userId: string): Effect.Effect<string> =>
  Effect.map(server.post<{ readonly id: string }>("/v1/kyc", kycFacts, { as: userId }), ({ json }) => json.id)

/** A record of a new person that awaits review. */
const awaiting = (fixture: Fixture, turn: number) =>
  Effect.flatMap(addParty(fixture, `kyc${turn}@example.com`), ({ userId }) => submitKyc(fixture, userId))

/** The rows of KYC records. */
export const kycRows: Readonly<Record<string, OperationRow>> = {
  "POST /v1/kyc": { tenancy: "own", send: () => ({ body: kycFacts }) },
  "GET /v1/kyc": { tenancy: "own", send: () => ({}) },
  "GET /v1/kyc/{id}": {
    tenancy: "refused",
    send: (fixture) => Effect.map(submitKyc(fixture, fixture.mine.userId), (id) => ({ params: { id } }))
  },
  "PUT /v1/kyc/{id}/verify": {
    tenancy: "refused",
    as: "admin",
    send: (fixture, turn) => Effect.map(awaiting(fixture, turn), (id) => ({ params: { id } }))
  },
  "PUT /v1/kyc/{id}/reject": {
    tenancy: "refused",
    as: "admin",
    send: (fixture, turn) =>
      Effect.map(awaiting(fixture, turn), (id) => ({
        params: { id },
        body: { reason: "The document is not readable." }
      }))
  }
}
