import { Context, Effect } from "effect"
import type { ApiError } from "../api/ApiError.ts"
import type { Principal } from "../api/Authorization.ts"
import type { UnavailableLike } from "../api/Conventions.ts"
import type { Unauthorized } from "./TokenVerifier.ts"

/** A request whose caller may be known by a cookie. Header values are undefined where the request has none. */
export interface CookieRequest {
  readonly method: string
  readonly cookie: string
  readonly origin: string | undefined
  readonly host: string | undefined
}

/**
 * Turns a session's cookie into its principal; undefined if there is none. It serves requests to the arena that carry
 * cookies and no bearer token. `access_denied` means that such a request needs more than a cookie.
 */
export const SessionVerifier = Context.Reference<{
  readonly verify: (
    request: CookieRequest
  ) => Effect.Effect<Principal | undefined, Unauthorized | ApiError<"access_denied"> | UnavailableLike>
}>("emporion/http/SessionVerifier", { defaultValue: () => ({ verify: () => Effect.undefined }) })
