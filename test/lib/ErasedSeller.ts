import { expect } from "bun:test"
import { Effect } from "effect"
import { fromUnits, ONE } from "../../engine/money/Amount.ts"
import type { Market, ProductJson, Trader } from "./Market.ts"
import { PASSWORD } from "./OperationFixture.ts"

/** So many dollars. */
export const usd = (dollars: number) => fromUnits(BigInt(dollars) * ONE)

/** Somebody who is verified, in a company of its own. */
export const register = Effect.fnUntraced(function* (market: Market, email: string) {
  const body = { email, password: PASSWORD, company_name: `Company of ${email}` }
  const { json } = yield* market.server.post<{ readonly id: string }>("/api/v1/auth/register", body)
  const [row] = yield* market.sql<{ readonly company: string }>(
    `UPDATE users SET status = 'active' WHERE id = '${json.id}' RETURNING company_id AS company`
  )
  return { id: json.id, companyId: row?.company ?? "" } satisfies Trader
})

/** Somebody else of the same company. */
export const colleagueOf = Effect.fnUntraced(function* (market: Market, { companyId }: Trader) {
  const id = companyId.replace("cmp_", "usr_")
  yield* market.sql(`INSERT INTO users (id, company_id, role, status, created_at)
    VALUES ('${id}', '${companyId}', 'seller', 'active', 1)`)
  return { id, companyId } satisfies Trader
})

/** The principal of an API client that somebody makes. */
export const clientOf = Effect.fnUntraced(function* (market: Market, { companyId, id }: Trader) {
  const body = { name: "Robot", scopes: ["payments:write"] }
  const { json } = yield* market.server.post<{ readonly client_id: string }>("/v1/clients", body, { as: id })
  const [row] = yield* market.sql<{ readonly principal: string }>(
    `SELECT principal_id AS principal FROM api_clients WHERE client_id = '${json.client_id}'`
  )
  return { id: row?.principal ?? "", companyId, clientId: json.client_id }
})

/** What an administrator is answered. */
export const erase = (market: Market, { id }: Trader) =>
  Effect.flatMap(market.server.admin, (as) =>
    Effect.map(
      market.server.post<{ readonly message: string }>(`/v1/users/${id}/erasure`, undefined, { as }),
      ({ json, status }) => [status, json.message] as const
    )
  )

/** An erasure that is refused. */
export const refused = (because: string): readonly [number, string] => [409, expect.stringContaining(because)]

/** Sets how many pieces are for sale. */
export const setQuantity = (market: Market, { id }: ProductJson, quantity: string, as: Trader) =>
  market.server.request("PUT", `/v1/commerce/products/${id}`, { quantity }, { as: as.id })
