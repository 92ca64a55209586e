import { Effect } from "effect"
import { Owners } from "../../../src/identity/users/Owners.ts"
import { submitKyc } from "../rows/KycRows.ts"
import type { TestServer } from "../TestServer.ts"
import { PARTIES, type Name, PRODUCTS } from "./PlatformCommands.ts"

/** A person of its own company, which sells one product. */
interface Member {
  readonly name: Name
  readonly userId: string
  readonly companyId: string
}

/** New companies on a server, known to its administrator and verified, with their products for sale. */
export interface PlatformActors {
  readonly server: TestServer
  readonly admin: string
  readonly members: Readonly<Record<Name, Member>>
  /** Ids of {@link PRODUCTS}, in their order. */
  readonly products: ReadonlyArray<string>
  /** The arena's order that they may commit to. */
  readonly arena: { readonly orderId: string; readonly entryPrice: number }
}

const INCOME = {
  annualIncome: 90_000,
  homeOwnership: true,
  empLength: "9",
  loanAmt: 5_000,
  purpose: "venture",
  desc: ""
}

/** What somebody asks credit with. */
export const creditBody = (income: number): typeof INCOME => ({ ...INCOME, annualIncome: income })

const member = Effect.fnUntraced(function* (server: TestServer, admin: string, name: Name) {
  const { id: userId } = yield* server.user()
  const { companyId } = yield* Effect.orDie(server.service(Owners).ownerOf(userId))
  const record = yield* submitKyc({ server }, userId)
  yield* server.request("PUT", `/v1/kyc/${record}/verify`, undefined, { as: admin })
  return { name, userId, companyId } satisfies Member
})

const offered = (server: TestServer, members: PlatformActors["members"]) =>
  Effect.forEach(PRODUCTS, ({ name, pieces, price, seller }) =>
    Effect.map(
      server.post<{ readonly id: string }>(
        "/v1/commerce/products",
        { name, price: Number(price) / 1_000_000, description: name, quantity: String(pieces) },
        { as: members[seller].userId }
      ),
      ({ json }) => json.id
    )
  )

interface Listed {
  readonly order_id: string
  readonly entry_price: number
}

/** Makes the actors. */
export const makeActors = Effect.fnUntraced(function* (server: TestServer) {
  const admin = yield* server.admin
  const [ada, bob, cyd] = yield* Effect.forEach(PARTIES, (name) => member(server, admin, name))
  const members = { ada, bob, cyd } as PlatformActors["members"]
  const products = yield* offered(server, members)
  const { json } = yield* server.get<{ readonly orders: ReadonlyArray<Listed> }>(
    "/api/arena/orders?asset_type=fx&limit=1",
    admin
  )
  const [listed] = json.orders
  const arena = { orderId: listed?.order_id ?? "", entryPrice: listed?.entry_price ?? 0 }
  return { server, admin, members, products, arena } satisfies PlatformActors
})

/** Gives the desk something to exchange with. */
export const fundDesk = Effect.fnUntraced(function* (server: TestServer) {
  const admin = yield* server.admin
  for (const type of ["USD", "EUR"]) {
    const body = { type, symbol: "1000000", external_reference: `desk-${type}` }
    yield* server.post("/v1/fx/desk", body, { as: admin })
  }
})
