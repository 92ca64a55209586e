import { Result } from "effect"
import { SCOPES } from "../../api/Authorization.ts"
import type { Scope } from "../../api/Authorization.ts"
import { refusal } from "../../../engine/wire/Refusal.ts"

/** No scope has this name. */
export class UnknownScope extends refusal(
  "UnknownScope",
  "invalid_scope",
  ({ scope }: { readonly scope: string }) => `There is no scope ${scope}: ask for one of the client's scopes.`
) {}

/** The scope exists and was not granted to this caller. */
export class ScopeNotGranted extends refusal(
  "ScopeNotGranted",
  "unauthorized_client",
  ({ scope }: { readonly scope: string }) => `This client may not use the scope ${scope}: ask for one it was given.`
) {}

const isScope = (name: string): name is Scope => SCOPES.some((scope) => scope === name)

/** Reads names written to a database or a token; unknown ones grant nothing. */
export const known = (names: ReadonlyArray<string>): ReadonlyArray<Scope> => names.filter(isScope)

/**
 * What a request for scopes gives: the named ones when all are among those granted, everything granted when the request
 * names none. `requested` is the space-separated list of RFC 6749, section 3.3.
 */
export const narrow = (
  granted: ReadonlyArray<Scope>,
  requested: string | undefined
): Result.Result<ReadonlyArray<Scope>, UnknownScope | ScopeNotGranted> => {
  const names = [...new Set((requested ?? "").split(" ").filter((name) => name !== ""))]
  if (names.length === 0) return Result.succeed(granted)
  const unknown = names.find((name) => !isScope(name))
  if (unknown !== undefined) return Result.fail(new UnknownScope({ scope: unknown }))
  const scopes = known(names)
  const refused = scopes.find((scope) => !granted.includes(scope))
  return refused === undefined ? Result.succeed(scopes) : Result.fail(new ScopeNotGranted({ scope: refused }))
}
