import { Context, Data } from "effect"
import type { Effect } from "effect"
import type { Principal } from "../api/Authorization.ts"
import type { UnavailableLike } from "../api/Conventions.ts"

/** The token is missing, malformed, expired or withdrawn. `reason` is a sentence for the caller. */
export class Unauthorized extends Data.TaggedError("Unauthorized")<{ readonly reason: string }> {}

/** Turns an access token into its principal. It serves every request that carries a token. */
export class TokenVerifier extends Context.Service<
  TokenVerifier,
  {
    /** The principal of a token, if it is known without asking anybody. If undefined, {@link verify} finds it. */
    readonly known: (token: string, now: number) => Principal | undefined
    /** Whether its signature was already verified, so that at most its user has to be read. */
    readonly isSigned: (token: string) => boolean
    readonly verify: (token: string) => Effect.Effect<Principal, Unauthorized | UnavailableLike>
  }
>()("emporion/http/TokenVerifier") {}
