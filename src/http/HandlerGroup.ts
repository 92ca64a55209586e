import { Context, Effect, Layer, Scope } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Authorization } from "../api/Authorization.ts"
import { Conventions } from "../api/Conventions.ts"

/** What the library takes from the context when it builds the routes of a group. */
type RouteServices = Authorization | Conventions | Scope.Scope

const narrowed = (context: Context.Context<RouteServices>): Context.Context<never> =>
  Context.pick(Authorization, Conventions, Scope.Scope)(context)

/**
 * `HttpApiBuilder.group` for handlers that are built in an effect, and find their services in the server's own context.
 *
 * The library merges everything that a group was built with into the context of every request, which took a tenth of a
 * request's time. Here that is only the middleware.
 */
export const group: typeof HttpApiBuilder.group = ((
  api: Parameters<typeof HttpApiBuilder.group>[0],
  name: never,
  build: (handlers: never) => Effect.Effect<object>
) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const services = yield* Effect.context<RouteServices>()
      const withServices = (handlers: never) => Effect.provideContext(build(handlers), services)
      // Its requirements are those of the built handlers, which have them already.
      const routes: Layer.Layer<never> = HttpApiBuilder.group(api, name, withServices as never) as never
      const built = Layer.buildWithScope(routes, Context.get(services, Scope.Scope))
      return yield* Effect.updateContext(built, narrowed)
    })
  )) as never
