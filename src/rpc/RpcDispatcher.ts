import { Cause, Clock, Effect, Stream } from "effect"
import { randomUUID } from "node:crypto"
import { ApiError, CATALOGUE, waitOf } from "../api/ApiError.ts"
import { authenticated } from "../api/Authorization.ts"
import type { FieldError } from "../api/FieldError.ts"
import { authenticate } from "../api/rpc/FastLane.ts"
import { faultOf, refusalOf } from "../http/ExplainedFailure.ts"
import { RequestLimit } from "../http/RequestDeadline.ts"
import { DiskGuard, refusalOf as diskFull } from "../database/DiskGuard.ts"
import { RequestUsage } from "../http/RequestUsage.ts"
import { MAX_COMPANY_STREAMS } from "../http/SocketLimits.ts"
import { cutSentence, lateRefusal, LOOK_MILLIS, MessageDeadlines } from "./MessageDeadlines.ts"
import type { RpcConnection } from "./RpcConnection.ts"
import { type Call, type Failure, reader, type RpcHandler } from "./RpcHandler.ts"
import type { RpcGate } from "./RpcGate.ts"
import { type Ending, RpcSeries } from "./RpcMetrics.ts"
import { MAX_SHOWN, UnknownFrame } from "./UnknownFrame.ts"
import * as Worker from "../Worker.ts"

/** A refusal as it is sent: {@link Refused} of the contract. */
interface RefusedJson {
  readonly _tag: "Refused"
  readonly code: ApiError["code"]
  readonly message: string
  readonly errors?: ReadonlyArray<FieldError>
  readonly retry_after?: number
}

/** A refusal as it is sent. */
export const refusedJson = ({ code, errors, message, retryAfterSeconds }: ApiError): RefusedJson => {
  const wait = waitOf(CATALOGUE[code].status, retryAfterSeconds)
  return {
    _tag: "Refused",
    code,
    message,
    ...(errors.length === 0 ? {} : { errors }),
    ...(wait === undefined ? {} : { retry_after: wait })
  }
}

/** How a message ends that was refused before anything was tried. */
const REFUSED: ReadonlySet<Ending> = new Set([
  "unauthorized",
  "access_denied",
  "insufficient_scope",
  "rate_limited",
  "invalid_request"
])

const UNKNOWN_REFUSED: ReadonlySet<Ending> = new Set([...REFUSED, "not_found"])

const TOO_MANY_STREAMS = `A company has at most ${MAX_COMPANY_STREAMS} streams open: end some of them.`

const OTHER_USER = "This connection speaks for another user: open one of your own."

/** What is known of a message while it is answered. */
interface Message {
  /** It changes nothing. */
  readonly isRead: boolean
  /** Its handler was begun. */
  isBegun: boolean
}

const reading = (): Message => ({ isRead: true, isBegun: false })

/** A message that is being answered. */
export type Answered = Effect.Effect<object, RefusedJson>
export type Streamed = Stream.Stream<object, RefusedJson>

/** Answers messages: lets them pass the gate, runs their handlers, and makes every failure a refusal. */
export class RpcDispatcher {
  readonly #gate: RpcGate
  readonly #clock: Clock.Clock
  readonly #deadlines: MessageDeadlines
  readonly #isDiskFull: () => boolean
  readonly #seriesOf: (rpc: string) => RpcSeries

  private constructor(
    gate: RpcGate,
    clock: Clock.Clock,
    deadlines: MessageDeadlines,
    isDiskFull: () => boolean,
    seriesOf: (rpc: string) => RpcSeries
  ) {
    this.#gate = gate
    this.#clock = clock
    this.#deadlines = deadlines
    this.#isDiskFull = isDiskFull
    this.#seriesOf = seriesOf
  }

  static readonly make = Effect.fnUntraced(function* (gate: RpcGate) {
    const usage = yield* RequestUsage
    const context = yield* Effect.context<never>()
    const clock = yield* Clock.Clock
    const deadlines = new MessageDeadlines(yield* RequestLimit, clock)
    yield* Worker.every(
      LOOK_MILLIS,
      "Deadlines of messages",
      Effect.sync(() => deadlines.look())
    )
    const { isFull } = yield* DiskGuard
    return new RpcDispatcher(gate, clock, deadlines, isFull, (rpc) => new RpcSeries(rpc, usage, context))
  })

  /** What answers the messages of one kind on a connection. */
  of(handler: RpcHandler): (payload: unknown, connection: RpcConnection) => Answered | Streamed {
    const series = this.#seriesOf(handler.rpc)
    return handler._tag === "Answer"
      ? (payload, connection) =>
          this.#answer(connection, series, { isRead: handler.isRead, isBegun: false }, (message) =>
            Effect.flatMap(this.#gate.admit(connection, handler.access, handler.cost), (call) => {
              if (!handler.isRead && this.#isDiskFull()) return Effect.fail(diskFull())
              message.isBegun = true
              return handler.run(payload, call)
            })
          )
      : (payload, connection) => this.#stream(connection, series, handler, payload)
  }

  /** What answers `authenticate`. */
  authenticating(): (payload: unknown, connection: RpcConnection) => Answered {
    const series = this.#seriesOf(authenticate._tag)
    const read = reader<{ readonly access_token: string }>(authenticate)
    const run = Effect.fnUntraced(
      { self: this },
      function* (this: RpcDispatcher, payload: unknown, connection: RpcConnection) {
        yield* this.#gate.count(connection)
        const { access_token: token } = yield* read(payload)
        const principal = yield* this.#gate.verified(token)
        const { identity } = connection.facts
        if (identity._tag === "Verified" && identity.principal.userId !== principal.userId) {
          return yield* Effect.fail(new ApiError("access_denied", OTHER_USER))
        }
        const refused = connection.countFor(principal, this.#clock.currentTimeMillisUnsafe())
        if (refused !== undefined) return yield* Effect.fail(refused)
        connection.become(token, principal)
        return { user_id: principal.userId, company_id: principal.companyId }
      }
    )
    return (payload, connection) => this.#answer(connection, series, reading(), () => run(payload, connection))
  }

  /** What answers the messages of no name that there is. */
  unknown(names: ReadonlySet<string>): (name: unknown, connection: RpcConnection) => Answered {
    const series = this.#seriesOf("unknown")
    const known = [...names].join(", ")
    const refused = (name: unknown): ApiError => {
      if (name instanceof UnknownFrame) return name.refusal
      const shown = typeof name === "string" ? ` ${JSON.stringify(name.slice(0, MAX_SHOWN))}` : ""
      return new ApiError("not_found", `There is no message${shown}: send one of ${known}.`)
    }
    return (name, connection) =>
      this.#answer(
        connection,
        series,
        reading(),
        () => Effect.andThen(this.#gate.admit(connection, authenticated), Effect.fail(refused(name))),
        UNKNOWN_REFUSED
      )
  }

  #answer(
    connection: RpcConnection,
    series: RpcSeries,
    message: Message,
    run: (message: Message) => Effect.Effect<object, Failure>,
    refused: ReadonlySet<Ending> = REFUSED
  ): Answered {
    const started = this.#clock.monotonicTimeNanosUnsafe()
    connection.underWay += 1
    const ended = (ending: Ending): void => {
      connection.underWay -= 1
      if (ending !== "cancelled") connection.noteRefusal(refused.has(ending))
      series.record(connection.facts, ending, Number(this.#clock.monotonicTimeNanosUnsafe() - started) / 1e9)
    }
    const inTime = this.#deadlines.within(run(message), () => lateRefusal(message.isRead))
    return Effect.matchCauseEffect(inTime, {
      onSuccess: (answer) => {
        ended("ok")
        return Effect.succeed(answer)
      },
      onFailure: (cause) => refusing(cause, message, ended)
    })
  }

  #stream(
    connection: RpcConnection,
    series: RpcSeries,
    handler: Extract<RpcHandler, { readonly _tag: "Stream" }>,
    payload: unknown
  ): Streamed {
    connection.underWay += 1
    let ending: Ending = "cancelled"
    let isOpen = false
    const admission = this.#deadlines.within(this.#gate.admit(connection, handler.access), () => lateRefusal(true))
    const admitted = Effect.flatMap(admission, (call: Call) => {
      isOpen = connection.socket.data.place.takeStream()
      return isOpen
        ? Effect.succeed(handler.run(payload, { ...call, mayGoOn: this.#gate.recheck(connection, handler.access) }))
        : Effect.fail(new ApiError("rate_limited", TOO_MANY_STREAMS))
    })
    return Stream.unwrap(admitted).pipe(
      Stream.catchCause((cause) =>
        Stream.fromEffect(
          refusing(cause, reading(), (end) => {
            ending = end
          })
        )
      ),
      Stream.onExit((exit) =>
        Effect.sync(() => {
          connection.underWay -= 1
          if (isOpen) connection.socket.data.place.endStream()
          if (ending !== "cancelled") connection.noteRefusal(!isOpen && REFUSED.has(ending))
          series.record(connection.facts, exit._tag === "Success" ? "ok" : ending, undefined)
        })
      )
    )
  }
}

/** The refusal of a message that failed. What no rule explains is logged in full and told by an id alone. */
const refusing = (
  cause: Cause.Cause<Failure>,
  message: Message,
  ended: (ending: Ending) => void
): Effect.Effect<never, RefusedJson> => {
  const cut = message.isBegun && !message.isRead ? cutSentence : undefined
  for (const reason of cause.reasons) {
    if (reason._tag === "Interrupt") continue
    const refusal = refusalOf(reason._tag === "Fail" ? reason.error : reason.defect, "payload.after", cut)
    if (refusal === undefined) continue
    ended(refusal.code)
    return Effect.fail(refusedJson(refusal))
  }
  if (Cause.hasInterruptsOnly(cause)) {
    ended("cancelled")
    return Effect.failCause(cause as Cause.Cause<never>)
  }
  const id = randomUUID()
  ended("internal")
  return Effect.andThen(
    Effect.annotateLogs(Effect.logError("A message of /rpc failed", cause), { requestId: id }),
    Effect.fail(refusedJson(faultOf(id)))
  )
}
