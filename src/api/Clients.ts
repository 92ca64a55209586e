import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { wire } from "./ApiError.ts"
import { Authorization, Policy, SCOPES, scopes } from "./Authorization.ts"
import { AnswersSecret } from "./Conventions.ts"
import { pageQuery } from "./Paging.ts"
import { text } from "./Text.ts"
import { UtcTimestamp } from "./Timestamp.ts"

const Scopes = Schema.Array(Schema.Literals(SCOPES))

const NewClient = Schema.Struct({
  name: text(1, 100),
  scopes: Scopes.check(Schema.isMaxLength(SCOPES.length)).annotate({
    description: "What its tokens may do at most. With none it may use the arena."
  })
}).annotate({ identifier: "NewClient" })

const fields = {
  client_id: Schema.String,
  name: Schema.String,
  scopes: Scopes,
  created_at: UtcTimestamp
}

const Client = Schema.Struct({ id: Schema.String, ...fields }).annotate({ identifier: "Client" })

const MadeClient = Schema.Struct({
  id: Schema.String,
  ...fields,
  client_secret: Schema.String.annotate({ description: "Shown this once: only its hash is kept." })
}).annotate({ identifier: "MadeClient" })

const create = HttpApiEndpoint.post("createClient", "/v1/clients", {
  payload: NewClient,
  success: MadeClient,
  error: [wire("conflict"), wire("unavailable")]
})
  .annotate(Policy, scopes("users:write"))
  .annotate(AnswersSecret, true)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Create an API client",
      description:
        "For programs of the company. It gets no scope that the request's own token lacks, and stands and falls with the " +
        "person who made it. At most 100 a company."
    })
  )

const list = HttpApiEndpoint.get("listClients", "/v1/clients", {
  query: pageQuery,
  success: HttpApiSchema.WithHeaders(Schema.Array(Client), { "x-total-count": Schema.FiniteFromString })
})
  .annotate(Policy, scopes("users:read"))
  .annotateMerge(OpenApi.annotations({ summary: "List the company's API clients, oldest first" }))

const remove = HttpApiEndpoint.delete("deleteClient", "/v1/clients/:clientId", {
  params: { clientId: text(1, 64) },
  success: Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) }).annotate({
    identifier: "DeletedClient"
  }),
  error: [wire("not_found"), wire("conflict"), wire("unavailable")]
})
  .annotate(Policy, scopes("users:write"))
  .annotateMerge(
    OpenApi.annotations({
      summary: "Delete an API client",
      description:
        "All its tokens are refused at once. An administrator deletes any company's. 409 while it has money, holds or debts, " +
        "products on sale, subscriptions that run or open purchase orders, which nobody could reach afterwards. A lost secret " +
        "ends by rotating it."
    })
  )

const rotate = HttpApiEndpoint.post("rotateClientSecret", "/v1/clients/:clientId/secret/rotate", {
  params: { clientId: text(1, 64) },
  success: MadeClient,
  error: [wire("not_found"), wire("unavailable")]
})
  .annotate(Policy, scopes("users:write"))
  .annotate(AnswersSecret, true)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Give an API client a new secret",
      description:
        "It stays the same client, with its account, its money and what it sells. The secret before and all tokens are refused " +
        "at once. For the person who made it, with a token that has the client's scopes."
    })
  )

/** A company's API clients. An extension. */
export class ClientsApi extends HttpApiGroup.make("clients")
  .add(create, list, remove, rotate)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "API clients", description: "Programs that get tokens of their own." })
  ) {}
