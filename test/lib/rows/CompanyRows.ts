import { Effect } from "effect"
import type { OperationRow } from "../OperationRows.ts"
import type { Fixture } from "../OperationFixture.ts"

/** A company that `mine` manages. */
const managed = ({ mine, server }: Fixture, name: string) =>
  Effect.map(
    server.post<{ readonly id: string }>("/v1/companies", { name }, { as: mine.userId }),
    ({ json }) => json.id
  )

/** The rows of companies. */
export const companyRows: Readonly<Record<string, OperationRow>> = {
  "POST /v1/companies": {
    tenancy: "own",
    send: (_, turn) => ({
      body: { name: `Customer ${turn}`, tax_id: "BE0123456789", country: "BE", email: "buying@example.com" }
    })
  },
  "GET /v1/companies": { tenancy: "own", send: () => ({}) },
  "GET /v1/companies/{id}": {
    tenancy: "refused",
    send: (fixture, turn) => Effect.map(managed(fixture, `Read ${turn}`), (id) => ({ params: { id } }))
  },
  "PATCH /v1/companies/{id}": {
    tenancy: "refused",
    send: ({ mine }, turn) => ({ params: { id: mine.companyId }, body: { name: `Renamed ${turn}` } })
  },
  "PUT /v1/companies/{id}/plan": {
    tenancy: "refused",
    as: "admin",
    send: ({ mine }) => ({ params: { id: mine.companyId }, body: { plan: "standard" } })
  },
  "PUT /v1/companies/{id}/entitlements": {
    tenancy: "refused",
    as: "admin",
    send: (fixture, turn) =>
      Effect.map(managed(fixture, `Entitled ${turn}`), (id) => ({
        params: { id },
        body: { machine_trader: turn % 2 === 0 }
      }))
  },
  "PUT /v1/companies/{id}/verify": {
    tenancy: "refused",
    as: "admin",
    send: (fixture, turn) => Effect.map(managed(fixture, `Verified ${turn}`), (id) => ({ params: { id } }))
  }
}
