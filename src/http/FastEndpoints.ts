/** The endpoints that are served without the router, made of the contract and of their handlers. */

import { Context, Effect, Exit, Schema } from "effect"
import type { Types } from "effect"
import { type HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiSchema } from "effect/http-api"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { encoderOf, wireOf } from "../../engine/wire/JsonEncoder.ts"
import { type ApiError, CATALOGUE, type Code } from "../api/ApiError.ts"
import { type Access, CurrentPrincipal, Policy, type Principal } from "../api/Authorization.ts"
import { Fast, type UnavailableLike } from "../api/Conventions.ts"
import { retryAfterOf } from "./Conforming.ts"
import * as ErrorResponse from "./ErrorResponse.ts"
import { type DirectCall, directOf } from "./DirectHandler.ts"
import { isTooDeep } from "./JsonDepth.ts"
import { JSON_TYPE, ofJson, ofRouted, type PlainResponse } from "./PlainResponse.ts"
import { catching } from "../FailureCatch.ts"
import { type RequestFacts, RequestState } from "../RequestState.ts"
import type { RequestServices } from "./RouterPath.ts"
import { unknownParameters } from "./RequestValidation.ts"

type Endpoint = HttpApiEndpoint.Top
type Decode = (input: unknown) => Exit.Exit<unknown, unknown>

/** What a way to a response may fail with. */
export type Failure = Types.unhandled | ApiError | UnavailableLike | HttpServerError.HttpServerError

/** What makes a response, in a fiber. */
export type Answering = Effect.Effect<PlainResponse, Failure, RequestServices>

/** What makes a response, perhaps without a fiber. */
export interface DirectAnswering {
  /**
   * Begins at once, and has the response, or what makes it, given to a function once, which must not throw. False where it
   * needs a fiber: then nothing was done.
   */
  readonly begin: (give: (outcome: PlainResponse | Answering) => void) => boolean
  /** The same in a fiber. */
  readonly answering: Answering
}

/** The request as its endpoint reads it. */
export interface FastRequest extends DirectCall {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly params: Readonly<Record<string, string | undefined>>
  /** Its body, where the endpoint takes one. */
  readonly text: string | undefined
}

/** An endpoint of the contract that is served without the router, by its own handler. */
export interface FastEndpoint {
  readonly access: Access
  readonly takesBody: boolean
  /** The decoded request; undefined if the router has to say what is wrong with it. */
  readonly prepare: (request: FastRequest) => Answering | DirectAnswering | undefined
}

/** What the library keeps of a group's handlers. */
interface BuiltGroup {
  readonly handlers: ReadonlyMap<string, { readonly endpoint: Endpoint; readonly handler: Handler }>
}

/** What a handler answers a decoded request with. */
type Handled = Effect.Effect<unknown, Types.unhandled, RequestServices | CurrentPrincipal>

/** What answers a decoded request. */
export type Handler = (request: object) => Handled

const NOTHING_THERE: Readonly<Record<string, never>> = {}

const decoderOf = (schema: Schema.Top | undefined, options: object | undefined): Decode | undefined =>
  schema === undefined
    ? undefined
    : (Schema.decodeUnknownExit(schema as unknown as Schema.Codec<unknown>, options) as Decode)

const parsed = (text: string): unknown => {
  try {
    return isTooDeep(text) ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The parameters of a query as the router reads them. */
const queryOf = (target: string): Readonly<Record<string, string | Array<string>>> => {
  const start = target.indexOf("?")
  return start === -1 || start === target.length - 1
    ? NOTHING_THERE
    : HttpServerRequest.searchParamsFromURL(new URL(target, "http://localhost"))
}

type Annotations = Context.Context<never>

const optionsOf = (annotations: Annotations, key: Context.Key<never, object | undefined>): object | undefined =>
  Context.getOrUndefined(annotations, key as never) ?? Context.getOrUndefined(annotations, HttpApi.ParseOptions)

/** Reads a handler's input; undefined if the contract refuses it. */
const readerOf = (endpoint: Endpoint, group: HttpApiGroup.Top, annotations: Annotations) => {
  const bodies = [...endpoint.payload.values()].flatMap(({ schemas }) => schemas)
  const params = decoderOf(endpoint.params, optionsOf(annotations, HttpApi.ParamsParseOptions as never))
  const query = decoderOf(
    endpoint.query === undefined ? undefined : Schema.toCodecArrayFromSingle(endpoint.query),
    optionsOf(annotations, HttpApi.QueryParseOptions as never)
  )
  const payload = decoderOf(
    bodies.length === 0 ? undefined : Schema.Union(bodies),
    optionsOf(annotations, HttpApi.PayloadParseOptions as never)
  )
  return ({ params: given, request, text }: FastRequest): object | undefined => {
    const sent = queryOf(request.url)
    if (unknownParameters(endpoint, sent).length > 0) return undefined
    const taken: Record<string, unknown> = { request, endpoint, group }
    const take = (place: string, decode: Decode | undefined, value: unknown): boolean => {
      if (decode === undefined) return true
      const decoded = decode(value)
      if (Exit.isFailure(decoded)) return false
      taken[place] = decoded.value
      return true
    }
    const isTaken =
      take("params", params, given) &&
      take("query", query, sent) &&
      take("payload", payload, text === undefined ? undefined : parsed(text))
    return isTaken ? taken : undefined
  }
}

/** Writes a handler's answer. */
const writerOf = (endpoint: Endpoint): ((answer: unknown) => PlainResponse) => {
  const [success, ...others] = endpoint.success
  if (success === undefined || others.length > 0) throw new Error(`${endpoint.identifier} has not one success`)
  const whole = HttpApiSchema.isWithHeaders(success) ? success : undefined
  const encode = encoderOf((whole?.schema ?? success) as unknown as Schema.Codec<unknown, unknown>)
  if (whole === undefined) {
    return (answer) =>
      HttpServerResponse.isHttpServerResponse(answer) ? ofRouted(answer) : ofJson(200, encode(answer))
  }
  const encodeHeaders = wireOf(whole.headers as unknown as Schema.Codec<unknown, Record<string, string>>)
  return (answer) => {
    if (HttpServerResponse.isHttpServerResponse(answer)) return ofRouted(answer)
    const { body, headers } = answer as { readonly body: unknown; readonly headers: unknown }
    return ofJson(200, encode(body), encodeHeaders(headers))
  }
}

const noMethods = (): ReadonlyArray<string> => []

/**
 * The response to a failure of a handler: one of the platform, or of the contract. Any other failure passes through.
 */
const refuserOf = (endpoint: Endpoint, annotations: Annotations) => {
  const encode = Schema.encodeUnknownExit(
    Schema.Union([...endpoint.error]) as unknown as Schema.Codec<unknown, { readonly code: Code }>,
    optionsOf(annotations, HttpApi.ErrorParseOptions as never)
  )
  return (facts: RequestFacts, error: Types.unhandled): Effect.Effect<PlainResponse, Types.unhandled> => {
    facts.retryAfterSeconds = retryAfterOf(error) ?? facts.retryAfterSeconds
    const known = ErrorResponse.ofError(facts, error, noMethods)
    if (known !== undefined) return Effect.succeed(known)
    const encoded = encode(error)
    return Exit.isSuccess(encoded)
      ? Effect.succeed(ofJson(CATALOGUE[encoded.value.code].status, JSON.stringify(encoded.value)))
      : Effect.fail(error)
  }
}

const of = (endpoint: Endpoint, group: HttpApiGroup.Top, annotations: Annotations, handler: Handler): FastEndpoint => {
  const read = readerOf(endpoint, group, annotations)
  const write = writerOf(endpoint)
  const refuse = refuserOf(endpoint, annotations)
  const refusing = catching((error: Types.unhandled) => Effect.flatMap(RequestState, (facts) => refuse(facts, error)))
  const direct = directOf(handler)
  const answeringFor = (principal: Principal, handled: Handled): Answering =>
    Effect.updateContext(refusing(Effect.map(handled, write)), (context: Context.Context<RequestServices>) =>
      Context.add(context, CurrentPrincipal, principal)
    )
  /** Whoever gives an answer has others to give. */
  const told = (principal: Principal, answer: () => Handled): PlainResponse | Answering => {
    try {
      const handled = answer()
      const isThere = Exit.isExit(handled) && Exit.isSuccess(handled)
      return isThere ? write(handled.value) : answeringFor(principal, handled)
    } catch (fault) {
      return Effect.die(fault)
    }
  }
  return {
    access: Context.getUnsafe(annotations, Policy),
    takesBody: endpoint.payload.size > 0,
    prepare: (request) => {
      const taken = read(request)
      if (taken === undefined) return undefined
      const { facts, principal } = request
      facts.route = endpoint.path
      const answering = (): Answering => answeringFor(principal, handler(taken))
      if (direct === undefined) return answering()
      return {
        answering: Effect.suspend(answering),
        begin: (give) => direct.begin(taken, request, (answer) => give(told(principal, answer)))
      }
    }
  }
}

/** The media type that a fast endpoint takes. */
export const FAST_TYPE = JSON_TYPE

/** The endpoints of a contract that have a handler, served without the router. */
export const withHandlers = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  handlerOf: (group: HttpApiGroup.Top, endpoint: Endpoint, annotations: Annotations) => Handler | undefined
): ReadonlyMap<Endpoint, FastEndpoint> => {
  const found = new Map<Endpoint, FastEndpoint>()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group, mergedAnnotations }) => {
      const annotations = mergedAnnotations as Annotations
      const handler = handlerOf(group, endpoint, annotations)
      if (handler !== undefined) found.set(endpoint, of(endpoint, group, annotations, handler))
    }
  })
  return found
}

/** The {@link Fast} endpoints of a contract, with the handlers that a context has for its groups. */
export const make = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  context: Context.Context<never>
): ReadonlyMap<Endpoint, FastEndpoint> =>
  withHandlers(api, (group, endpoint, annotations) => {
    if (!Context.get(annotations, Fast)) return undefined
    const built = context.mapUnsafe.get(group.key) as BuiltGroup | undefined
    const handler = built?.handlers.get(endpoint.identifier)?.handler
    if (handler === undefined) throw new Error(`${endpoint.identifier} is fast and has no handler`)
    return handler
  })
