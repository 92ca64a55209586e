import { Effect, Redacted } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { pageOf } from "../../api/Paging.ts"
import * as HandlerGroup from "../../http/HandlerGroup.ts"
import * as Actor from "../users/Actor.ts"
import type { ApiClient } from "./ApiClientRepository.ts"
import { ApiClients } from "./ApiClients.ts"
import { answers } from "../IdentityRefusal.ts"

const clientAnswer = ({ clientId, createdAt, name, scopes }: ApiClient) => ({
  id: clientId,
  client_id: clientId,
  name,
  scopes,
  created_at: createdAt
})

/** The clients group's handlers. */
export const layer = HandlerGroup.group(
  Api,
  "clients",
  Effect.fnUntraced(function* (handlers) {
    const clients = yield* ApiClients
    return handlers.handleAll({
      createClient: Effect.fnUntraced(
        function* ({ payload }) {
          const { client, secret } = yield* clients.add(yield* Actor.current, payload.name, payload.scopes)
          return { ...clientAnswer(client), client_secret: Redacted.value(secret) }
        },
        Effect.catchTags({ ScopeNotGranted: answers.ScopeBeyondOwn, CompanyFull: answers.CompanyFull })
      ),
      listClients: Effect.fnUntraced(function* ({ query }) {
        const { companyId } = yield* Actor.current
        const { clients: found, total } = yield* clients.list(companyId, pageOf(query))
        return HttpApiSchema.withHeaders({ body: found.map(clientAnswer), headers: { "x-total-count": total } })
      }),
      deleteClient: Effect.fnUntraced(
        function* ({ params }) {
          yield* clients.remove(yield* Actor.current, params.clientId)
          return { id: params.clientId, deleted: true as const }
        },
        Effect.catchTags({ ClientNotFound: answers.ClientNotFound })
      )
    })
  })
)
