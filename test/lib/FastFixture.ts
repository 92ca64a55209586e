import { Context, Effect, Latch, Layer, Schema, Tracer } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { refuse, wire } from "../../src/api/ApiError.ts"
import { type Access, authenticated, Authorization, CurrentPrincipal, Policy } from "../../src/api/Authorization.ts"
import type { Principal } from "../../src/api/Authorization.ts"
import { Conventions, Fast } from "../../src/api/Conventions.ts"
import { CachedResponses } from "../../src/http/CachedResponses.ts"
import { directly } from "../../src/http/DirectHandler.ts"
import * as EndpointTable from "../../src/http/EndpointTable.ts"
import * as HandlerGroup from "../../src/http/HandlerGroup.ts"
import * as HttpApp from "../../src/http/HttpApp.ts"
import * as HttpConventions from "../../src/http/HttpConventions.ts"
import { TokenVerifier } from "../../src/http/TokenVerifier.ts"
import * as MemoryIdempotency from "./MemoryIdempotency.ts"
import { quiet } from "./Quiet.ts"
import { settings, stillDate } from "./ProbeServer.ts"

/** Of the contract that {@link faced} serves. */
export const PATH = "/v1/things"

const principal: Principal = {
  userId: "usr_1",
  clientId: "cli_1",
  companyId: "com_1",
  role: "buyer",
  scopes: ["orders:read"],
  kind: "user",
  status: "active"
}

const Count = Schema.optionalKey(Schema.Finite)
const Thing = Schema.Struct({ a: Count, wait: Count, fail: Count, die: Count, below: Count })

const apiOf = (access: Access) =>
  HttpApi.make("things")
    .add(
      HttpApiGroup.make("things")
        .add(
          HttpApiEndpoint.post("make", PATH, {
            payload: Thing,
            success: Schema.Struct({ userId: Schema.String }),
            error: wire("conflict")
          }).annotate(Fast, true),
          HttpApiEndpoint.get("find", `${PATH}/:id`, {
            params: { id: Schema.String.check(Schema.isMaxLength(3)) },
            query: { limit: Schema.optionalKey(Schema.FiniteFromString) },
            success: Schema.Struct({ id: Schema.String, limit: Count }),
            error: wire("not_found")
          }).annotate(Fast, true)
        )
        .middleware(Authorization)
        .annotate(Policy, access)
    )
    .middleware(Conventions)

/** How the handler that makes a thing may be asked. */
export const WAYS = [
  "in a fiber",
  "without a fiber",
  "without a fiber, if it had not to wait first",
  "without a fiber, and waits for its answer in one"
] as const

export type Way = (typeof WAYS)[number]

/** Has a handler asked in that way. */
export const asked = <Request, Answer, E>(
  way: Way,
  handler: (request: Request) => Effect.Effect<Answer, E, CurrentPrincipal>
): ((request: Request) => Effect.Effect<Answer, E, CurrentPrincipal>) => {
  if (way === "in a fiber") return handler
  return directly(handler, (request, { principal }, give) => {
    if (way === "without a fiber, if it had not to wait first") return false
    if (way === "without a fiber, and waits for its answer in one") {
      give(() => handler(request))
      return true
    }
    Effect.runFork(Effect.provideService(handler(request), CurrentPrincipal, principal)).addObserver((exit) =>
      give(() => exit)
    )
    return true
  })
}

/** The conventions round a contract of fast endpoints, and what came of the requests that were sent to them. */
export const faced = (
  variables: Readonly<Record<string, string>> = {},
  access: Access = authenticated,
  way: Way = "in a fiber",
  asking = asked,
  keptAnswers = MemoryIdempotency.layer
) =>
  Effect.gen(function* () {
    const ran: Array<unknown> = []
    const routed: Array<string> = []
    const gate = yield* Latch.make()
    const api = apiOf(access)
    const making = Effect.fnUntraced(function* ({ payload }: { readonly payload: typeof Thing.Type }) {
      ran.push(payload)
      if (payload.wait !== undefined) yield* gate.await
      if (payload.below !== undefined) yield* Effect.withSpan(Effect.void, "below")
      if (payload.fail !== undefined) return yield* refuse("conflict", "Not twice.", 7)
      if (payload.die !== undefined) return yield* Effect.die("a fault")
      return { userId: (yield* CurrentPrincipal).userId }
    })
    const handlers = HandlerGroup.group(api, "things", (handlers) =>
      Effect.succeed(
        handlers.handleAll({
          make: asking(way, making),
          find: Effect.fnUntraced(function* ({ params: { id }, query }) {
            ran.push({ id, ...query })
            return id === "no" ? yield* refuse("not_found", "There is none.") : { id, ...query }
          })
        })
      )
    )
    const verifier = TokenVerifier.of({
      isSigned: () => false,
      known: (token) => (token === "known" ? principal : undefined),
      verify: () => Effect.succeed(principal)
    })
    const kept = {
      find: (target: string) =>
        target === `${PATH}/kept`
          ? { access: authenticated, route: "/kept", answer: { body: new TextEncoder().encode('{"kept":true}') } }
          : undefined
    }
    const context = yield* Layer.build(
      HttpConventions.layer(api, EndpointTable.make(api, [])).pipe(
        Layer.provide(handlers),
        Layer.provide(HttpApp.middleware),
        Layer.provide(Layer.succeed(CachedResponses, kept)),
        Layer.provide(HttpConventions.services),
        Layer.provide(Layer.mergeAll(keptAnswers, Layer.succeed(TokenVerifier, verifier))),
        Layer.provide(Layer.mergeAll(settings(variables), quiet, stillDate))
      )
    )
    const router = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      routed.push(yield* request.text)
      return HttpServerResponse.text("routed")
    })
    const spans: Array<Tracer.NativeSpan> = []
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      }
    })
    const conventions = Context.get(context, HttpConventions.HttpConventions).over(
      router as never,
      Context.add(context, Tracer.Tracer, tracer) as never
    )
    const serve = (request: Request) =>
      Effect.promise(async () => {
        const response = await conventions.serve(request, "127.0.0.1", () => false)
        if (response === undefined) throw new Error("It was upgraded")
        return response
      })
    const send = (body: string, headers: Readonly<Record<string, string>> = {}, method = "POST", path = PATH) =>
      serve(
        new Request(`http://localhost${path}`, {
          method,
          headers: {
            authorization: "Bearer known",
            "content-type": "application/json",
            "content-length": String(body.length),
            ...headers
          },
          ...(method === "GET" ? {} : { body })
        })
      )
    const textOf = (response: Response) => Effect.promise(() => response.text())
    return { gate, ran, routed, send, serve, spans, textOf }
  })
