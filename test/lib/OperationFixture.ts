import { Effect, Redacted } from "effect"
import type { Scope } from "effect"
import { fromUnits, ONE } from "../../engine/money/Amount.ts"
import { type Scope as Granted, SCOPES } from "../../src/api/Authorization.ts"
import { AccessTokens, FIRST_PARTY } from "../../src/identity/tokens/AccessTokens.ts"
import { Owners } from "../../src/identity/users/Owners.ts"
import { SeededClient } from "../../src/identity/clients/SeededClient.ts"
import { TestServer, type Variables } from "./TestServer.ts"

export const PASSWORD = "correct horse battery staple"

/** A person of its own company, with something in each place that holds things. */
interface Party {
  readonly userId: string
  readonly companyId: string
  readonly email: string
  readonly fundId: string
  readonly commitmentId: string
}

/** A running server with two tenants, an administrator and an order. */
export interface Fixture {
  readonly server: TestServer
  readonly mine: Party
  readonly theirs: Party
  readonly admin: string
  readonly client: { readonly client_id: string; readonly client_secret: string }
  readonly orderId: string
  readonly entryPrice: number
}

/** Terms that the fixture's order takes. */
export const termsOf = ({ entryPrice, orderId }: Pick<Fixture, "orderId" | "entryPrice">, quantity: number) => ({
  order_id: orderId,
  proposed_entry_price: entryPrice,
  expected_exit_price: Number((entryPrice * 1.05).toFixed(4)),
  quantity
})

interface Listed {
  readonly order_id: string
  readonly entry_price: number
}

/** What a party begins with, in USD. */
export const THOUSAND = fromUnits(1_000n * ONE)

const party = Effect.fnUntraced(function* (
  server: TestServer,
  order: Pick<Fixture, "orderId" | "entryPrice">,
  email: string
) {
  const body = { email, password: PASSWORD, company_name: `Company of ${email}` }
  const { json: user } = yield* server.post<{ readonly id: string }>("/api/v1/auth/register", body)
  const { json: fund } = yield* server.mint(user.id, THOUSAND)
  const { json: receipt } = yield* server.post<{ readonly data: { readonly commitment_id: string } }>(
    "/api/arena/commitments",
    termsOf(order, 1),
    { as: user.id }
  )
  const { companyId } = yield* Effect.orDie(server.service(Owners).ownerOf(user.id))
  return {
    userId: user.id,
    companyId,
    email,
    fundId: (fund as { readonly id: string }).id,
    commitmentId: receipt.data.commitment_id
  }
})

/** A further person of a fixture, of its own company. */
export const addParty = (
  fixture: Pick<Fixture, "server" | "orderId" | "entryPrice">,
  email: string
): Effect.Effect<Party> => party(fixture.server, fixture, email)

/** An order of the next slot, which takes commitments. */
export const openOrder = Effect.fnUntraced(function* (server: TestServer) {
  yield* server.tick()
  const { json } = yield* server.get<{ readonly orders: ReadonlyArray<Listed> }>(
    "/api/arena/orders?asset_type=fx",
    yield* server.admin
  )
  const [listed] = json.orders
  return { orderId: listed?.order_id ?? "", entryPrice: listed?.entry_price ?? 0 }
})

/** Makes a fixture; its server stops with the scope. */
export const makeFixture = (variables: Variables = {}): Effect.Effect<Fixture, never, Scope.Scope> =>
  Effect.flatMap(TestServer.make(variables), makeFixtureOn)

/** The same on a server of one's own. */
export const makeFixtureOn = Effect.fnUntraced(function* (
  server: TestServer
): Effect.fn.Return<Fixture, never, Scope.Scope> {
  const order = yield* openOrder(server)
  const { credentials } = server.service(SeededClient)
  return {
    server,
    ...order,
    mine: yield* party(server, order, "mine@example.com"),
    theirs: yield* party(server, order, "theirs@example.com"),
    admin: yield* server.admin,
    client: {
      client_id: credentials?.clientId ?? "",
      client_secret: credentials === undefined ? "" : Redacted.value(credentials.secret)
    }
  }
})

/** An access token of a user with these scopes alone. */
export const tokenOf = (
  { server }: Pick<Fixture, "server">,
  userId: string,
  scopes: ReadonlyArray<Granted> = SCOPES
): Effect.Effect<string> =>
  Effect.gen(function* () {
    const owner = yield* Effect.orDie(server.service(Owners).ownerOf(userId))
    return yield* server.service(AccessTokens).issue({ owner, clientId: FIRST_PARTY, scopes })
  })
