import { Cause, Clock, Duration, Effect, Exit, Latch, Option, Result, Schedule, Scope } from "effect"
import { sleepUntil } from "../../../engine/journal/TimeLead.ts"
import type { Moment, RefusedBid } from "../../../engine/market/MarketReplay.ts"
import { MAX_AGENDA, ProgramAgenda } from "../../../engine/market/ProgramAgenda.ts"
import type { BidRequest } from "../../../engine/market/ReplayedAuction.ts"
import { timeText } from "../../../engine/wire/WireValue.ts"
import type { Unavailable } from "../../database/DatabaseError.ts"
import { heardBy, type ToldMoment } from "./MarketNews.ts"
import { ProgramFailed, type RunningProgram } from "./ProgramThread.ts"
import type { ProgramTurn } from "./ProgramTurn.ts"

/** Failures in a row after which a bot is suspended. */
export const MAX_FAILURES = 5

/** How long a program has to run before its failures are forgotten. */
const STEADY = Duration.toMillis("1 minute")

/** The wait before a program that failed is started again; it doubles with each failure in a row. */
export const MIN_PAUSE = Duration.toMillis("1 second")

/** The wait before one is started again that took too much memory: what it took is to be gone by then. */
export const MEMORY_PAUSE = Duration.toMillis("1 minute")

/** The most bids of a program at one moment. */
const MAX_BIDS = 100

/**
 * How many bids, and wakings within the same second, a program may ask for in a second when it is told of what it caused
 * itself: of refusals, and that it is woken.
 */
const MAX_OWN_ASKS = 200

/** What its owner reads where the server is to blame. */
const UNEXPECTED = "The server could not go on with it: ask its operator, whose log says why."

/** The most characters of what a program failed with that its bot's owner reads. */
const MAX_FAILURE = 1_000

const RETRY = Schedule.spaced("1 second")

/** Asks until there is an answer. */
const sure = <A>(asked: Effect.Effect<A, Unavailable>): Effect.Effect<A> => Effect.orDie(Effect.retry(asked, RETRY))

/** What a module failed with as a line of text, without what the database cannot store. */
const readable = (message: string): string => message.slice(0, MAX_FAILURE).replaceAll(/[\p{Cc}\p{Cs}]+/gu, " ")

/** A bot with a module. */
export interface ProgramBot {
  readonly botId: string
  readonly companyId: string
  readonly module: string
}

/** What a program's session needs of the world. */
export interface SessionWorld {
  /** Loads the module. */
  readonly start: Effect.Effect<RunningProgram, ProgramFailed, Scope.Scope>
  /** The orders that take commitments now. */
  readonly opening: Effect.Effect<ToldMoment, Unavailable>
  /** USD that nothing of the bot's holds. */
  readonly free: Effect.Effect<number, Unavailable>
  /** Reads what the program asked for. */
  readonly read: (asked: unknown) => Result.Result<BidRequest, RefusedBid>
  /** Has the bot bid; answers why not, where it does not. Where it fails it is to be run again, which makes no second bid. */
  readonly bid: (bid: BidRequest) => Effect.Effect<RefusedBid | undefined, Unavailable>
  /** Suspends the bot with what its owner reads. */
  readonly suspend: (failure: string) => Effect.Effect<void, Unavailable>
}

type State =
  | { readonly _tag: "Idle"; readonly until: number }
  /** What it is told meanwhile waits. */
  | { readonly _tag: "Starting"; readonly waiting: Array<ToldMoment> }
  | { readonly _tag: "Running"; readonly run: Run }
  | { readonly _tag: "Over" }

/** A program that runs, and what it is still to hear of. */
interface Run {
  readonly program: RunningProgram
  readonly agenda: ProgramAgenda
  readonly since: number
  /** Orders that it was told of at its start, of whose opening it may be told again. */
  readonly opened: Set<string>
}

/** One bot's program: starts it, tells it of the market, has the bot bid as it asks, and starts it again where it fails. */
export class ProgramSession {
  readonly bot: ProgramBot
  readonly #world: SessionWorld
  readonly #arrival = Latch.makeUnsafe(false)
  #state: State = { _tag: "Idle", until: 0 }
  /** Of the program that runs or is started. */
  #scope: Scope.Closeable | undefined
  #failures = 0
  /** What it asked for in one second because of what it caused itself. */
  #own = { second: 0, asks: 0 }
  #overflow = false

  constructor(bot: ProgramBot, world: SessionWorld) {
    this.bot = bot
    this.#world = world
  }

  /** Takes what happened. A program that does not run hears of what is open once it does. */
  hear(moment: ToldMoment): void {
    if (this.#state._tag === "Starting") {
      if (this.#state.waiting.length >= MAX_AGENDA) this.#overflow = true
      else this.#state.waiting.push(moment)
    }
    if (this.#state._tag === "Running") this.#enter(this.#state.run, moment)
    this.#arrival.openUnsafe()
  }

  /** Does what there is to do now. */
  readonly round: Effect.Effect<void> = Effect.suspend(() => {
    this.#arrival.closeUnsafe()
    return Effect.catchCause(this.#advance, (cause) => {
      if (Cause.hasInterrupts(cause)) return Effect.interrupt
      const failed = Cause.findErrorOption(cause)
      if (Option.isSome(failed)) return this.#failed(failed.value)
      const log = Effect.logError(`The program of ${this.bot.botId} met a defect`, cause)
      return Effect.andThen(log, this.#failed({ message: UNEXPECTED }))
    })
  })

  /** Ends once there is something to do. */
  readonly called: Effect.Effect<void> = Effect.suspend(() => Effect.race(this.#arrival.await, this.#due))

  /** Ends the program. */
  readonly close: Effect.Effect<void> = Effect.suspend(() => this.#enterState({ _tag: "Over" }))

  readonly #due = Effect.gen({ self: this }, function* () {
    const state = this.#state
    const at = state._tag === "Idle" ? state.until : state._tag === "Running" ? state.run.agenda.wakesAt : undefined
    if (at === undefined) return yield* Effect.never
    yield* sleepUntil(at)
  })

  readonly #advance: Effect.Effect<void, ProgramFailed> = Effect.gen({ self: this }, function* () {
    if (this.#state._tag === "Idle" && (yield* Clock.currentTimeMillis) >= this.#state.until) yield* this.#start()
    for (;;) {
      if (this.#state._tag !== "Running") return
      const { run } = this.#state
      if (this.#overflow) return yield* new ProgramFailed({ message: "It does not keep up with the market." })
      const moment = run.agenda.next(yield* Clock.currentTimeMillis)
      if (moment === undefined) return
      yield* this.#turn(run, moment)
    }
  })

  readonly #start = Effect.fnUntraced(function* (this: ProgramSession): Effect.fn.Return<void, ProgramFailed> {
    const scope = yield* Scope.make()
    const waiting: Array<ToldMoment> = []
    this.#scope = scope
    this.#state = { _tag: "Starting", waiting }
    this.#overflow = false
    const program = yield* Scope.provide(this.#world.start, scope)
    const opening = yield* sure(this.#world.opening)
    if (this.#scope !== scope) return
    const opened = new Set(opening.told.flatMap(({ opens }) => (opens === undefined ? [] : [opens])))
    const since = yield* Clock.currentTimeMillis
    const run: Run = { program, agenda: new ProgramAgenda(), since, opened: new Set() }
    this.#enter(run, opening)
    for (const order of opened) run.opened.add(order)
    for (const moment of waiting) this.#enter(run, moment)
    this.#state = { _tag: "Running", run }
  })

  #enter(run: Run, { at, told }: ToldMoment): void {
    const fresh = told.filter(({ opens }) => opens === undefined || !run.opened.delete(opens))
    const moment = heardBy({ at, told: fresh }, { ...this.bot, channels: run.program.channels })
    if (moment.events.length > 0 && !run.agenda.add(moment)) this.#overflow = true
  }

  /** Tells the program of a moment, and does what it asks. */
  readonly #turn = Effect.fnUntraced(function* (
    this: ProgramSession,
    run: Run,
    moment: Moment
  ): Effect.fn.Return<void, ProgramFailed> {
    const free = yield* sure(this.#world.free)
    const turn = yield* run.program.take(moment, free)
    const { commitments, wakeAt } = turn
    yield* this.#count(moment, turn)
    if (commitments.length > MAX_BIDS) {
      return yield* new ProgramFailed({ message: `It asked for more than ${MAX_BIDS} bids at once.` })
    }
    for (const asked of commitments) {
      const bid = this.#world.read(asked)
      const refused = Result.isFailure(bid) ? bid.failure : yield* sure(this.#world.bid(bid.success))
      if (refused !== undefined) yield* this.#refuse(run, refused)
    }
    if (wakeAt !== undefined && !run.agenda.wake(wakeAt)) {
      return yield* new ProgramFailed({ message: "It asks to be woken at too many times." })
    }
  })

  readonly #refuse = Effect.fnUntraced(function* (this: ProgramSession, run: Run, data: RefusedBid) {
    const at = yield* Clock.currentTimeMillis
    yield* Effect.logDebug(`A bid of the module ${this.bot.module} of ${this.bot.botId} was refused`, data)
    this.#enter(run, { at, told: [{ frame: { type: "commitment_refused", data, timestamp: timeText(at) } }] })
  })

  /** Keeps a program from answering its own answers without end. */
  readonly #count = Effect.fnUntraced(function* (
    this: ProgramSession,
    { at, events }: Moment,
    { commitments, wakeAt }: ProgramTurn
  ): Effect.fn.Return<void, ProgramFailed> {
    if (!events.every(({ type }) => type === "woken" || type === "commitment_refused")) return
    // Of its own time: one that is late catches up on many seconds in one.
    const second = Math.floor(at / 1_000)
    const asks = commitments.length + (wakeAt !== undefined && wakeAt < (second + 1) * 1_000 ? 1 : 0)
    this.#own = { second, asks: asks + (this.#own.second === second ? this.#own.asks : 0) }
    if (this.#own.asks <= MAX_OWN_ASKS) return
    return yield* new ProgramFailed({
      message: "It acts without end: wake it later, and do not repeat what was refused."
    })
  })

  readonly #failed = Effect.fnUntraced(function* (
    this: ProgramSession,
    { isMemory = false, message }: Pick<ProgramFailed, "isMemory" | "message">
  ) {
    // What ends a program makes it fail, which is nothing to count.
    if (this.#state._tag === "Over") return
    const now = yield* Clock.currentTimeMillis
    if (this.#state._tag === "Running" && now - this.#state.run.since >= STEADY) this.#failures = 0
    this.#failures += 1
    const pause = isMemory ? MEMORY_PAUSE : MIN_PAUSE * 2 ** (this.#failures - 1)
    yield* this.#enterState({ _tag: "Idle", until: now + pause })
    yield* Effect.logWarning(`The module ${this.bot.module} of ${this.bot.botId} failed`, message)
    if (this.#failures < MAX_FAILURES) return
    yield* this.#enterState({ _tag: "Over" })
    yield* Effect.retry(this.#world.suspend(readable(message)), RETRY).pipe(
      Effect.catchCause((cause) =>
        Cause.hasInterrupts(cause) ? Effect.interrupt : Effect.logError(`${this.bot.botId} was not suspended`, cause)
      )
    )
  })

  readonly #enterState = Effect.fnUntraced(function* (this: ProgramSession, next: State) {
    const scope = this.#scope
    this.#scope = undefined
    this.#state = next
    if (scope !== undefined) yield* Scope.close(scope, Exit.void)
  })
}
