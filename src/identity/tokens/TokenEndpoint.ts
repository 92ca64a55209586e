import { Effect, Redacted } from "effect"
import { ApiError } from "../../api/ApiError.ts"
import * as BasicCredentials from "./BasicCredentials.ts"
import type { ClientCredentials } from "./TokenGrants.ts"

/** The token request's fields, from JSON or a form. RFC 6749, section 4.4.2 and 6. */
export interface TokenRequest {
  readonly grant_type: string
  readonly client_id?: string | undefined
  readonly client_secret?: Redacted.Redacted | undefined
  readonly refresh_token?: Redacted.Redacted | undefined
  readonly scope?: string | undefined
}

/** What a token request asks for. */
export type Asked =
  | { readonly _tag: "ClientCredentials"; readonly client: ClientCredentials; readonly scope: string | undefined }
  | {
      readonly _tag: "Refresh"
      readonly token: string
      readonly client: ClientCredentials | undefined
      readonly scope: string | undefined
    }

const missing = (field: string) => Effect.fail(new ApiError("invalid_request", `payload.${field}: Expected a value`))

/** A parameter without a value is one that was not sent. RFC 6749, section 3.2. */
const given = (value: Redacted.Redacted | undefined): string => (value === undefined ? "" : Redacted.value(value))

/** The client that authenticates, in the header or the body but not in both. RFC 6749, section 2.3. */
const clientOf = Effect.fnUntraced(function* (request: TokenRequest, header: string | undefined) {
  const id = request.client_id ?? ""
  const secret = given(request.client_secret)
  if (header !== undefined && BasicCredentials.isBasic(header)) {
    const credentials = BasicCredentials.parse(header)
    if (credentials === undefined) return yield* Effect.fail(new ApiError("invalid_client"))
    if (secret !== "" || (id !== "" && id !== credentials.clientId)) {
      const message = "Authenticate the client in the Authorization header or in the body, not in both."
      return yield* Effect.fail(new ApiError("invalid_request", message))
    }
    return credentials
  }
  if (secret === "") return undefined
  if (id === "") return yield* missing("client_id")
  return { clientId: id, secret: Redacted.make(secret) } satisfies ClientCredentials
})

/** Reads a token request, or says what is wrong with it. */
export const read = Effect.fnUntraced(function* (request: TokenRequest, header: string | undefined) {
  const scope = request.scope
  if (request.grant_type === "refresh_token") {
    const client = yield* clientOf(request, header)
    const token = given(request.refresh_token)
    return token === "" ? yield* missing("refresh_token") : ({ _tag: "Refresh", token, client, scope } satisfies Asked)
  }
  if (request.grant_type !== "client_credentials") return yield* Effect.fail(new ApiError("unsupported_grant_type"))
  const client = yield* clientOf(request, header)
  if (client !== undefined) return { _tag: "ClientCredentials", client, scope } satisfies Asked
  return yield* missing((request.client_id ?? "") === "" ? "client_id" : "client_secret")
})
