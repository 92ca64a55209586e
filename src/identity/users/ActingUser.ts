import { Context, Effect } from "effect"
import type { Scope } from "../../api/Authorization.ts"
import { CurrentPrincipal } from "../../api/Authorization.ts"
import { RequestState } from "../../RequestState.ts"
import * as GrantedScope from "../tokens/Scope.ts"

/** Who does something, as the request that asks for it says. */
export interface ActingUser {
  readonly userId: string
  readonly companyId: string
  readonly isAdmin: boolean
  /** What the request's token may do. */
  readonly scopes: ReadonlyArray<Scope>
  readonly requestId: string | undefined
}

const request = Effect.map(Effect.context<never>(), (context) => Context.getOrUndefined(context, RequestState))

/** The address that the request being served comes from. */
export const address: Effect.Effect<string> = Effect.map(request, (state) => state?.address ?? "")

/** The actor of the request being served. */
export const current: Effect.Effect<ActingUser, never, CurrentPrincipal> = Effect.gen(function* () {
  const { companyId, role, scopes, userId } = yield* CurrentPrincipal
  return {
    userId,
    companyId,
    isAdmin: role === "admin",
    scopes: GrantedScope.known(scopes),
    requestId: (yield* request)?.id
  }
})
