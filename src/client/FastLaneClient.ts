import { Effect, Exit, Schedule, Scope, Stream } from "effect"
import type { Rpc } from "effect/rpc"
import type { RpcClientError } from "effect/rpc/RpcClientError"
import type * as Contract from "../api/rpc/FastLane.ts"
import type { Refused } from "../api/rpc/Refused.ts"
import type { webhookEvents } from "../api/rpc/WebhookEvents.ts"
import { connect, type FastLaneCalls, type FastLaneOptions } from "./FastLaneSocket.ts"

/** Between two tries to send what may not have arrived: from 100 ms to about 10 s. */
const RESEND = Schedule.max([Schedule.exponential("100 millis", 2), Schedule.recurs(7)])

/** A commitment to an order. */
export type Commitment = typeof Contract.CommitmentItem.Type

/** A commitment that stands. */
export type Receipt = typeof Contract.Accepted.Type

/** What became of one of several commitments. */
export type ItemResult = typeof Contract.ItemResult.Type

/** A whole order without its commitments. */
export type Order = StreamItem<typeof Contract.orders>

/** What webhooks of a company are told, up to a place. */
export type EventsPiece = StreamItem<typeof webhookEvents>

/** A frame of a subscription. */
export type Frame = typeof Contract.SubscriptionFrame.Type

type StreamItem<R> =
  Rpc.SuccessSchema<R> extends { readonly Type: Stream.Stream<infer A, infer _E, infer _R> } ? A : never

/** What a caller may say of a call. */
export interface CallOptions {
  /** Ends the call. What was sent may have happened all the same. */
  readonly signal?: AbortSignal
}

/** What is stopped; only the bots by default. */
export interface StopOptions {
  readonly scope?: "bots" | "company"
}

const scoped = ({ scope }: StopOptions): StopOptions => (scope === undefined ? {} : { scope })

type Lost = Refused | RpcClientError

const mayPass = (error: Lost): boolean => error._tag === "RpcClientError" || error.code === "conflict"

/** Sends again what may not have arrived, where every item has an id under which it is made once. */
const resent = <A>(items: ReadonlyArray<Commitment>, call: Effect.Effect<A, Lost>): Effect.Effect<A, Lost> =>
  items.every(({ idempotency_id: id }) => id !== undefined)
    ? Effect.retry(call, { schedule: RESEND, while: mayPass })
    : call

/**
 * The fast lane for programs without Effect: calls answer promises, and streams are read by `for await`. A refusal
 * rejects with {@link Refused}, a lost connection with `RpcClientError`. Commitments that have an `idempotency_id` are
 * sent again by themselves after the connection was lost.
 */
export class FastLaneClient {
  readonly #scope = Scope.makeUnsafe()
  readonly #calls: Promise<FastLaneCalls>

  /** Connects, and again whenever the connection is lost. */
  constructor(options: FastLaneOptions) {
    this.#calls = Effect.runPromise(Scope.provide(connect(options), this.#scope))
  }

  /** Answered once the commitment is durable. */
  commit(item: Commitment, options?: CallOptions): Promise<Receipt> {
    return this.#run((calls) => resent([item], calls.commit(item)), options)
  }

  /** Commits each of up to 500 items for itself: the results stand in their order. */
  commitBatch(items: ReadonlyArray<Commitment>, options?: CallOptions): Promise<ReadonlyArray<ItemResult>> {
    return this.#run(
      (calls) =>
        resent(
          items,
          Effect.map(calls.commitBatch({ items }), ({ results }) => results)
        ),
      options
    )
  }

  /** The caller's own commitments, newest first. */
  myCommitments(query: typeof Contract.myCommitments.payloadSchema.Type = {}, options?: CallOptions) {
    return this.#run((calls) => calls.myCommitments(query), options)
  }

  /** The caller's funds. */
  balances(page: typeof Contract.balances.payloadSchema.Type = {}, options?: CallOptions) {
    return this.#run((calls) => calls.balances(page), options)
  }

  /** What a bot of one's own would do about an order. Takes a credit. */
  evaluate(question: typeof Contract.evaluate.payloadSchema.Type, options?: CallOptions) {
    return this.#run((calls) => calls.evaluate(question), options)
  }

  /**
   * Pauses every active bot of the company; answers which they were. With the scope `company` it pulls the company's kill
   * switch besides: once this is answered none of its commitments is accepted, whoever makes it, until it is lifted.
   */
  pauseAll(options: CallOptions & StopOptions = {}) {
    return this.#run((calls) => calls.pauseAll(scoped(options)), options)
  }

  /** Does what {@link pauseAll} does after so many seconds unless this is called again. 0 clears it. */
  cancelAfter(seconds: number, options: CallOptions & StopOptions = {}) {
    return this.#run((calls) => calls.cancelAfter({ timeout_seconds: seconds, ...scoped(options) }), options)
  }

  /**
   * Has the end of the present connection pull the company's kill switch, or no more. The option `cancelOnDisconnect` of
   * the constructor does so for each connection.
   */
  cancelOnDisconnect(enabled = true, options?: CallOptions) {
    return this.#run((calls) => calls.cancelOnDisconnect({ enabled }), options)
  }

  /** Lifts the company's kill switch. Needs `payments:write`; its bots stay paused. */
  liftKillSwitch(options?: CallOptions) {
    return this.#run((calls) => calls.liftKillSwitch(), options)
  }

  /** Every order that is live, then each again as often as it changes. Leaving the loop ends it. */
  orders(filter: typeof Contract.orders.payloadSchema.Type = {}): AsyncIterable<Order> {
    return this.#read((calls) => calls.orders(filter))
  }

  /** The arena's events. Leaving the loop ends them. */
  subscribe(subscription: typeof Contract.subscribe.payloadSchema.Type = {}): AsyncIterable<Frame> {
    return this.#read((calls) => calls.subscribe(subscription))
  }

  /** What webhooks of the caller's company are told, from now on or from after a place. Leaving the loop ends it. */
  webhookEvents(listening: typeof webhookEvents.payloadSchema.Type = {}): AsyncIterable<EventsPiece> {
    return this.#read((calls) => calls.webhookEvents(listening))
  }

  /** Ends the connection, and whatever is under way. */
  close(): Promise<void> {
    return Effect.runPromise(Scope.close(this.#scope, Exit.void))
  }

  #run<A>(call: (calls: FastLaneCalls) => Effect.Effect<A, Lost>, options?: CallOptions): Promise<A> {
    return this.#calls.then((calls) => Effect.runPromise(call(calls), options))
  }

  #read<A>(open: (calls: FastLaneCalls) => Stream.Stream<A, Lost>): AsyncIterable<A> {
    return Stream.toAsyncIterable(
      Stream.unwrap(
        Effect.map(
          Effect.promise(() => this.#calls),
          open
        )
      )
    )
  }
}
