import { Context, Effect, Latch, Layer } from "effect"

const MIB = 1_048_576

/** How often the memory of the process is looked at while there are threads. */
const LOOK = "50 millis"

/** For how many looks a thread that is asked may be silent. */
const PATIENCE = 2

/** A thread whose memory is looked after. */
export interface WatchedThread {
  /** How much the process may grow while it is silent, in MiB. */
  readonly limitMib: number
  /** Has it say something, where it is not busy. */
  readonly ask: () => void
  /** Ends it. */
  readonly end: () => void
}

interface Entry {
  readonly thread: WatchedThread
  /** What the process took when it last spoke or was told something, or less that it took since. */
  base: number
  /** The look at which it was last told something. */
  told: number
  /** Looks since it was asked; undefined while it is not. */
  asked: number | undefined
}

/** What is to be told of a thread. */
export interface ThreadSigns {
  /** It is told something. */
  readonly told: () => void
  /** It spoke, and does not take too much. */
  readonly spoke: () => void
  readonly stop: () => void
}

/**
 * Ends threads that take memory without end. No runtime says what a thread takes that is busy, so that the process is
 * looked at: where it grew by more than a thread may take since that last spoke or was told something, the thread is
 * asked, and ended where it is silent. Of several the one that was told last is ended, because all of the growth came
 * within its time; the others begin anew.
 */
export class BusyThreads {
  readonly #entries = new Set<Entry>()
  readonly #resident: () => number
  #looks = 0
  #taken = 0

  /** @param resident - what the process takes, in bytes */
  constructor(resident: () => number) {
    this.#resident = resident
  }

  get isIdle(): boolean {
    return this.#entries.size === 0
  }

  watch(thread: WatchedThread): ThreadSigns {
    // Later ones begin with what the last look saw: a look costs more than telling a thread does.
    if (this.isIdle) this.#taken = this.#resident()
    const entry: Entry = { thread, base: this.#taken, told: this.#looks, asked: undefined }
    this.#entries.add(entry)
    const begin = (): void => {
      entry.base = this.#taken
      entry.asked = undefined
    }
    return {
      told: () => {
        begin()
        entry.told = this.#looks
      },
      spoke: begin,
      stop: () => void this.#entries.delete(entry)
    }
  }

  look(): void {
    this.#looks += 1
    this.#taken = this.#resident()
    const over: Array<Entry> = []
    for (const entry of this.#entries) {
      entry.base = Math.min(entry.base, this.#taken)
      if (this.#taken - entry.base > entry.thread.limitMib * MIB) over.push(entry)
    }
    for (const entry of over) {
      const isNew = entry.asked === undefined
      entry.asked = (entry.asked ?? -1) + 1
      if (isNew) entry.thread.ask()
    }
    if (over.some(({ asked = 0 }) => asked >= PATIENCE)) this.#endLast(over)
  }

  #endLast(over: ReadonlyArray<Entry>): void {
    const silent = over.filter(({ asked = 0 }) => asked > 0)
    const last = Math.max(...silent.map(({ told }) => told))
    for (const entry of silent) {
      if (entry.told === last) {
        this.#entries.delete(entry)
        entry.thread.end()
      } else {
        entry.base = this.#taken
        entry.asked = undefined
      }
    }
  }
}

/** The threads of this process whose memory is looked after. */
export class WatchedThreads extends Context.Service<
  WatchedThreads,
  { readonly watch: (thread: WatchedThread) => ThreadSigns }
>()("emporion/bots/programs/WatchedThreads") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const threads = new BusyThreads(() => process.memoryUsage.rss())
      const some = Latch.makeUnsafe(false)
      const look = Effect.sync(() => {
        threads.look()
        if (threads.isIdle) some.closeUnsafe()
      })
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(some.await, Effect.andThen(Effect.sleep(LOOK), look))))
      return WatchedThreads.of({
        watch: (thread) => {
          const signs = threads.watch(thread)
          some.openUnsafe()
          return signs
        }
      })
    })
  )
}
