import { Data, Duration, Effect, Option, Queue, Schema, type Scope } from "effect"
import { sep } from "node:path"
import { pathToFileURL } from "node:url"
import { type MessagePort, Worker } from "node:worker_threads"
import { channelsOf, type MarketChannel } from "../../../engine/market/MarketFrame.ts"
import type { Moment } from "../../../engine/market/MarketReplay.ts"
import { type ProgramTurn, takeTurn } from "./ProgramTurn.ts"
import type { TradingProgram } from "../../../engine/market/TradingProgram.ts"
import { isoUtc } from "../../api/Timestamp.ts"
import { type ThreadSigns, WatchedThreads } from "./BusyThreads.ts"
import { isUnchanged, type ModuleFile } from "./StrategyModules.ts"

/** How much a module may take. */
export interface ProgramLimits {
  /** How long to be loaded. */
  readonly load: Duration.Duration
  /** How long for what happened at one moment. */
  readonly decision: Duration.Duration
  /**
   * How much memory for its objects, in MiB. Where the runtime has no such limit it is looked at after each answer, and
   * {@link WatchedThreads} end one that gives none.
   */
  readonly heapMib: number
}

/** What holds for the modules of bots. */
export const PROGRAM_LIMITS: ProgramLimits = {
  load: Duration.seconds(10),
  decision: Duration.seconds(5),
  heapMib: 256
}

const MIB = 1_048_576

/** The longest answer of a module, in characters. */
const MAX_ANSWER = 1_048_576

/** Answers that wait to be read: more come only from a module that speaks out of turn, and are dropped. */
const MAX_SAID = 16

/** A module cannot go on. Its message is what it threw, or a sentence. */
export class ProgramFailed extends Data.TaggedError("ProgramFailed")<{
  readonly message: string
  /** It took too much memory. */
  readonly isMemory?: boolean
}> {}

/** A program in a worker of its own. */
export interface RunningProgram {
  /** What it wants to hear of. */
  readonly channels: ReadonlySet<MarketChannel>
  /** Tells it of a moment, and waits for what it does. `free` is in USD. */
  readonly take: (moment: Moment, free: number) => Effect.Effect<ProgramTurn, ProgramFailed>
}

interface Told {
  readonly number: number
  readonly now: string
  readonly free: number
  readonly events: Moment["events"]
}

/** What has a worker say what its objects take. */
const ASK = "heap"

/**
 * What a worker says: what its module is, what it did about a moment, or what it threw; at its beginning and where it is
 * asked, what its objects take alone.
 */
const Said = Schema.Struct({
  failed: Schema.optionalKey(Schema.String),
  /** Counts the moments from 1; 0 once it is loaded. */
  number: Schema.optionalKey(Schema.Int),
  channels: Schema.optionalKey(Schema.Unknown),
  commitments: Schema.optionalKey(Schema.Array(Schema.Unknown)),
  wakeAt: Schema.optionalKey(Schema.Finite),
  /** Bytes that its objects take. */
  heap: Schema.optionalKey(Schema.Finite)
})
type Said = typeof Said.Type

interface Heard extends Said {
  readonly isMemory?: boolean
}

const read = Schema.decodeUnknownOption(Schema.fromJsonString(Said))

/** What runs in the worker. It is sent as text, so that it names nothing from outside of itself. */
const workerMain = (
  port: MessagePort,
  load: () => Promise<{ readonly default?: unknown }>,
  turn: typeof takeTurn,
  heap: () => number
): void => {
  const say = (said: Said): void => port.postMessage(JSON.stringify(said), [])
  const fail = (cause: unknown): void =>
    say({ failed: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) })
  let program: Partial<TradingProgram> | undefined
  port.on("message", (told: Told | typeof ASK) => {
    if (typeof told === "string") return say({ heap: heap() })
    const { events, free, now, number } = told
    turn(program as TradingProgram, events, now, free)
      .then(({ commitments, wakeAt }) =>
        say({ number, commitments, ...(wakeAt !== undefined && { wakeAt }), heap: heap() })
      )
      .catch(fail)
  })
  say({ heap: 0 })
  load()
    .then((module) => {
      const exported = module.default
      program = (typeof exported === "function" ? exported() : exported) as Partial<TradingProgram> | undefined
      if (typeof program?.onEvent !== "function") {
        throw new TypeError("its default export has to be {onEvent(event, market) {…}}, or a function that makes that.")
      }
      return say({ number: 0, ...(program.channels !== undefined && { channels: program.channels }) })
    })
    .catch(fail)
}

/** Bun remembers which files a folder has: asked for one by its name, it looks again. */
const sourceOf = (path: string): string => `
const { parentPort } = require("node:worker_threads")
const { pathToFileURL } = require("node:url")
if (typeof Bun !== "undefined") Bun.resolveSync(${JSON.stringify(path)}, "/")
;(${String(workerMain)})(
  parentPort,
  () => import(pathToFileURL(${JSON.stringify(path)}).href),
  ${String(takeTurn)},
  () => process.memoryUsage().heapUsed
)`

const tooLarge = (heapMib: number): Heard => ({ failed: `Its objects take more than ${heapMib} MiB.`, isMemory: true })

/** Whether a runtime that has such a limit ended it for its memory. */
const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"

type Threads = WatchedThreads["Service"]

/** What keeps a worker from taking memory without end. */
class MemoryGuard {
  readonly #threads: Threads
  readonly #end: (failed: Heard) => void
  readonly #ask: () => void
  readonly #heapMib: number
  #signs: ThreadSigns | undefined
  #isStopped = false

  constructor(threads: Threads, heapMib: number, ask: () => void, end: (failed: Heard) => void) {
    this.#threads = threads
    this.#heapMib = heapMib
    this.#ask = ask
    this.#end = end
  }

  told(): void {
    this.#signs?.told()
  }

  /** It said what its objects take, in bytes. Answers whether that is too much. */
  spoke(heap: number): boolean {
    if (heap > this.#heapMib * MIB) {
      this.#end(tooLarge(this.#heapMib))
      return false
    }
    if (this.#isStopped) return true
    // It begins with the first word: what the runtime takes for a thread before is none of the module's.
    this.#signs ??= this.#threads.watch({
      limitMib: this.#heapMib,
      ask: this.#ask,
      end: () =>
        this.#end({
          failed: `The server's memory grew by more than ${this.#heapMib} MiB while it gave no answer.`,
          isMemory: true
        })
    })
    this.#signs.spoke()
    return true
  }

  stop(): void {
    this.#isStopped = true
    this.#signs?.stop()
  }
}

interface Opened {
  readonly worker: Worker
  readonly guard: MemoryGuard
}

/** Without the server's environment, which has its secrets. */
const open = (
  { path }: ModuleFile,
  said: Queue.Queue<Heard>,
  maxOldGenerationSizeMb: number,
  threads: Threads
): Opened => {
  const worker = new Worker(sourceOf(path), {
    eval: true,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb }
  })
  const offer = (what: Heard): void => void Queue.offerUnsafe(said, what)
  const end = (failed: Heard): void => {
    offer(failed)
    void worker.terminate()
  }
  const guard = new MemoryGuard(threads, maxOldGenerationSizeMb, () => worker.postMessage(ASK, []), end)
  worker.on("message", (text: unknown) => {
    if (typeof text === "string" && text.length > MAX_ANSWER) {
      return offer({ failed: `It answered more than ${MAX_ANSWER} characters.` })
    }
    const heard = Option.getOrElse(read(text), (): Said => ({ failed: "It said something that is no answer." }))
    const isWhole = heard.heap === undefined || guard.spoke(heard.heap)
    if (isWhole && (heard.failed !== undefined || heard.number !== undefined)) offer(heard)
  })
  worker.on("error", (error: unknown) => {
    if (isOutOfMemory(error)) return offer(tooLarge(maxOldGenerationSizeMb))
    offer({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  })
  worker.on("exit", () => offer({ failed: "It ended by itself." }))
  return { worker, guard }
}

const withoutFolder = (text: string, { folder }: ModuleFile): string =>
  text.replaceAll(`${pathToFileURL(folder).href}/`, "").replaceAll(`${folder}${sep}`, "")

/** What a module threw, and where in the folder of modules: without what called it, and without where that folder is. */
const explained = (thrown: string, module: ModuleFile): string => {
  const [what = "", ...frames] = thrown.split(/\n\s+at /)
  const frame = frames.find((each) => each.includes(module.folder))
  const place = frame === undefined ? undefined : /[^\s()]+:\d+:\d+/.exec(withoutFolder(frame, module))?.[0]
  return `${withoutFolder(what, module)}${place === undefined ? "" : ` (${place})`}`
}

/** Loads a module in a worker of its own, which ends with the scope, whatever the module does then. */
export const startProgram = Effect.fn("ProgramThread.start")(function* (
  module: ModuleFile,
  limits: Partial<ProgramLimits> = {}
): Effect.fn.Return<RunningProgram, ProgramFailed, Scope.Scope | WatchedThreads> {
  const threads = yield* WatchedThreads
  const { decision, heapMib, load } = { ...PROGRAM_LIMITS, ...limits }
  const said = yield* Queue.dropping<Heard>(MAX_SAID)
  const { guard, worker } = yield* Effect.acquireRelease(
    Effect.sync(() => open(module, said, heapMib, threads)),
    (opened) =>
      Effect.sync(() => {
        opened.guard.stop()
        void opened.worker.terminate()
      })
  )
  const fail = (message: string, isMemory = false) =>
    new ProgramFailed({ message: explained(message, module), isMemory })
  const answer = Effect.fnUntraced(function* (
    number: number,
    limit: Duration.Duration
  ): Effect.fn.Return<Heard, ProgramFailed> {
    const heard = yield* Effect.timeoutOption(Queue.take(said), limit)
    if (Option.isNone(heard)) return yield* fail(`It gave no answer within ${Duration.format(limit)}.`)
    const { failed, isMemory } = heard.value
    if (failed !== undefined) return yield* fail(failed, isMemory)
    return heard.value.number === number ? heard.value : yield* fail("It answered out of turn.")
  })
  const channels = channelsOf((yield* answer(0, load)).channels)
  if (typeof channels === "string") return yield* fail(`channels: ${channels}.`)
  // What it asks for is recorded with the file's digest.
  if (!isUnchanged(module)) return yield* fail(`${module.name} changed while it was loaded.`)
  let number = 0
  return {
    channels,
    take: ({ at, events }, free) =>
      Effect.suspend(() => {
        number += 1
        guard.told()
        worker.postMessage({ number, now: isoUtc(at), free, events } satisfies Told, [])
        return Effect.map(answer(number, decision), ({ commitments = [], wakeAt }) => ({ commitments, wakeAt }))
      })
  }
})
