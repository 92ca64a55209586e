import { Context, Effect, Exit, Schema, Stream } from "effect"
import { type Rpc, RpcSchema } from "effect/rpc"
import type { Refusal } from "../../engine/wire/Refusal.ts"
import { type ApiError, type Code, faulty } from "../api/ApiError.ts"
import { type Access, Policy, type Principal } from "../api/Authorization.ts"
import type { UnavailableLike, UnknownCursorLike } from "../api/Conventions.ts"
import { type FastLaneRpcs, ReadsOnly } from "../api/rpc/FastLane.ts"
import { REQUEST_COST } from "../http/RateLimiter.ts"
import * as ValidationErrors from "../http/ValidationErrors.ts"

/** Who calls. */
export interface Call {
  readonly principal: Principal
  /** Whom the message is counted and remembered for: a client or a user. */
  readonly caller: string
  readonly connection: Ending
}

/** The connection that a message came by, as far as its end is something to act on. */
export interface Ending {
  /** Whether something happens at its end. */
  readonly isWatched: boolean
  /** Has something happen at its end, or nothing; at once where it has ended. */
  readonly onEnd: (act: EndAct | undefined) => void
}

/** What happens at the end of a connection. `isLost`: its client did not end it, the node between is gone. */
export type EndAct = (isLost: boolean) => Effect.Effect<void>

/** Who calls, and whether that still holds. */
export interface StreamCall extends Call {
  /** Fails once the caller may not go on, such as when its token has expired. */
  readonly mayGoOn: Effect.Effect<void, Failure>
}

/** What a handler may fail with; anything else is a fault of ours. */
export type Failure = ApiError | Refusal<Code> | UnavailableLike | UnknownCursorLike

interface HandlerOf<Tag, By, Answer> {
  readonly _tag: Tag
  readonly rpc: string
  readonly access: Access
  /** Whether it changes nothing. */
  readonly isRead: boolean
  /** What a message counts for against the rate limit, a whole request where it says nothing. */
  readonly cost?: number
  /** Takes the payload as it was sent. What it answers is sent as it is. */
  readonly run: (payload: unknown, call: By) => Answer
}

/** What answers one kind of message. */
export type RpcHandler =
  | HandlerOf<"Answer", Call, Effect.Effect<object, Failure>>
  | HandlerOf<"Stream", StreamCall, Stream.Stream<object, Failure>>

/** The handlers of the contexts. */
export const RpcHandlers = Context.Reference<ReadonlyArray<RpcHandler>>("emporion/rpc/RpcHandlers", {
  defaultValue: () => []
})

type Tags<Kind> = FastLaneRpcs extends infer Each
  ? Each extends FastLaneRpcs
    ? Rpc.SuccessSchema<Each> extends { readonly Type: Stream.Stream<infer _A, infer _E, infer _R> }
      ? Kind extends "Stream"
        ? Each
        : never
      : Kind extends "Stream"
        ? never
        : Each
    : never
  : never

/** A message that has one answer. */
export type AnsweredRpc = Tags<"Answer">

/** A message that opens a stream. */
export type StreamedRpc = Tags<"Stream">

/** Who may send a message. */
export const accessOf = ({ annotations }: Rpc.Any): Access => Context.getUnsafe(annotations, Policy)

/** What the contract says of a message. */
const declared = (rpc: Rpc.Any) => ({
  rpc: rpc._tag,
  access: accessOf(rpc),
  isRead: Context.get(rpc.annotations, ReadsOnly)
})

/** A misspelt filter must not ask for everything, as in a query and on `/ws/arena`. */
const STRICT = { onExcessProperty: "error" } as const

/** Reads payloads by the contract; what is wrong with one names the field. */
export const reader = <Payload>(rpc: Rpc.Any): ((payload: unknown) => Effect.Effect<Payload, ApiError>) => {
  const { payloadSchema, successSchema } = rpc as Rpc.AnyWithProps
  const schema = payloadSchema as unknown as Schema.Codec<Payload>
  const asksOnly = RpcSchema.isStreamSchema(successSchema) || Context.get(rpc.annotations, ReadsOnly)
  const options = asksOnly ? STRICT : {}
  const decode = Schema.decodeUnknownExit(schema, options)
  return (payload) =>
    Exit.mapError(decode(payload ?? {}), () => faulty(ValidationErrors.of("payload", schema, payload ?? {}, options)))
}

/** Answers a message. */
export const answering = <R extends AnsweredRpc>(
  rpc: R,
  run: (payload: Rpc.Payload<R>, call: Call) => Effect.Effect<Rpc.SuccessEncoded<R> & object, Failure>
): RpcHandler => {
  const read = reader<Rpc.Payload<R>>(rpc)
  return {
    _tag: "Answer",
    ...declared(rpc),
    run: (payload, call) => Effect.flatMap(read(payload), (taken) => run(taken, call))
  }
}

/** Answers a message whose payload the handler reads by itself, because the contract's way would cost too much. */
export const reading = <R extends AnsweredRpc>(
  rpc: R,
  run: (payload: unknown, call: Call) => Effect.Effect<Rpc.SuccessEncoded<R> & object, Failure>,
  cost = REQUEST_COST
): RpcHandler => ({ _tag: "Answer", ...declared(rpc), run, cost })

/** Answers a message by a stream, which ends with the message. */
export const streaming = <R extends StreamedRpc>(
  rpc: R,
  run: (payload: Rpc.Payload<R>, call: StreamCall) => Stream.Stream<object, Failure>
): RpcHandler => {
  const read = reader<Rpc.Payload<R>>(rpc)
  return {
    _tag: "Stream",
    ...declared(rpc),
    run: (payload, call) => Stream.unwrap(Effect.map(read(payload), (taken) => run(taken, call)))
  }
}
