import { Clock, Effect, Layer } from "effect"
import type { Principal } from "../../src/api/Authorization.ts"
import { SCOPES } from "../../src/api/Authorization.ts"
import { Settings } from "../../src/Config.ts"
import * as HttpServer from "../../src/http/HttpServer.ts"
import * as HttpApp from "../../src/http/HttpApp.ts"
import { Readiness } from "../../src/http/Readiness.ts"
import { TokenVerifier, Unauthorized } from "../../src/http/TokenVerifier.ts"
import * as TestRuntime from "./TestRuntime.ts"
import * as MemoryIdempotency from "./MemoryIdempotency.ts"
import { handlers, ProbeApi } from "./ProbeApi.ts"
import { quiet } from "./Quiet.ts"

const principal = (userId: string, change: Partial<Principal> = {}): Principal => ({
  userId,
  clientId: "cli_probe",
  companyId: "com_probe",
  role: "buyer",
  scopes: [...SCOPES],
  kind: "user",
  status: "active",
  ...change
})

/** Tokens that the probe server takes. */
const PRINCIPALS: Readonly<Record<string, Principal>> = {
  buyer: principal("usr_buyer"),
  other: principal("usr_other"),
  busy: principal("usr_busy"),
  reader: principal("usr_reader", { scopes: ["orders:read"] }),
  admin: principal("usr_admin", { role: "admin" }),
  service: principal("cli_probe", { kind: "service", role: "service" })
}

const verifier = Layer.succeed(
  TokenVerifier,
  TokenVerifier.of({
    isSigned: () => false,
    known: () => undefined,
    verify: (token) => {
      if (token === "offline") return Effect.fail({ _tag: "Unavailable" as const })
      const found = PRINCIPALS[token]
      return found === undefined
        ? Effect.fail(new Unauthorized({ reason: "The access token is expired: refresh it." }))
        : Effect.succeed(found)
    }
  })
)

/** The settings of a server on any free port. */
export const settings = (variables: Readonly<Record<string, string>> = {}) =>
  Settings.layerOf({ PORT: "0", RATE_LIMITS: "off", ...variables })

/** A clock whose date stands still, so that no minute ends in the middle of a test. */
export const stillDate = Layer.effect(
  Clock.Clock,
  Clock.clockWith((clock) => {
    const now = clock.currentTimeMillisUnsafe()
    const still = { currentTimeMillisUnsafe: () => now, currentTimeMillis: Effect.succeed(now) }
    return Effect.succeed(Object.assign(Object.create(clock), still))
  })
)

/** A clock whose date goes on by an hour each time that somebody looks. */
export const leapingDate = Layer.effect(
  Clock.Clock,
  Clock.clockWith((clock) => {
    let now = clock.currentTimeMillisUnsafe()
    const look = (): number => (now += 3_600_000)
    const leaping = { currentTimeMillisUnsafe: look, currentTimeMillis: Effect.sync(look) }
    return Effect.succeed(Object.assign(Object.create(clock), leaping))
  })
)

/** The probe contract behind the whole HTTP conventions, on any free port. */
export const layer = (variables: Readonly<Record<string, string>> = {}, date = stillDate) => {
  const routes = HttpApp.layer(ProbeApi).pipe(
    Layer.provide(handlers),
    Layer.provide(HttpApp.middleware),
    Layer.provide(Layer.mergeAll(verifier, MemoryIdempotency.layer))
  )
  return HttpServer.layer(routes).pipe(
    Layer.provideMerge(Readiness.layer(Effect.void)),
    Layer.provide(TestRuntime.layer),
    Layer.provide(Layer.mergeAll(settings(variables), quiet, date))
  )
}
