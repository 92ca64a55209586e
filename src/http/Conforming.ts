import { Context, Effect, Layer } from "effect"
import type { Types } from "effect"
import type { HttpServerResponse } from "effect/http"
import { Conventions } from "../api/Conventions.ts"
import * as ErrorResponse from "./ErrorResponse.ts"
import { RequestState } from "./RequestState.ts"
import type { RequestFacts } from "./RequestState.ts"

type Answer = Effect.Effect<HttpServerResponse.HttpServerResponse, Types.unhandled>

const noMethods = (): ReadonlyArray<string> => []

const retryAfterOf = (error: unknown): number | undefined =>
  typeof error === "object" &&
  error !== null &&
  "retryAfterSeconds" in error &&
  typeof error.retryAfterSeconds === "number"
    ? error.retryAfterSeconds
    : undefined

/** Refusals of the platform are answered here, in the shape of the path; those of the contract go on to be encoded. */
const refused =
  (state: RequestFacts) =>
  (error: Types.unhandled): Answer => {
    state.retryAfterSeconds = retryAfterOf(error) ?? state.retryAfterSeconds
    const answer = ErrorResponse.ofError(state, error, noMethods)
    return answer === undefined ? Effect.fail(error) : Effect.succeed(answer)
  }

/** Carries out {@link Conventions} for one endpoint: names its route and shapes its refusals. */
export const layer: Layer.Layer<Conventions> = Layer.succeed(
  Conventions,
  Conventions.of((httpEffect, { endpoint }) =>
    Effect.withFiber((fiber) => {
      const state = Context.getUnsafe(fiber.context, RequestState)
      state.route = endpoint.path
      return httpEffect.pipe(Effect.catch(refused(state)))
    })
  )
)
