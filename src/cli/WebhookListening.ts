import { Clock, Effect, Redacted, Stream } from "effect"
import type { HttpClient } from "effect/http"
import { ANSWER_TIMEOUT } from "../../engine/webhooks/DeliverySchedule.ts"
import type { WantedEvent } from "../../engine/webhooks/WantedEvents.ts"
import { FastLaneClient } from "../../packages/client/src/FastLaneClient.ts"
import { isoUtc } from "../api/Timestamp.ts"
import { deliveryHeaders } from "../webhooks/DeliveryHeaders.ts"
import { exchangeTarget, HttpExchange } from "../webhooks/HttpExchange.ts"
import { NameResolver } from "../webhooks/NameResolver.ts"
import { SendingConnections } from "../webhooks/SendingConnections.ts"
import { accessToken, type PlatformClient } from "./AccessToken.ts"
import { CommandFailed } from "./CommandFailed.ts"

/** Whose events are forwarded, and where to. */
export interface ListenOptions extends PlatformClient {
  /** Types of events, or `*`. */
  readonly events: ReadonlyArray<WantedEvent>
  /** Undefined: events are told and not sent. */
  readonly forwardTo: URL | undefined
  /** What signs them: `whsec_` and base64. */
  readonly secret: Redacted.Redacted
}

/** Where what happens is written to: a line at a time. */
export interface Lines {
  /** Once nothing that happens is missed any more. */
  readonly ready: Effect.Effect<void>
  readonly event: (line: string) => Effect.Effect<void>
  readonly note: (line: string) => Effect.Effect<void>
}

/** Requests to the developer's machine at the same time. */
const CONCURRENCY = 16

const everywhere = { plain: () => undefined, secure: () => undefined }

interface Heard {
  readonly id: string
  readonly type: string
  readonly body: string
}

/** Sends an event to the developer's machine, once, and says what came of it. */
const makeForward = Effect.fnUntraced(function* ({ forwardTo, secret }: ListenOptions, lines: Lines) {
  const connections = yield* SendingConnections.make(NameResolver.system.resolve, everywhere, { certificates: [] })
  const secrets = { current: Redacted.value(secret), previous: [] }
  return Effect.fnUntraced(function* ({ body, id, type }: Heard) {
    const at = yield* Clock.currentTimeMillis
    const head = `${isoUtc(at)}  ${type.padEnd(27)}  ${id}`
    if (forwardTo === undefined) return yield* lines.event(head)
    const headers = deliveryHeaders(secrets, { eventId: id, body, at })
    const target = exchangeTarget(forwardTo, connections)
    const { error, status } = yield* new HttpExchange(target, { headers, body }).within(ANSWER_TIMEOUT)
    const took = (yield* Clock.currentTimeMillis) - at
    yield* lines.event(`${head}  ${status === null ? `not delivered: ${error}` : `${status} in ${took} ms`}`)
  })
})

/** Why the platform does not tell of events any more. */
const refusedBy =
  ({ server }: ListenOptions) =>
  (cause: unknown): CommandFailed =>
    new CommandFailed({
      message: `${server.origin} refuses: ${cause instanceof Error ? cause.message : String(cause)}`
    })

/** A connection for as long as the scope lasts. It is told of each time that it is lost. */
const lane = Effect.fnUntraced(function* (options: ListenOptions, onLost: Effect.Effect<void>) {
  const context = yield* Effect.context<HttpClient.HttpClient>()
  return yield* Effect.acquireRelease(
    Effect.sync(
      () =>
        new FastLaneClient({
          url: options.server.origin,
          token: () => Effect.runPromiseWith(context)(accessToken(options)),
          onStatus: (status) => {
            if (status === "waiting") Effect.runForkWith(context)(onLost)
          }
        })
    ),
    (client) => Effect.promise(() => client.close())
  )
})

/** Follows the events through lost connections, so that none is missed from the first piece on, which says where it begins. */
const follow = Effect.fnUntraced(function* (options: ListenOptions, lines: Lines) {
  const forward = yield* makeForward(options, lines)
  let isReady = false
  let isLost = false
  const lost = Effect.suspend(() => {
    if (isLost) return Effect.void
    isLost = true
    return lines.note("The connection is lost; trying again.")
  })
  const client = yield* lane(options, lost)
  const pieces = Stream.fromAsyncIterable(client.webhookEvents({ events: options.events }), refusedBy(options))
  yield* Stream.runForEach(pieces, ({ events }) =>
    Effect.gen(function* () {
      if (!isReady) yield* lines.ready
      else if (isLost) yield* lines.note("Connected again: what happened meanwhile follows.")
      isReady = true
      isLost = false
      yield* Effect.forEach(events, forward, { concurrency: CONCURRENCY, discard: true })
    })
  )
  return yield* Effect.never
})

/** Forwards a company's events to a developer's own machine, for ever. Fails where the platform refuses the client. */
export const listen = (
  options: ListenOptions,
  lines: Lines
): Effect.Effect<never, CommandFailed, HttpClient.HttpClient> =>
  Effect.scoped(Effect.andThen(accessToken(options), follow(options, lines)))
