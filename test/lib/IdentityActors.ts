import { Effect } from "effect"
import type { HttpServer } from "../../src/http/HttpServer.ts"
import { HttpServer as Server } from "../../src/http/HttpServer.ts"
import type { User } from "../../src/identity/users/User.ts"
import { TokenGrants } from "../../src/identity/tokens/TokenGrants.ts"
import { Users } from "../../src/identity/users/Users.ts"
import type { Registration } from "../../src/identity/users/Users.ts"
import { type Answer, post, send } from "./Requests.ts"
import { registration } from "./TestIdentity.ts"

export const PASSWORD = "correct horse battery"

/** Somebody with an access token. */
interface SignedIn {
  readonly user: User
  readonly email: string
  readonly token: string
  readonly refreshToken: string
}

/** Signs a user in anew. */
export const signIn = Effect.fnUntraced(function* (user: User) {
  const grants = yield* TokenGrants
  const fresh = yield* Effect.flatMap(Users, ({ find }) => find(user.id))
  const tokens = yield* grants.login(fresh)
  const token = tokens.access_token
  return { user, email: user.email ?? "", token, refreshToken: tokens.refresh_token } satisfies SignedIn
})

/** A person of a new company. */
export const person = (fields: Partial<Registration> = {}) =>
  Effect.flatMap(Users, ({ register }) => register(registration(fields))).pipe(Effect.flatMap(signIn), Effect.orDie)

export const administrator = person({ role: "admin", status: "active", companyName: "Operator" })

/** Asks the server with a token, or none. */
export const ask = (
  method: string,
  path: string,
  token?: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {}
): Effect.Effect<Answer, never, HttpServer> =>
  Effect.flatMap(Server, ({ url }) =>
    send(`${url}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  )

/** The status of an answer and its code, if it is a refusal. */
export const statusAndCode = ({ json, status }: Answer): readonly [number, unknown] => [
  status,
  (json as { readonly code?: unknown }).code
]

export const login = (email: string, password: string) =>
  Effect.flatMap(Server, ({ url }) => send(`${url}/api/v1/auth/login`, post({ email, password })))

export const refresh = (refreshToken: string) =>
  Effect.flatMap(Server, ({ url }) =>
    send(`${url}/api/v1/auth/token`, post({ grant_type: "refresh_token", refresh_token: refreshToken }))
  )
