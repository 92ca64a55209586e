import { Effect, Redacted } from "effect"
import { Api } from "../../api/Api.ts"
import { refuse } from "../../api/ApiError.ts"
import { pageOf } from "../../api/Paging.ts"
import * as HandlerGroup from "../../http/HandlerGroup.ts"
import * as ListResponse from "../../http/ListResponse.ts"
import type { ScopeNotGranted } from "../tokens/Scope.ts"
import * as ActingUser from "../users/ActingUser.ts"
import type { ApiClient } from "./ApiClientRepository.ts"
import { ApiClients, type MadeClient } from "./ApiClients.ts"

const clientAnswer = ({ clientId, createdAt, name, scopes }: ApiClient) => ({
  id: clientId,
  client_id: clientId,
  name,
  scopes,
  created_at: createdAt
})

const withSecret = ({ client, secret }: MadeClient) => ({
  ...clientAnswer(client),
  client_secret: Redacted.value(secret)
})

const lacksScope = ({ scope }: ScopeNotGranted) =>
  refuse("insufficient_scope", `The access token lacks the scope ${scope}, and gives no more than it has.`)

/** The clients group's handlers. */
export const layer = HandlerGroup.group(
  Api,
  "clients",
  Effect.fnUntraced(function* (handlers) {
    const clients = yield* ApiClients
    return handlers.handleAll({
      createClient: Effect.fnUntraced(
        function* ({ payload }) {
          return withSecret(yield* clients.add(yield* ActingUser.current, payload.name, payload.scopes))
        },
        Effect.catchTag("ScopeNotGranted", lacksScope)
      ),
      listClients: Effect.fnUntraced(function* ({ query }) {
        const { companyId } = yield* ActingUser.current
        const { clients: found, ...page } = yield* clients.list(companyId, pageOf(query))
        return yield* ListResponse.of(found.map(clientAnswer), page)
      }),
      deleteClient: Effect.fnUntraced(function* ({ params }) {
        yield* clients.remove(yield* ActingUser.current, params.clientId)
        return { id: params.clientId, deleted: true as const }
      }),
      rotateClientSecret: Effect.fnUntraced(
        function* ({ params }) {
          return withSecret(yield* clients.rotate(yield* ActingUser.current, params.clientId))
        },
        Effect.catchTag("ScopeNotGranted", lacksScope)
      )
    })
  })
)
