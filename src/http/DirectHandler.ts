import type { Effect, Types } from "effect"
import type { CurrentPrincipal, Principal } from "../api/Authorization.ts"
import type { RequestFacts } from "../RequestState.ts"
import type { KeyedRequest } from "./IdempotencyScope.ts"
import type { RequestServices } from "./RouterPath.ts"

/** Who asks, and under which key. */
export interface DirectCall {
  readonly facts: RequestFacts
  readonly principal: Principal
  /** What it is executed once under; undefined where that is nothing. */
  readonly keyed: KeyedRequest | undefined
}

/**
 * Begins what a handler does, without a fiber for it: what makes its answer is given to a function once, which runs it, takes
 * what it throws for a fault, and does not throw. The answer is an exit, or an effect where more has to be waited for, which
 * runs in a fiber then. False where it has to wait before it can begin: then nothing was done, and the handler itself is asked.
 */
export type Begin<Request, Answer, E, R> = (
  request: Request,
  call: DirectCall,
  give: (answer: () => Effect.Effect<Answer, E, R>) => void
) => boolean

/** A handler that can do the same without a fiber. A fiber and its services cost a commitment some 10 of 120 µs. */
export interface DirectHandler {
  readonly begin: Begin<object, unknown, Types.unhandled, RequestServices | CurrentPrincipal>
}

/** Gives a handler of the contract a way without a fiber. */
export const directly = <Request, Answer, E, R>(
  handler: (request: Request) => Effect.Effect<Answer, E, R>,
  begin: Begin<Request, Answer, E, R>
): ((request: Request) => Effect.Effect<Answer, E, R>) =>
  Object.assign((request: Request) => handler(request), { begin })

/** The way of a handler without a fiber, where it has one. */
export const directOf = (handler: object): DirectHandler | undefined =>
  "begin" in handler ? (handler as DirectHandler) : undefined
