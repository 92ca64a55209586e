import { Context, Effect, Layer } from "effect"
import type { Types } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import type { HttpServerResponse } from "effect/http"
import { HttpApiError } from "effect/http-api"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { faulty } from "../api/ApiError.ts"
import { Policy } from "../api/Authorization.ts"
import { Conventions } from "../api/Conventions.ts"
import type { FieldError } from "../api/FieldError.ts"
import { refusalOf } from "./Authorizing.ts"
import * as ErrorResponse from "./ErrorResponse.ts"
import { toRouted } from "./PlainResponse.ts"
import { RequestState } from "../RequestState.ts"
import type { RequestFacts } from "../RequestState.ts"
import { AS_DOCUMENTED } from "./RequestRules.ts"
import * as RequestValidation from "./RequestValidation.ts"

type Answer = Effect.Effect<HttpServerResponse.HttpServerResponse, Types.unhandled, HttpRouter.Provided>

const noMethods = (): ReadonlyArray<string> => []

/** Seconds after which a failure may have passed, if it says so. */
export const retryAfterOf = (error: unknown): number | undefined =>
  typeof error === "object" &&
  error !== null &&
  "retryAfterSeconds" in error &&
  typeof error.retryAfterSeconds === "number"
    ? error.retryAfterSeconds
    : undefined

const isOfRequest = (error: unknown): error is HttpApiError.HttpApiSchemaError =>
  HttpApiError.HttpApiSchemaError.is(error) && error.kind !== "Body" && error.kind !== "ResponseHeaders"

const faultyAnswer = (state: RequestFacts, errors: ReadonlyArray<FieldError>) =>
  Effect.succeed(toRouted(ErrorResponse.ofApiError(state, faulty(errors))))

/** This answers refusals of the platform, in the shape of the path. Those of the contract go on to be encoded. */
const refused =
  (state: RequestFacts, endpoint: HttpApiEndpoint.Top) =>
  (error: Types.unhandled): Answer => {
    state.retryAfterSeconds = retryAfterOf(error) ?? state.retryAfterSeconds
    if (isOfRequest(error)) {
      return Effect.flatMap(RequestValidation.faultsOf(endpoint), (found) =>
        faultyAnswer(state, found.length === 0 ? ErrorResponse.faultsOf(error) : found)
      )
    }
    const answer = ErrorResponse.ofError(state, error, noMethods)
    return answer === undefined ? Effect.fail(error) : Effect.succeed(toRouted(answer))
  }

/** Whether the endpoint admits the caller at all. A caller that may not call it learns that first. */
const isLetIn = (
  { identity }: RequestFacts,
  { endpoint, group }: { readonly endpoint: HttpApiEndpoint.Top; readonly group: HttpApiGroup.Top }
): boolean => {
  const access =
    Context.getOrUndefined(endpoint.annotations, Policy) ?? Context.getOrUndefined(group.annotations, Policy)
  if (access?._tag === "Open") return true
  return identity._tag === "Verified" && refusalOf(access, identity.principal) === undefined
}

/** A path that ends where a name should stand, such as one with a slash behind a list's, is no name's. */
const namesNothing = ({ params }: HttpRouter.RouteContext["Service"]): boolean => Object.values(params).includes("")

/**
 * Carries out {@link Conventions} for one endpoint: names its route, refuses parameters that it does not know, lists
 * every fault of the request, and shapes its refusals.
 */
export const layer: Layer.Layer<Conventions> = Layer.succeed(
  Conventions,
  Conventions.of((httpEffect, { endpoint, group }) =>
    Effect.withFiber((fiber) => {
      const state = Context.getUnsafe(fiber.context, RequestState)
      if (namesNothing(Context.getUnsafe(fiber.context, HttpRouter.RouteContext))) {
        return Effect.succeed(toRouted(ErrorResponse.make(state, "not_found", AS_DOCUMENTED)))
      }
      state.route = endpoint.path
      const query = Context.getUnsafe(fiber.context, HttpServerRequest.ParsedSearchParams)
      const unknown = RequestValidation.unknownParameters(endpoint, query)
      const served = httpEffect.pipe(Effect.catch(refused(state, endpoint)))
      if (unknown.length === 0 || !isLetIn(state, { endpoint, group })) return served
      return Effect.flatMap(RequestValidation.faultsOf(endpoint), (found) => faultyAnswer(state, found))
    })
  )
)
