import { type Clock, Deferred, Duration, Effect, Exit } from "effect"
import { JournalUnavailable } from "../actor/Journal.ts"
import { Outdated } from "../journal/Outdated.ts"
import type { Asked, Call, Fate, Moment } from "./CallFate.ts"
import { type MemoryDatabase, Untrue } from "./MemoryDatabase.ts"
import { Rejected } from "./MemoryTables.ts"
import type { VirtualClock } from "./VirtualClock.ts"

/** Where a server runs. */
export interface Around<D extends MemoryDatabase = MemoryDatabase> {
  readonly database: D
  readonly clock: VirtualClock
  readonly fateOf: (asked: Asked) => Fate
  /** Hears of what cannot be. */
  readonly report: (problem: string) => void
  /** Starts another server. */
  readonly start: () => void
}

const lost = new JournalUnavailable({ reason: "the connection was lost" })
const full = new JournalUnavailable({ reason: "no space left on device" })

type Failure = JournalUnavailable | Outdated

/** Spans of sleep that are kept. Most sleeps are of three; those of a crowded writer are of any. */
const KEPT_SLEEPS = 16

/** A process that writes on the database until it is killed: its calls, its timers and its services. */
export class MemoryServer<D extends MemoryDatabase = MemoryDatabase> {
  readonly number: number
  readonly around: Around<D>
  readonly death = Deferred.makeUnsafe<void>()
  /** What its machine says, which may step back. */
  readonly clock: Clock.Clock
  readonly #sent = new Map<Call, number>()
  readonly #underWay = new Map<Call, number>()
  readonly #lastAt = new Map<Call, number>()
  /** By milliseconds. */
  readonly #sleeps = new Map<number, Effect.Effect<void>>()
  #state: "running" | "paused" | "dead" = "running"
  #waiting: Array<() => void> = []
  offset = 0
  /** Whether an older copy took the database's place since it began: what it knows may be of what is gone. */
  isReverted = false
  /** Whether an append had no answer since it last looked where the journal ends. */
  isDoubtful = false

  constructor(number: number, around: Around<D>) {
    this.number = number
    this.around = around
    const { clock } = around
    const now = (): number => clock.currentTimeMillisUnsafe() + this.offset
    this.clock = {
      currentTimeMillisUnsafe: now,
      currentTimeMillis: Effect.sync(now),
      currentTimeNanosUnsafe: () => BigInt(now()) * 1_000_000n,
      currentTimeNanos: Effect.sync(() => BigInt(now()) * 1_000_000n),
      monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: clock.monotonicTimeNanos,
      sleep: (duration) => this.#sleep(duration)
    }
  }

  get isDead(): boolean {
    return this.#state === "dead"
  }

  get isPaused(): boolean {
    return this.#state === "paused"
  }

  underWay(call: Call): number {
    return this.#underWay.get(call) ?? 0
  }

  kill(): void {
    this.#state = "dead"
    this.#waiting = []
    Deferred.doneUnsafe(this.death, Exit.void)
  }

  pause(millis: number): void {
    if (this.#state !== "running") return
    this.#state = "paused"
    this.around.clock.schedule(this.around.clock.elapsed + millis, () => {
      if (this.#state !== "paused") return
      this.#state = "running"
      for (const task of this.#waiting.splice(0)) this.run(task)
    })
  }

  /** What else happens to it at a moment. */
  #at(moment: Moment, fate: Fate): void {
    if (this.isDead) return
    if (fate.kill === moment) this.kill()
    if (moment === "sent" && fate.pause !== undefined) this.pause(fate.pause)
    if (moment === "sent" && fate.rival === true) this.around.start()
  }

  /** It tells its listeners, and may end with it. */
  tell(): void {
    this.#at("sent", this.around.fateOf(this.#ask("tell")))
    this.#underWay.set("tell", 0)
  }

  /** Asks the database for something that it does in one step. */
  call<A>(call: Call, execute: () => A): Effect.Effect<A, Failure> {
    return Effect.callback((resume) => this.send(call, execute, resume))
  }

  /** The same, with the answer given to a function. */
  send<A>(call: Call, execute: () => A, answer: (exit: Exit.Exit<A, Failure>) => void): void {
    const asked = this.#ask(call)
    this.run(() => this.#send(asked, execute, (exit) => this.run(() => answer(exit))))
  }

  /** Runs something after a while, as a sleep of one of its fibers would end. */
  after(millis: number, task: () => void): () => void {
    const { clock } = this.around
    return clock.schedule(clock.elapsed + millis, () => this.run(task))
  }

  #ask(call: Call): Asked {
    const number = (this.#sent.get(call) ?? 0) + 1
    const underWay = this.underWay(call) + 1
    this.#sent.set(call, number)
    this.#underWay.set(call, underWay)
    return { call, server: this.number, number, underWay }
  }

  #send<A>(asked: Asked, execute: () => A, answer: (exit: Exit.Exit<A, Failure>) => void): void {
    const { clock, database, fateOf } = this.around
    const { call } = asked
    const fate = fateOf(asked)
    this.#at("sent", fate)
    const late = () => void this.#attempt(execute)
    const executed = (): Exit.Exit<A, Failure> => {
      const { becomes } = fate
      if (becomes === "full") return Exit.fail(full)
      if (becomes === "lost") return Exit.fail(lost)
      if (becomes === "late" || becomes === "begun") {
        clock.schedule(clock.elapsed + (fate.late ?? 0), becomes === "begun" ? database.begin(late) : late)
        return Exit.fail(lost)
      }
      const exit = this.#attempt(execute)
      return becomes === "unanswered" ? Exit.fail(lost) : exit
    }
    clock.schedule(this.#inOrder(call, clock.elapsed + fate.there), () => {
      const exit = executed()
      this.#at("done", fate)
      clock.schedule(this.#inOrder(call, clock.elapsed + fate.back), () => {
        this.#at("answered", fate)
        this.#underWay.set(call, this.underWay(call) - 1)
        answer(exit)
      })
    })
  }

  /** What travels on one connection keeps its order. */
  #inOrder(call: Call, at: number): number {
    if (call !== "append" && call !== "project") return at
    const inOrder = Math.max(at, (this.#lastAt.get(call) ?? 0) + 1)
    this.#lastAt.set(call, inOrder)
    return inOrder
  }

  #attempt<A>(execute: () => A): Exit.Exit<A, Failure> {
    try {
      return Exit.succeed(execute())
    } catch (error) {
      if (error instanceof Untrue) return Exit.fail(new Outdated())
      if (error instanceof Rejected) return Exit.die(error)
      this.around.report(String(error))
      return Exit.fail(lost)
    }
  }

  /** Has something happen in the process: later while it stands still, never once it is dead. */
  run(task: () => void): void {
    if (this.#state === "running") task()
    else if (this.#state === "paused") this.#waiting.push(task)
  }

  #sleep(duration: Duration.Duration): Effect.Effect<void> {
    const millis = Duration.toMillis(duration)
    if (!Number.isFinite(millis)) return Effect.never
    const known = this.#sleeps.get(millis)
    if (known !== undefined) return known
    const sleep = Effect.callback<void>((resume) =>
      Effect.sync(this.after(Math.ceil(millis), () => resume(Effect.void)))
    )
    if (this.#sleeps.size < KEPT_SLEEPS) this.#sleeps.set(millis, sleep)
    return sleep
  }
}
