import { Context, Data } from "effect"
import type { Effect } from "effect"
import type { Principal } from "../api/Authorization.ts"
import type { UnavailableLike } from "../api/Conventions.ts"

/** The token is missing, malformed, expired or withdrawn. `reason` is a sentence for the caller. */
export class Unauthorized extends Data.TaggedError("Unauthorized")<{ readonly reason: string }> {}

/** Turns an access token into the principal it stands for. Asked for every request that carries a token. */
export class TokenVerifier extends Context.Service<
  TokenVerifier,
  {
    /** Who a token stands for, as far as that is known without asking anybody. Undefined: {@link verify} knows. */
    readonly known: (token: string, now: number) => Principal | undefined
    /** Whether its signature was found good before, so that its user alone may have to be read. */
    readonly isSigned: (token: string) => boolean
    readonly verify: (token: string) => Effect.Effect<Principal, Unauthorized | UnavailableLike>
  }
>()("emporion/http/TokenVerifier") {}
