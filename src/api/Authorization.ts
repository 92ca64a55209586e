import { Context } from "effect"
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import { wire } from "./ApiError.ts"

/** What a token may do. Specification 5. */
export const SCOPES = [
  "orders:read",
  "orders:write",
  "payments:read",
  "payments:write",
  "subscriptions:read",
  "subscriptions:write",
  "credit:read",
  "credit:write",
  "kyc:read",
  "kyc:write",
  "users:read",
  "users:write"
] as const

export type Scope = (typeof SCOPES)[number]

/** The cookie that login sets for the arena. Over https its name begins with `__Host-`. Specification 5, point 7. */
export const SESSION_COOKIE = "emporion_session"

/** Who a request comes from, as its verified token or session says. */
export interface Principal {
  readonly userId: string
  /** The API client the token was given to. */
  readonly clientId: string
  readonly companyId: string
  /** `admin`, `buyer`, `seller` or `service`. */
  readonly role: string
  readonly scopes: ReadonlyArray<string>
  /** `service` for a client's own token, `user` for a person's. */
  readonly kind: "user" | "service"
  /** The user's status, such as `pending_kyc` or `active`. */
  readonly status: string
}

/** The caller, behind {@link Authorization}. */
export class CurrentPrincipal extends Context.Service<CurrentPrincipal, Principal>()("emporion/api/CurrentPrincipal") {}

/** Who may call an endpoint. `scopes` are all needed. */
export type Access =
  | { readonly _tag: "Open" }
  | { readonly _tag: "Authenticated" }
  | { readonly _tag: "Scopes"; readonly scopes: ReadonlyArray<Scope> }
  | { readonly _tag: "AnyWrite" }
  | { readonly _tag: "Admin" }

/** Annotation of an endpoint or a group: who may call it. Every endpoint has one, its own or its group's. */
export class Policy extends Context.Service<Policy, Access>()("emporion/api/Policy") {}

/** Anyone, without a token. Such an endpoint does not carry {@link Authorization}. */
export const open: Access = { _tag: "Open" }

/** Any principal. */
export const authenticated: Access = { _tag: "Authenticated" }

/** A principal whose token has all the scopes. Administrators are not exempt. */
export const scopes = (...needed: ReadonlyArray<Scope>): Access => ({ _tag: "Scopes", scopes: needed })

/** A principal whose token may write something, whatever it is. */
export const anyWrite: Access = { _tag: "AnyWrite" }

/** The scopes that {@link anyWrite} takes one of. */
export const WRITE_SCOPES: ReadonlyArray<Scope> = SCOPES.filter((scope) => scope.endsWith(":write"))

/** What takes money from an account, or commits it. */
export const movesMoney: Access = scopes("payments:write")

/** A principal with the admin role. */
export const admin: Access = { _tag: "Admin" }

/**
 * Refuses callers whom the endpoint's {@link Policy} does not admit: 401 without a valid token, 403 without the scope
 * or role. Gives the handler {@link CurrentPrincipal}.
 */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: CurrentPrincipal }>()(
  "emporion/api/Authorization",
  {
    security: {
      bearer: HttpApiSecurity.bearer.pipe(
        HttpApiSecurity.annotateMerge(
          OpenApi.annotations({ format: "JWT", description: "The access token of POST /api/v1/auth/token or login." })
        )
      )
    },
    error: [wire("unauthorized"), wire("insufficient_scope"), wire("access_denied")]
  }
) {}
