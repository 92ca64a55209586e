import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { withLayer } from "../../lib/Effects.ts"
import { type Fixture, makeFixture, termsOf, tokenOf } from "../../lib/OperationFixture.ts"
import { sendOperation } from "../../lib/OperationRequest.ts"
import { OPERATION_ROWS, requestOf, type Sent } from "../../lib/OperationRows.ts"
import { DECLARED_QUERIES, type DeclaredOperation, OPERATIONS } from "../../lib/Operations.ts"
import { submitKyc } from "../../lib/rows/KycRows.ts"

class TheFixture extends Context.Service<TheFixture, Fixture>()("test/ForeignIds/Fixture") {}

/** Both tenants may send money, so that no answer is about that. */
const it = withLayer(
  Layer.effect(
    TheFixture,
    Effect.tap(makeFixture(), (fixture) =>
      Effect.forEach([fixture.mine, fixture.theirs], ({ userId }) =>
        Effect.andThen(
          submitKyc(fixture, userId),
          fixture.server.request("PUT", `/v1/users/verify/${userId}`, undefined, { as: fixture.admin })
        )
      )
    )
  )
)

/** Ids of what is not public. Those of products and of the arena's orders are. */
const ID = /\b(?!prd_|ord_)[a-z]{3}_[0-9a-z]{24}\b/g

/** What is chosen by whoever makes it. */
const isChosen = (id: string): boolean => !/^[a-z]{3}_[0-9a-z]{24}$/.test(id)

const nobodys = (id: string): string => (isChosen(id) ? `${id}-of-nobody` : `${id.slice(0, 4)}${"0".repeat(24)}`)

/** The same request with the one or the other id in it that nobody has. */
const variantsOf = (sent: Sent) => {
  const text = JSON.stringify(sent)
  const chosen = Object.values(sent.params ?? {}).filter(isChosen)
  return [...new Set([...(text.match(ID) ?? []), ...chosen])].map((id) => ({
    id,
    changed: JSON.parse(text.replaceAll(id, nobodys(id))) as Sent
  }))
}

let turn = 0

/** What is answered to the other tenant, whatever the ids are that it named itself. */
const answered = (operation: DeclaredOperation, sent: Sent, ...named: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const fixture = yield* TheFixture
    const token = yield* tokenOf(fixture, fixture.theirs.userId)
    const { json, status } = yield* sendOperation(fixture, operation, sent, token)
    const { message, ...rest } = json as { readonly code?: string; readonly message?: string }
    const told = message ?? (Array.isArray(json) ? `${json.length} rows` : Object.keys(rest).toSorted().join())
    return [status, rest.code, named.reduce((one, id) => one.replaceAll(id, "ID"), told)]
  })

const namesThem = (operation: DeclaredOperation) =>
  Effect.gen(function* () {
    const sent = yield* requestOf(OPERATION_ROWS[operation.name], yield* TheFixture, ++turn)
    for (const { changed, id } of variantsOf(sent)) {
      const named = [nobodys(id), id]
      expect(yield* answered(operation, changed, ...named)).toEqual(yield* answered(operation, sent, ...named))
    }
  })

/** What a parameter of a query may name that is another tenant's. */
const QUERIED: Readonly<Record<string, (fixture: Fixture) => string>> = {
  owner: ({ mine }) => mine.userId,
  user_id: ({ mine }) => mine.userId,
  company_id: ({ mine }) => mine.companyId,
  customer_company_id: ({ mine }) => mine.companyId,
  trader_id: ({ mine }) => mine.userId
}

/** Requests that a tenant may send, with what another one has in the place of a thing of its own. */
const BODIES: Readonly<Record<string, (fixture: Fixture) => Effect.Effect<Sent>>> = {
  "POST /v1/commerce/price-lists": ({ mine }) =>
    Effect.succeed({ body: { customer_company_id: mine.companyId, name: "Wholesale", prices: [] } }),
  "POST /v1/transfers": (fixture) =>
    Effect.gen(function* () {
      const { mine, server, theirs } = fixture
      const quote = { pair: "USD/EUR", trade: "Sell", quantity: 1 }
      const { json } = yield* server.post<{ readonly id: string }>("/v1/fx/quotes", quote, { as: mine.userId })
      const money = { pair: "USD/EUR", quantity: "1", mode: "international", quote_id: json.id }
      const ends = { from: theirs.userId, to: theirs.userId }
      return { body: { ...money, ...ends, country: "BE", description: "rent", createdDate: 1_790_000_000 } }
    }),
  "POST /api/arena/commitments": (fixture) =>
    Effect.map(
      requestOf(OPERATION_ROWS["POST /api/arena/machine-traders/{bot_id}/pause"], fixture, ++turn),
      ({ params }) => ({ body: { ...termsOf(fixture, 1), bot_id: params?.["bot_id"] } })
    )
}

/** The id of the first row of a list. */
const firstIdOf = (json: object): string => {
  const rows: unknown = Array.isArray(json) ? json : Object.values(json).find(Array.isArray)
  const [row] = rows as ReadonlyArray<Readonly<Record<string, string>>>
  const id = row?.["id"] ?? row?.["client_id"] ?? row?.["bot_id"]
  if (id === undefined) throw new Error(`no row has an id: ${JSON.stringify(json)}`)
  return id
}

/** The recipient lists a transfer too. */
const SHARED = "GET /v1/transfers"

describe("Another tenant's id", () => {
  for (const operation of OPERATIONS) {
    const row = OPERATION_ROWS[operation.name]
    if (row?.as === "admin") continue
    if (row?.tenancy === "refused") {
      it(`is to ${operation.name} like one that nobody has`, () => namesThem(operation))
    }
    const isPublic = row?.tenancy === "public"
    const { query = [] } = DECLARED_QUERIES.get(operation.name) ?? {}
    const names = query.filter((name) => QUERIED[name] !== undefined && !(isPublic && name === "company_id"))
    for (const name of names) {
      it(`is as ${name} of ${operation.name} like one that nobody has`, () =>
        Effect.gen(function* () {
          const id = QUERIED[name]?.(yield* TheFixture) ?? ""
          const [foreign, unknown] = [id, nobodys(id)].map((one) => ({ query: { [name]: one } }))
          const named = [nobodys(id), id]
          expect(yield* answered(operation, unknown ?? {}, ...named)).toEqual(
            yield* answered(operation, foreign ?? {}, ...named)
          )
        }))
    }
    const making = OPERATIONS.find(({ name }) => name === `POST ${operation.path}`)
    if (making !== undefined && query.includes("after") && !isPublic && operation.name !== SHARED) {
      it(`is as a cursor of ${operation.name} like one that nobody has`, () =>
        Effect.gen(function* () {
          const fixture = yield* TheFixture
          const token = yield* tokenOf(fixture, fixture.mine.userId)
          const made = yield* requestOf(OPERATION_ROWS[making.name], fixture, ++turn)
          yield* sendOperation(fixture, making, made, token)
          const { json } = yield* sendOperation(fixture, operation, {}, token)
          const id = firstIdOf(json)
          expect(yield* answered(operation, { query: { after: id } }, id)).toEqual([
            400,
            "invalid_request",
            expect.stringContaining("query.after: Expected the id of a row of this list")
          ])
        }))
    }
    const send = BODIES[operation.name]
    if (send === undefined) continue
    it(`is in the body of ${operation.name} like one that nobody has`, () =>
      Effect.gen(function* () {
        const fixture = yield* TheFixture
        const sent = yield* send(fixture)
        const others = variantsOf(sent).filter(({ id }) => !Object.values(fixture.theirs).includes(id))
        expect(others).toHaveLength(1)
        for (const { changed, id } of others) {
          const named = [nobodys(id), id]
          expect(yield* answered(operation, changed, ...named)).toEqual(yield* answered(operation, sent, ...named))
        }
      }))
  }
})
