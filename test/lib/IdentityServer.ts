import { Effect, Layer } from "effect"
import { HttpApi } from "effect/http-api"
import { AccountApi, RecoveryApi } from "../../src/api/Account.ts"
import { AuditApi } from "../../src/api/Audit.ts"
import { AuthApi } from "../../src/api/Auth.ts"
import { ClientsApi } from "../../src/api/Clients.ts"
import { Conventions } from "../../src/api/Conventions.ts"
import { CurrentUserApi } from "../../src/api/CurrentUser.ts"
import { ProvidersApi } from "../../src/api/Providers.ts"
import { UserAdministrationApi, UsersApi } from "../../src/api/Users.ts"
import * as HttpServer from "../../src/http/HttpServer.ts"
import * as HttpApp from "../../src/http/HttpApp.ts"
import { Readiness } from "../../src/http/Readiness.ts"
import { handlers } from "../../src/identity/IdentityModule.ts"
import { SeededClient } from "../../src/identity/clients/SeededClient.ts"
import * as TokenVerification from "../../src/identity/tokens/TokenVerification.ts"
import * as MemoryIdempotency from "./MemoryIdempotency.ts"
import { settings } from "./ProbeServer.ts"
import * as TestRuntime from "./TestRuntime.ts"
import { layerOf } from "./TestIdentity.ts"

/** The part of the contract that is this context's. */
class IdentityApi extends HttpApi.make("emporion")
  .add(AuthApi)
  .add(ProvidersApi)
  .add(CurrentUserApi)
  .add(AccountApi)
  .add(RecoveryApi)
  .add(UsersApi)
  .add(UserAdministrationApi)
  .add(ClientsApi)
  .add(AuditApi)
  .middleware(Conventions) {}

const routes = HttpApp.layer(IdentityApi).pipe(
  Layer.provide(handlers),
  Layer.provide(HttpApp.middleware),
  Layer.provide([TokenVerification.layer, MemoryIdempotency.layer])
)

/** The identity context with the sandbox's client behind the whole HTTP conventions, on any free port, with settings. */
export const layerWith = (variables: Readonly<Record<string, string>>) =>
  HttpServer.layer(routes).pipe(
    Layer.provideMerge(Readiness.layer(Effect.void)),
    Layer.provide(TestRuntime.layer),
    Layer.provide(settings(variables)),
    Layer.provideMerge(SeededClient.layer),
    Layer.provideMerge(layerOf(variables))
  )

export const layer = layerWith({})
