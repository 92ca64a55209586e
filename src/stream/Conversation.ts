import { Effect, type Fiber, Result } from "effect"
import { CLOSE, type Subscribe, type SubscribeData, type Unsubscribe } from "../api/ArenaStreamProtocol.ts"
import type { CatchUp, Sources } from "./CatchUp.ts"
import { readFrame } from "./ClientFrames.ts"
import type { Connection } from "./Connection.ts"
import { READING_COST } from "./FrameBudget.ts"
import { obstacleTo } from "./Resume.ts"
import { echo, type Said, say, subscribed } from "./ServerFrames.ts"
import { Subscription } from "./Subscription.ts"
import type { Arrival } from "./ToldElsewhere.ts"

const FLOOD = "This client sends too many frames."
const WHO_IS_IT = "The channel my needs authentication: connect with a bearer token, a session or a ticket."

const REPLACED = "Another request came before this one was answered, and replaced it."

const BEHIND = "This node does not have yet what this client was told: connect again."

type Fork = (effect: Effect.Effect<void>) => Fiber.Fiber<unknown, unknown>

/** Answers what clients send. */
export class Conversation {
  readonly #sources: Sources
  readonly #catchUp: CatchUp
  readonly #fork: Fork

  constructor(sources: Sources, catchUp: CatchUp, fork: Fork) {
    this.#sources = sources
    this.#catchUp = catchUp
    this.#fork = fork
  }

  /** Sends a new client everything public, until it subscribes otherwise. */
  greet(connection: Connection): void {
    const { plain } = this.#sources
    connection.subscription = Subscription.standard
    connection.sit(plain, { position: plain.position, prev: plain.position })
  }

  receive(connection: Connection, sent: string | Uint8Array): void {
    if (!connection.budget.take(this.#now())) return connection.socket.close(CLOSE.policyViolation, FLOOD)
    const read = readFrame(sent)
    if (Result.isFailure(read)) {
      const { id, message } = read.failure
      return this.#say(connection, { type: "error", data: { ...echo(id), code: "invalid_request", message } })
    }
    const frame = read.success
    switch (frame.type) {
      case "ping":
        return this.#say(connection, { type: "pong", data: echo(frame.id) })
      case "unsubscribe":
        return this.#unsubscribe(connection, frame)
      case "subscribe":
        return this.#subscribe(connection, frame)
    }
  }

  #subscribe(connection: Connection, frame: typeof Subscribe.Type): void {
    const { data = {}, id } = frame
    if (data.channels?.includes("my") === true && connection.caller === undefined) {
      return this.#say(connection, { type: "error", data: { ...echo(id), code: "unauthorized", message: WHO_IS_IT } })
    }
    const reads = data.snapshot === true || data.resume !== undefined || data.price_resume !== undefined
    if (reads && !connection.budget.take(this.#now(), READING_COST - 1)) {
      return connection.socket.close(CLOSE.policyViolation, FLOOD)
    }
    this.#replace(connection)
    const arrival = this.#arrival(data)
    if (arrival !== undefined) return this.#await(connection, frame, arrival)
    this.#begin(connection, frame)
  }

  /** What becomes of the events of which a client was told elsewhere; undefined where all are here. */
  #arrival({ resume }: typeof SubscribeData.Type): Effect.Effect<Arrival> | undefined {
    const { arrivalOf, epoch, plain } = this.#sources
    if (resume?.epoch !== epoch || resume.seq <= plain.position) return undefined
    return arrivalOf?.(resume.seq)
  }

  /** Only where the log ends before it a position is unknown: a client that began anew here would be told twice. */
  #await(connection: Connection, frame: typeof Subscribe.Type, arrival: Effect.Effect<Arrival>): void {
    const place = connection.rise()
    connection.unanswered = { id: frame.id }
    const answered = Effect.map(arrival, (became) =>
      became === "late" ? connection.socket.close(CLOSE.tryAgainLater, BEHIND) : this.#begin(connection, frame)
    )
    connection.catchUp(place, () => this.#fork(answered))
  }

  #begin(connection: Connection, frame: typeof Subscribe.Type): void {
    this.#beginEvents(connection, frame)
    if (connection.subscription?.numbersPrices !== true) return
    connection.followPrices(() => this.#fork(this.#catchUp.prices(connection, frame.data?.price_resume)))
  }

  #beginEvents(connection: Connection, { data = {}, id }: typeof Subscribe.Type): void {
    const { epoch, plain } = this.#sources
    connection.rise()
    connection.unanswered = undefined
    const subscription = Subscription.of(data, connection.caller?.principal.userId ?? null)
    connection.subscription = subscription
    connection.endPrices()
    const seq = plain.position
    if (data.resume !== undefined) {
      const reason = obstacleTo(data.resume, { epoch, seq })
      if (reason === undefined) return this.#resume(connection, subscription, id, data.resume.seq)
      this.#say(connection, { type: "resync_required", data: { ...echo(id), epoch, seq, reason } })
    }
    if (data.snapshot === true) {
      connection.unanswered = { id }
      connection.catchUp({ position: seq, prev: seq }, () => this.#fork(this.#catchUp.fromSnapshot(connection, id)))
      return
    }
    this.#say(connection, subscribed(subscription, id, { epoch, seq }))
    connection.sit(this.#catchUp.feedOf(subscription), { position: seq, prev: seq })
  }

  #resume(connection: Connection, subscription: Subscription, id: string | undefined, seq: number): void {
    const { epoch } = this.#sources
    this.#say(connection, subscribed(subscription, id, { epoch, seq }))
    connection.catchUp({ position: seq, prev: seq }, () => this.#fork(this.#catchUp.follow(connection)))
  }

  #unsubscribe(connection: Connection, { data, id }: typeof Unsubscribe.Type): void {
    const ended = data?.channels ?? []
    const remaining = ended.length === 0 ? undefined : connection.subscription?.without(ended)
    const goesOn = remaining !== undefined && connection.isCatchingUp
    if (!goesOn) this.#replace(connection)
    this.#say(connection, { type: "unsubscribed", data: { ...echo(id), channels: remaining?.channels ?? [] } })
    if (remaining?.numbersPrices !== true) connection.endPrices()
    if (goesOn) {
      connection.subscription = remaining
      return
    }
    const place = connection.rise()
    connection.subscription = remaining
    if (remaining !== undefined) connection.catchUp(place, () => this.#fork(this.#catchUp.follow(connection)))
  }

  /** Whoever waits for the answer to a request learns that none comes. */
  #replace(connection: Connection): void {
    const { unanswered } = connection
    connection.unanswered = undefined
    if (unanswered === undefined) return
    this.#say(connection, { type: "error", data: { ...echo(unanswered.id), code: "conflict", message: REPLACED } })
  }

  #say(connection: Connection, said: Said): void {
    connection.send(say(said, this.#now()))
  }

  #now(): number {
    return this.#sources.clock.currentTimeMillisUnsafe()
  }
}
