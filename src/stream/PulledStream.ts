import { Array, Effect, Fiber, Latch, Queue, type Scope, Stream } from "effect"
import { HEARTBEAT_MILLIS, type ServerFrame, type SubscribeData } from "../api/ArenaStreamProtocol.ts"
import { ApiError } from "../api/ApiError.ts"
import { isoUtc } from "../api/Timestamp.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { RequestLimit } from "../http/RequestDeadline.ts"
import { type CatchUp, LOG_DELAY, PATIENCE, type Sources } from "./CatchUp.ts"
import { CHUNK_BYTES, type Place } from "./Group.ts"
import { obstacleTo } from "./Resume.ts"
import { type Said, subscribed } from "./ServerFrames.ts"
import { MAX_SILENCE } from "./SlowConsumers.ts"
import type { Frame, StreamEvent } from "./StreamEvent.ts"
import { Subscription } from "./Subscription.ts"

/** What may be asked for: whatever there is comes in sequence, but for prices. */
type Asked = Omit<typeof SubscribeData.Type, "sequence" | "price_sequence" | "price_resume">

/** A frame of the stream as JSON. */
export type FrameJson = ServerFrame | { readonly type: string; readonly data: unknown; readonly timestamp: string }

type Told = Array.NonEmptyReadonlyArray<FrameJson>

type Failure = ApiError | Unavailable

const UNREAD = "The snapshot was not read in time: subscribe again."

const LATE = "No snapshot came in time: subscribe again after retry_after."

/**
 * Runs something that must begin in time, because a silent subscription is a request without an answer. Does not wait
 * for its end if it hangs.
 */
const begunInTime = <E>(
  run: Effect.Effect<void, E>,
  begun: Latch.Latch
): Effect.Effect<void, E | ApiError<"unavailable">, Scope.Scope> =>
  Effect.gen(function* () {
    const limit = yield* RequestLimit
    const running = yield* Effect.acquireRelease(Effect.forkDetach(run), (fiber) =>
      Effect.sync(() => fiber.interruptUnsafe())
    )
    yield* Effect.timeoutOrElse(Effect.raceFirst(begun.await, Fiber.join(running)), {
      duration: limit,
      orElse: () => Effect.fail(new ApiError("unavailable", LATE))
    })
    yield* Fiber.join(running)
  })

/** The JSON of frames, made once for all their readers. */
const parsed = new WeakMap<Frame, FrameJson>()

const jsonOf = (frame: Frame): FrameJson => {
  const known = parsed.get(frame)
  if (known !== undefined) return known
  const made = JSON.parse(`${frame.head}}`) as FrameJson
  parsed.set(frame, made)
  return made
}

const assetOf = ({ data }: FrameJson): string =>
  typeof data === "object" && data !== null && "asset" in data ? String(data.asset) : ""

/** One reader's position, and what waits for it: slices of events, and the newest price of each asset. */
class Reading {
  readonly subscription: Subscription
  readonly news = Latch.makeUnsafe(false)
  readonly #prices = new Map<string, FrameJson>()
  #slices: Array<Told> = []
  place: Place = { position: 0, prev: 0 }

  constructor(subscription: Subscription) {
    this.subscription = subscription
  }

  begin(position: number): void {
    this.place = { position, prev: position }
  }

  readonly told = (): void => void this.news.openUnsafe()

  readonly price = (frame: Frame): void => {
    if (!this.subscription.wants(frame)) return
    const json = jsonOf(frame)
    this.#prices.set(assetOf(json), json)
    this.news.openUnsafe()
  }

  /** What it can get at once. */
  take(): Told | undefined {
    const slice = this.#slices.shift()
    if (slice !== undefined || this.#prices.size === 0) return slice
    const prices = [...this.#prices.values()]
    this.#prices.clear()
    return Array.isReadonlyArrayNonEmpty(prices) ? prices : undefined
  }

  /** Takes events, in slices that are sent one after the other. */
  put(events: ReadonlyArray<StreamEvent>): void {
    let slice: Array<FrameJson> = []
    let length = 0
    for (const { frames, seq } of events) {
      const wanted = frames.filter((frame) => this.subscription.wants(frame))
      const { prev } = this.place
      for (const [index, frame] of wanted.entries()) {
        slice.push({ ...jsonOf(frame), seq, prev, frame: index + 1, frames: wanted.length } as FrameJson)
        length += frame.head.length
        if (length < CHUNK_BYTES) continue
        this.#slices.push(slice as unknown as Told)
        slice = []
        length = 0
      }
      this.place = { position: seq, prev: wanted.length > 0 ? seq : prev }
    }
    if (Array.isReadonlyArrayNonEmpty(slice)) this.#slices.push(slice)
  }
}

/**
 * The stream for readers that ask for the next piece themselves. A slow reader gets events later, from the log if
 * necessary. It misses nothing, and holds at most one piece in memory.
 */
export class PulledStream {
  readonly #sources: Sources
  readonly #catchUp: CatchUp

  constructor(sources: Sources, catchUp: CatchUp) {
    this.#sources = sources
    this.#catchUp = catchUp
  }

  /** The frames of a subscription. Calls `mayGoOn` before each piece. */
  subscribe<E>(data: Asked, userId: string, mayGoOn: Effect.Effect<void, E>): Stream.Stream<FrameJson, E | Failure> {
    const reading = new Reading(Subscription.of({ ...data, sequence: true }, userId))
    const watching = Effect.acquireRelease(
      Effect.sync(() => this.#sources.full.feed.watch(reading)),
      (end) => Effect.sync(end)
    )
    const live = Stream.fromPull(Effect.succeed(this.#pull(reading, mayGoOn)))
    return Stream.unwrap(Effect.map(watching, () => Stream.concat(this.#beginning(reading, data), live)))
  }

  #beginning(reading: Reading, { resume, snapshot = false }: Asked): Stream.Stream<FrameJson, Failure> {
    const end = { epoch: this.#sources.epoch, seq: this.#sources.plain.position }
    const obstacle = resume === undefined ? undefined : obstacleTo(resume, end)
    if (resume !== undefined && obstacle === undefined) return this.#from(reading, resume.seq)
    const beginning = snapshot ? this.#snapshot(reading) : this.#from(reading, end.seq)
    if (obstacle === undefined) return beginning
    const resync = this.#say({ type: "resync_required", data: { ...end, reason: obstacle } })
    return Stream.concat(Stream.succeed(resync), beginning)
  }

  #from(reading: Reading, seq: number): Stream.Stream<FrameJson> {
    return Stream.sync(() => {
      reading.begin(seq)
      return this.#say(subscribed(reading.subscription, undefined, { epoch: this.#sources.epoch, seq }))
    })
  }

  #snapshot(reading: Reading): Stream.Stream<FrameJson, Failure> {
    const { epoch, orders } = this.#sources
    const { assetTypes, orderIds } = reading.subscription
    return Stream.callback<FrameJson, Failure>(
      (queue) => {
        const say = (said: Said) => Effect.asVoid(Queue.offer(queue, this.#say(said)))
        const begun = Latch.makeUnsafe(false)
        const reader = {
          begin: (seq: number) => {
            begun.openUnsafe()
            reading.begin(seq)
            return say(subscribed(reading.subscription, undefined, { epoch, seq }))
          },
          page: (page: ReadonlyArray<object>, number: number, pages: number) => {
            const data = { epoch, seq: reading.place.position, page: number, pages, orders: page as never }
            return say({ type: "snapshot", data })
          }
        }
        const read = orders.snapshot({ assetTypes, orderIds }, reader).pipe(
          Effect.timeoutOrElse({
            duration: MAX_SILENCE,
            orElse: () => Effect.fail(new ApiError("unavailable", UNREAD))
          }),
          this.#catchUp.snapshots.withPermit
        )
        return Effect.andThen(begunInTime(read, begun), Queue.end(queue))
      },
      { bufferSize: 1 }
    )
  }

  /** The next piece: events that are there, else the next ones that come, else a sign of life. */
  #pull<E>(reading: Reading, mayGoOn: Effect.Effect<void, E>): Effect.Effect<Told, E | Failure> {
    return Effect.gen({ self: this }, function* () {
      for (;;) {
        const told = reading.take()
        if (told !== undefined) return yield* Effect.as(mayGoOn, told)
        const { feed } = this.#sources.full
        if (feed.completed > reading.place.position) {
          const read = yield* this.#after(reading.place.position)
          reading.put(read)
          yield* read.length === 0 ? Effect.sleep(LOG_DELAY) : Effect.yieldNow
          continue
        }
        reading.news.closeUnsafe()
        const isNews = yield* Effect.timeoutOption(reading.news.await, HEARTBEAT_MILLIS)
        if (isNews._tag === "Some") continue
        const { position: seq, prev } = reading.place
        const heartbeat = this.#say({ type: "heartbeat", data: { epoch: this.#sources.epoch, seq, prev } })
        return yield* Effect.as(mayGoOn, [heartbeat] as const)
      }
    })
  }

  #after(position: number): Effect.Effect<ReadonlyArray<StreamEvent>, Unavailable> {
    const { full, plain, replay } = this.#sources
    const recent = full.feed.after(position)
    return recent === undefined
      ? Effect.retry(replay.after(position, plain.position), PATIENCE)
      : Effect.succeed(recent.filter(({ seq }) => seq <= full.feed.completed))
  }

  #say({ data, type }: Said): FrameJson {
    return { type, data, timestamp: isoUtc(this.#sources.clock.currentTimeMillisUnsafe()) } as FrameJson
  }
}
