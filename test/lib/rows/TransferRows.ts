import { Effect } from "effect"
import type { OperationRow } from "../OperationRows.ts"
import type { Fixture } from "../OperationFixture.ts"
import { submitKyc } from "./KycRows.ts"

/** Lets `mine` send money. */
const verified = (fixture: Fixture) =>
  Effect.andThen(
    submitKyc(fixture, fixture.mine.userId),
    fixture.server.request("PUT", `/v1/users/verify/${fixture.mine.userId}`, undefined, { as: fixture.admin })
  )

const particulars = { country: "BE", description: "rent", createdDate: 1_790_000_000 }

const transferOf = ({ mine, theirs }: Fixture, turn: number) => ({
  pair: "USD/USD",
  quantity: `0.${String(1 + (turn % 9_999)).padStart(6, "0")}`,
  from: mine.userId,
  to: theirs.userId,
  ...particulars
})

const quoteOf = (turn: number) => ({ pair: "USD/EUR", trade: "Sell", quantity: (1_000 + (turn % 1_000)) / 1_000 })

/** Accounts whose check digits are right. */
const accountOf = (turn: number) => ({
  accountName: "Anna Peeters",
  accountNumber: `000-${String(turn).padStart(7, "0")}`,
  bankId: "BBRUBEBB"
})

const own = (send: OperationRow["send"] = () => ({})): OperationRow => ({ tenancy: "own", send })

/** The rows of transfers, held rates, beneficiaries and withdrawals. */
export const transferRows: Readonly<Record<string, OperationRow>> = {
  "POST /v1/transfers": {
    tenancy: "refused",
    send: (fixture, turn) => Effect.as(verified(fixture), { body: transferOf(fixture, turn) })
  },
  "GET /v1/transfers": own(() => ({ query: { direction: "sent" } })),
  "GET /v1/transfers/{id}": {
    tenancy: "refused",
    send: (fixture, turn) =>
      Effect.gen(function* () {
        yield* verified(fixture)
        const id = `toMyself-${turn}`
        const exchange = { pair: "USD/EUR", mode: "international", to: fixture.mine.userId }
        yield* fixture.server.post(
          "/v1/transfers",
          { ...transferOf(fixture, turn), ...exchange, id },
          { as: fixture.mine.userId }
        )
        return { params: { id } }
      })
  },
  "POST /v1/transfers/to": own((_, turn) => ({ body: accountOf(turn) })),
  "GET /v1/transfers/to": own(),
  "DELETE /v1/transfers/to/{id}": {
    tenancy: "refused",
    send: ({ mine, server }, turn) =>
      Effect.map(
        server.post<{ readonly id: string }>("/v1/transfers/to", accountOf(9_000_000 + (turn % 1_000_000)), {
          as: mine.userId
        }),
        ({ json }) => ({ params: { id: json.id } })
      )
  },
  "POST /v1/withdraw": {
    tenancy: "refused",
    send: (fixture, turn) =>
      Effect.as(verified(fixture), {
        body: { quantity: `0.${String(1 + (turn % 9_999)).padStart(6, "0")}`, id: fixture.mine.fundId }
      })
  },
  "GET /v1/withdraw": own(),
  "POST /v1/fx/quotes": own((_, turn) => ({ body: quoteOf(turn) })),
  "GET /v1/fx/quotes/{id}": {
    tenancy: "refused",
    send: ({ mine, server }, turn) =>
      Effect.map(
        server.post<{ readonly id: string }>("/v1/fx/quotes", quoteOf(turn), { as: mine.userId }),
        ({ json }) => ({ params: { id: json.id } })
      )
  },
  "GET /v1/fx/desk": { tenancy: "refused", as: "admin", send: () => ({}) },
  "POST /v1/fx/desk": {
    tenancy: "refused",
    as: "admin",
    send: (_, turn) => ({ body: { type: "EUR", symbol: "1000", external_reference: `desk-${turn}` } })
  },
  "GET /v1/funds/{id}/entries": { tenancy: "refused", send: ({ mine }) => ({ params: { id: mine.fundId } }) }
}
