import { Effect, type Redacted, Schema } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { CommandFailed } from "./CommandFailed.ts"

const Token = Schema.Struct({ access_token: Schema.String })
const Problem = Schema.Struct({ message: Schema.String })

/** An API client of a platform. */
export interface PlatformClient {
  /** The platform, such as `https://api.example.com`. */
  readonly server: URL
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
}

/** Gets an access token for the client. */
export const accessToken = ({ clientId, clientSecret, server }: PlatformClient) =>
  Effect.gen(function* () {
    const request = HttpClientRequest.post(new URL("/api/v1/auth/token", server)).pipe(
      HttpClientRequest.basicAuth(clientId, clientSecret),
      HttpClientRequest.bodyUrlParams({ grant_type: "client_credentials" })
    )
    const response = yield* (yield* HttpClient.HttpClient).execute(request)
    if (response.status === 200) return (yield* HttpClientResponse.schemaBodyJson(Token)(response)).access_token
    const told = yield* Effect.option(HttpClientResponse.schemaBodyJson(Problem)(response))
    const why = told._tag === "Some" ? told.value.message : `status ${response.status}`
    return yield* new CommandFailed({ message: `${server.origin} gives no token: ${why}` })
  }).pipe(
    Effect.catchTags({
      HttpClientError: () => new CommandFailed({ message: `${server.origin} cannot be reached: look at --url.` }),
      SchemaError: () => new CommandFailed({ message: `${server.origin} answers like no Emporion: look at --url.` })
    })
  )
