import { Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import type { HttpApi, HttpApiGroup } from "effect/http-api"
import * as Authorizing from "./Authorizing.ts"
import * as Conforming from "./Conforming.ts"
import * as Documentation from "./Documentation.ts"
import * as EndpointTable from "./EndpointTable.ts"
import * as HttpConventions from "./HttpConventions.ts"
import * as MetricsRoute from "./MetricsRoute.ts"

/** The middleware that groups of handlers need. */
export const middleware = Layer.mergeAll(Authorizing.layer, Conforming.layer)

const refuseUndeclared = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
) =>
  Layer.effectDiscard(
    Effect.suspend(() => {
      const problems = EndpointTable.undeclaredAccess(api)
      return problems.length === 0 ? Effect.void : Effect.die(new Error(problems.join("; ")))
    })
  )

/**
 * Every route of a contract, with documentation, metrics and the conventions of the platform. Needs the groups'
 * handlers. `extras` are the paths that other layers of the router serve. Fails to build if an endpoint's access is not
 * declared.
 */
export const layer = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  extras: ReadonlyArray<EndpointTable.ExtraRoute> = []
) => {
  const table = EndpointTable.make(api, [...Documentation.routes, ...MetricsRoute.routes, ...extras])
  return Layer.mergeAll(
    HttpApiBuilder.layer(api),
    Documentation.layer(api),
    MetricsRoute.layer,
    HttpConventions.layer(api, table),
    refuseUndeclared(api)
  ).pipe(Layer.provide(HttpConventions.services), Layer.provide(HttpServer.layerServices))
}
