import { ApiError, NoAnswer } from "./ApiError.ts"
import type { StreamItem } from "./ArenaStreamClient.ts"
import { type ClientPlatform, standardPlatform } from "./ClientPlatform.ts"
import type { FastLaneMessages, StreamedOrder } from "./Contract.ts"
import type { TokenSource } from "./Credentials.ts"
import { LaneConnection, type LaneStatus } from "./LaneConnection.ts"
import { LaneStream } from "./LaneStream.ts"
import { StreamProgress } from "./StreamProgress.ts"
import { readFrame } from "./WireFrame.ts"

/** How long one call may take, in milliseconds; the wait for a connection counts. */
export const CALL_TIMEOUT = 30_000

/** Before a commitment whose first sending is still under way is sent again, in milliseconds; twice as long each time. */
const FIRST_PAUSE = 100
const MAX_PAUSES = 7

type Message = keyof FastLaneMessages

type Payload<Tag extends Message> = FastLaneMessages[Tag]["payload"]

type Success<Tag extends Message> = FastLaneMessages[Tag]["success"]

/** A commitment to an order. */
export type Commitment = Payload<"commit">

/** A commitment that stands. */
export type Receipt = Success<"commit">

/** What became of one of several commitments. */
export type ItemResult = Success<"commitBatch">["results"][number]

/** What webhooks of a company are told, up to a place. */
export type EventsPiece = Success<"webhookEvents">

export interface FastLaneOptions {
  /** The server, such as `https://arena.example`. */
  readonly url: string
  /** An access token, or what gives one that is valid now: it is asked before each connection, and every 10 minutes. */
  readonly token: TokenSource
  /** Whether the end of each connection pulls the company's kill switch, so that nothing more is committed. */
  readonly cancelOnDisconnect?: boolean
  /** {@link CALL_TIMEOUT} by default. */
  readonly timeout?: number
  /** Told of every change, and why where there is a reason. */
  readonly onStatus?: (status: LaneStatus, why?: string) => void
  readonly platform?: Partial<ClientPlatform>
}

/** What a caller may say of a call. */
export interface CallOptions {
  /** Ends the call. What was sent may have happened all the same. */
  readonly signal?: AbortSignal
  readonly timeout?: number
}

/** What is stopped; only the bots by default. */
export interface StopOptions {
  readonly scope?: "bots" | "company"
}

const scoped = ({ scope }: StopOptions): StopOptions => (scope === undefined ? {} : { scope })

const isConflict = (error: unknown): boolean => error instanceof ApiError && error.code === "conflict"

/**
 * The fast lane: calls answer promises, and streams are read by `for await`. A refusal rejects with {@link ApiError}, a
 * lost connection with {@link NoAnswer}. What changes nothing when it is repeated is sent again by itself after the
 * connection was lost, commitments that have an `idempotency_id` too, and streams go on where they were.
 */
export class FastLaneClient {
  readonly #options: FastLaneOptions
  readonly #platform: ClientPlatform
  readonly #connection: LaneConnection

  /** Connects, and again whenever the connection is lost. */
  constructor(options: FastLaneOptions) {
    this.#options = options
    this.#platform = { ...standardPlatform(), ...options.platform }
    this.#connection = new LaneConnection({
      url: options.url,
      token: options.token,
      cancelOnDisconnect: options.cancelOnDisconnect ?? false,
      onStatus: options.onStatus ?? (() => {}),
      platform: this.#platform
    })
  }

  get status(): LaneStatus {
    return this.#connection.status
  }

  /** Answered once the commitment is durable. */
  commit(item: Commitment, options?: CallOptions): Promise<Receipt> {
    return this.#commit([item], "commit", item, options)
  }

  /** Commits each of up to 500 items for itself: the results stand in their order. */
  async commitBatch(items: ReadonlyArray<Commitment>, options?: CallOptions): Promise<ReadonlyArray<ItemResult>> {
    const { results } = await this.#commit(items, "commitBatch", { items }, options)
    return results
  }

  /** The caller's own commitments, newest first. */
  myCommitments(query: Payload<"myCommitments"> = {}, options?: CallOptions) {
    return this.#call("myCommitments", query, true, options)
  }

  /** The caller's funds. */
  balances(page: Payload<"balances"> = {}, options?: CallOptions) {
    return this.#call("balances", page, true, options)
  }

  /** What a bot of one's own would do about an order. Takes a credit. */
  evaluate(question: Payload<"evaluate">, options?: CallOptions) {
    return this.#call("evaluate", question, false, options)
  }

  /**
   * Pauses every active bot of the company; answers which they were. With the scope `company` it pulls the company's kill
   * switch besides: once this is answered none of its commitments is accepted, whoever makes it, until it is lifted.
   */
  pauseAll(options: CallOptions & StopOptions = {}) {
    return this.#call("pauseAll", scoped(options), true, options)
  }

  /** Does what {@link pauseAll} does after so many seconds unless this is called again. 0 clears it. */
  cancelAfter(seconds: number, options: CallOptions & StopOptions = {}) {
    return this.#call("cancelAfter", { timeout_seconds: seconds, ...scoped(options) }, true, options)
  }

  /**
   * Has the end of the present connection pull the company's kill switch, or no more. The option `cancelOnDisconnect` of
   * the constructor does so for each connection.
   */
  cancelOnDisconnect(enabled = true, options?: CallOptions) {
    return this.#call("cancelOnDisconnect", { enabled }, false, options)
  }

  /** Lifts the company's kill switch. Needs `payments:write`; its bots stay paused. */
  liftKillSwitch(options?: CallOptions) {
    return this.#call("liftKillSwitch", undefined, false, options)
  }

  /**
   * Every order that is live or named, whole but without its commitments, then each again as often as it changes, also
   * those that changed while there was no connection. Leaving the loop ends it.
   */
  async *orders(filter: Payload<"orders"> = {}): AsyncGenerator<StreamedOrder, undefined> {
    for await (const item of this.subscribe({ ...filter, channels: ["orders"], snapshot: true })) {
      if (item.kind === "snapshot") for (const { commitments: _, ...order } of item.orders) yield order
      if (item.kind !== "event") continue
      for (const frame of item.frames) if (frame.type === "order_updated") yield frame.data
    }
  }

  /**
   * The arena's events, each once and in order, as the stream's own client tells them. Goes on after a lost connection
   * where it was. Leaving the loop ends them.
   */
  subscribe(subscription: Payload<"subscribe"> = {}): AsyncIterableIterator<StreamItem, undefined> {
    const progress = new StreamProgress(subscription.snapshot ?? false, subscription.resume ?? undefined)
    const read = (value: unknown): ReadonlyArray<StreamItem> | undefined => {
      const frame = readFrame(value)
      if (frame === undefined) return undefined
      if (frame.type === "price_update") {
        return progress.isLive ? [{ kind: "price", price: frame.data, timestamp: frame.timestamp }] : []
      }
      const step = progress.take(frame)
      if (step?.kind === "breach") return undefined
      return step === undefined ? [] : [step]
    }
    const payload = () => {
      const resume = progress.connect()
      return resume === undefined ? subscription : { ...subscription, resume }
    }
    return new LaneStream(this.#connection, { tag: "subscribe", payload, read })
  }

  /**
   * What webhooks of the caller's company are told, from now on or from after a place. Goes on after a lost connection
   * where it was. Leaving the loop ends it.
   */
  webhookEvents(listening: Payload<"webhookEvents"> = {}): AsyncIterableIterator<EventsPiece, undefined> {
    let after = listening.after ?? undefined
    return new LaneStream(this.#connection, {
      tag: "webhookEvents",
      payload: () => (after === undefined ? listening : { ...listening, after }),
      read: (value) => {
        const piece = value as EventsPiece
        after = piece.seq
        return [piece]
      }
    })
  }

  /** Ends the connection, the loops that read streams, and whatever is under way. */
  close(): Promise<void> {
    this.#connection.close()
    return Promise.resolve()
  }

  /** Sends again what may not have arrived, where every item has an id under which it is made once. */
  async #commit<Tag extends "commit" | "commitBatch">(
    items: ReadonlyArray<Commitment>,
    tag: Tag,
    payload: Payload<Tag>,
    options: CallOptions | undefined
  ): Promise<Success<Tag>> {
    const isNamed = items.every(({ idempotency_id: id }) => typeof id === "string" && id !== "")
    for (let pause = 0; ; pause++) {
      try {
        return await this.#call(tag, payload, isNamed, options)
      } catch (error) {
        if (!isNamed || !isConflict(error) || pause === MAX_PAUSES) throw error
        await new Promise<void>((resolve) => void this.#platform.after(FIRST_PAUSE * 2 ** pause, resolve))
      }
    }
  }

  #call<Tag extends Message>(
    tag: Tag,
    payload: Payload<Tag>,
    mayRepeat: boolean,
    { signal, timeout }: CallOptions = {}
  ): Promise<Success<Tag>> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason)
      const settled = (): void => {
        callOff()
        signal?.removeEventListener("abort", abandon)
      }
      const fail = (error: unknown): void => {
        settled()
        reject(error)
      }
      const request = {
        tag,
        payload: () => payload,
        onSuccess: (value: unknown) => {
          settled()
          resolve(value as Success<Tag>)
        },
        onFailure: fail,
        onLost: () => {
          if (!mayRepeat) fail(new NoAnswer("unreachable", "The connection was lost before the answer."))
          return mayRepeat
        }
      }
      const abandon = (): void => {
        this.#connection.cancel(request)
        fail(signal?.reason)
      }
      const callOff = this.#platform.after(timeout ?? this.#options.timeout ?? CALL_TIMEOUT, () => {
        this.#connection.cancel(request)
        fail(new NoAnswer("timeout", "No answer came in time."))
      })
      signal?.addEventListener("abort", abandon)
      this.#connection.ask(request)
    })
  }
}
