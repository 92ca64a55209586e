import { Effect, Redacted } from "effect"
import { Api } from "../../api/Api.ts"
import { refuse } from "../../api/ApiError.ts"
import { pageOf } from "../../api/Paging.ts"
import * as HandlerGroup from "../../http/HandlerGroup.ts"
import * as ListResponse from "../../http/ListResponse.ts"
import * as ActingUser from "../users/ActingUser.ts"
import type { ApiClient } from "./ApiClientRepository.ts"
import { ApiClients } from "./ApiClients.ts"

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
          const { client, secret } = yield* clients.add(yield* ActingUser.current, payload.name, payload.scopes)
          return { ...clientAnswer(client), client_secret: Redacted.value(secret) }
        },
        Effect.catchTag("ScopeNotGranted", ({ scope }) =>
          refuse("insufficient_scope", `The access token lacks the scope ${scope}, and gives no more than it has.`)
        )
      ),
      listClients: Effect.fnUntraced(function* ({ query }) {
        const { companyId } = yield* ActingUser.current
        const { clients: found, ...page } = yield* clients.list(companyId, pageOf(query))
        return yield* ListResponse.of(found.map(clientAnswer), page)
      }),
      deleteClient: Effect.fnUntraced(function* ({ params }) {
        yield* clients.remove(yield* ActingUser.current, params.clientId)
        return { id: params.clientId, deleted: true as const }
      })
    })
  })
)
