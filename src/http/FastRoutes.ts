import { Context, Exit, Schema } from "effect"
import type { Effect } from "effect"
import { HttpApi } from "effect/http-api"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import type { ApiError } from "../api/ApiError.ts"
import { type Access, Policy, type Principal } from "../api/Authorization.ts"
import type { UnavailableLike } from "../api/Conventions.ts"
import type { KeyedRequest } from "./IdempotencyScope.ts"

/** What a request asks for, to be run once it was admitted: the JSON text of its answer with status 200. */
export type FastRun = Effect.Effect<string, ApiError | UnavailableLike>

/** What a request asks for. Under a key the answer is written in the transaction of what it tells, and said to be stored. */
export type PreparedRun = (keyed: KeyedRequest | undefined) => FastRun

/** An endpoint that takes JSON and needs nothing but its body and its caller. */
export interface FastRoute {
  /** Without parameters. */
  readonly path: string
  readonly access: Access
  /** Undefined where the router has to say what is wrong with the body. */
  readonly prepare: (body: unknown, principal: Principal) => PreparedRun | undefined
}

/** The endpoints that are served without passing through the router, where nothing about the request is unusual. */
export const FastRoutes = Context.Reference<ReadonlyArray<FastRoute>>("emporion/http/FastRoutes", {
  defaultValue: () => []
})

const optionsOf = (annotations: Context.Context<never>) =>
  Context.getOrUndefined(annotations, HttpApi.PayloadParseOptions) ??
  Context.getOrUndefined(annotations, HttpApi.ParseOptions)

/** The direct way to an endpoint of the contract: its own path, policy and body. */
export const of = <Endpoint extends HttpApiEndpoint.Top>(
  api: Pick<HttpApi.Top, "annotations">,
  group: Pick<HttpApiGroup.Top, "annotations">,
  endpoint: Endpoint,
  run: (
    payload: HttpApiEndpoint.Payload<Endpoint>["Type"],
    principal: Principal,
    keyed: KeyedRequest | undefined
  ) => FastRun
): FastRoute => {
  const annotations = Context.mergeAll(api.annotations, group.annotations, endpoint.annotations)
  const schemas = [...endpoint.payload.values()].flatMap(({ schemas }) => schemas)
  const payload = Schema.Union(schemas) as unknown as Schema.Codec<HttpApiEndpoint.Payload<Endpoint>["Type"]>
  const decode = Schema.decodeUnknownExit(payload, optionsOf(annotations))
  return {
    path: endpoint.path,
    access: Context.getUnsafe(annotations, Policy),
    prepare: (body, principal) => {
      const decoded = decode(body)
      return Exit.isSuccess(decoded) ? (keyed) => run(decoded.value, principal, keyed) : undefined
    }
  }
}
