/** Sends a caller's request to the node that writes, and sends it again where that executes it once. */

import { Clock, Effect } from "effect"

/** How long a request is held while nobody writes, in milliseconds. */
export const HOLD_LIMIT = 15_000

/** The pause before a request is sent again, in milliseconds. */
const AGAIN = 50

/** How long to wait, in milliseconds, to see whether a node that refuses is leaving. */
const LEAVING = 300

/** The outcome of a request that was sent. */
export type Sent<R> =
  | { readonly _tag: "Answered"; readonly response: R }
  /** It certainly did nothing. */
  | { readonly _tag: "Unsent" }
  /** It may have taken effect. */
  | { readonly _tag: "Unknown" }

export const UNSENT = { _tag: "Unsent" } as const
export const UNKNOWN = { _tag: "Unknown" } as const

/** A node that takes requests, until another one replaces it. */
export interface Replaceable {
  readonly replaced: Effect.Effect<void>
}

/** What may be done with a request. */
export interface Resent {
  /** Sending it again executes it only once. */
  readonly isRepeatable: boolean
  /** The key is the node's own and not the caller's. */
  readonly isKeyed: boolean
}

/** How requests are sent, and what their responses say. */
export interface SendingPorts<R, W extends Replaceable> {
  /** The node that takes requests; waits for it. */
  readonly serving: Effect.Effect<W>
  readonly send: (writer: W) => Effect.Effect<Sent<R>>
  /** Whether it says that nothing was done now. */
  readonly isUnavailable: (response: R) => boolean
  /** Whether it says that the first request under the same key still runs. */
  readonly isRunning: (response: R) => boolean
  /** The response where no node took it, or where one ended with it and it may not be sent again. */
  readonly refused: (why: "no writer" | "ended") => R
}

/** The node that takes requests; waits for it as long as that may take. */
export const writerWithin = <W>(serving: Effect.Effect<W>, millis: number): Effect.Effect<W | undefined> =>
  Effect.timeoutOrElse(serving, { duration: millis, orElse: () => Effect.succeed(undefined) })

/** Whether another node soon replaces this one. */
const isLeaving = ({ replaced }: Replaceable): Effect.Effect<boolean> =>
  Effect.timeoutOrElse(Effect.as(replaced, true), { duration: LEAVING, orElse: () => Effect.succeed(false) })

/** A request that was sent for the first time, and what became of it. */
export interface FirstSending<R, W> {
  readonly writer: W
  readonly sent: Sent<R>
  /** When it was to be answered, in milliseconds since 1970. */
  readonly since: number
}

type Reading<R> = Pick<SendingPorts<R, Replaceable>, "isUnavailable">

/**
 * The response to a request that was sent for the first time, where that is the caller's at once; undefined where
 * {@link resend} has to go on.
 */
export const answeredAtOnce = <R>(
  { isRepeatable }: Resent,
  { isUnavailable }: Reading<R>,
  sent: Sent<R>
): R | undefined =>
  sent._tag === "Answered" && !(isRepeatable && isUnavailable(sent.response)) ? sent.response : undefined

/** The response for the caller, or nothing if the request has to be sent again. */
const outcome = Effect.fnUntraced(function* <R, W extends Replaceable>(
  { isKeyed, isRepeatable }: Resent,
  { isRunning, isUnavailable, refused }: SendingPorts<R, W>,
  writer: W,
  sent: Sent<R>,
  times: number
) {
  if (sent._tag === "Unsent") return undefined
  if (sent._tag === "Unknown") return isRepeatable ? undefined : refused("ended")
  const { response } = sent
  // A repetition under the node's own key met the first request.
  if (isKeyed && times > 0 && isRunning(response)) return undefined
  if (!isUnavailable(response) || !isRepeatable) return response
  return (yield* isLeaving(writer)) ? undefined : response
})

/**
 * The response of the node that writes, whichever that is by then.
 *
 * @param first - given where it was sent once before
 */
export const resend = Effect.fnUntraced(function* <R, W extends Replaceable>(
  request: Resent,
  ports: SendingPorts<R, W>,
  first?: FirstSending<R, W>
): Effect.fn.Return<R> {
  /** An earlier sending may have taken effect: then the caller is not told that nothing did. */
  let isUnknown = first?.sent._tag === "Unknown"
  const until = (first?.since ?? (yield* Clock.currentTimeMillis)) + HOLD_LIMIT
  if (first !== undefined) {
    const response = yield* outcome(request, ports, first.writer, first.sent, 0)
    if (response !== undefined) return response
    yield* Effect.sleep(AGAIN)
  }
  for (let times = first === undefined ? 0 : 1; ; times += 1) {
    const left = until - (yield* Clock.currentTimeMillis)
    if (left <= 0) return ports.refused(isUnknown ? "ended" : "no writer")
    const writer = yield* writerWithin(ports.serving, left)
    if (writer === undefined) continue
    const sent = yield* Effect.raceFirst(ports.send(writer), Effect.as(writer.replaced, UNKNOWN))
    if (sent._tag === "Unknown") isUnknown = true
    const response = yield* outcome(request, ports, writer, sent, times)
    if (response !== undefined) {
      // A caller with a key sends it again under that, and loses nothing.
      return isUnknown && request.isKeyed && ports.isUnavailable(response) ? ports.refused("ended") : response
    }
    yield* Effect.sleep(AGAIN)
  }
})
