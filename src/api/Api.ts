import { HttpApi, OpenApi } from "effect/http-api"
import { ArenaApi } from "./Arena.ts"
import { ArenaStreamApi } from "./ArenaStream.ts"
import { AuthApi } from "./Auth.ts"
import { Conventions } from "./Conventions.ts"
import { FundsApi } from "./Funds.ts"
import { CurrentUserApi } from "./CurrentUser.ts"
import { MachineTradersApi } from "./MachineTraders.ts"
import { ProvidersApi } from "./Providers.ts"
import { SystemApi } from "./System.ts"
import { YieldApi } from "./Yield.ts"

/** The whole contract: one group a file. `Conventions` comes last, so that it covers every group. */
export class Api extends HttpApi.make("emporion")
  .add(SystemApi)
  .add(AuthApi)
  .add(ProvidersApi)
  .add(CurrentUserApi)
  .add(ArenaApi)
  .add(ArenaStreamApi)
  .add(YieldApi)
  .add(MachineTradersApi)
  .add(FundsApi)
  .middleware(Conventions)
  .annotateMerge(
    OpenApi.annotations({
      title: "Emporion",
      version: "1.0",
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
      description:
        "B2B commerce, trade finance and a competitive trading arena. Errors are {message, code}; in the arena " +
        "{success: false, message, code}. Every answer carries X-RateLimit-Limit, X-RateLimit-Remaining and " +
        "X-RateLimit-Reset. A POST takes Idempotency-Key."
    })
  ) {}
