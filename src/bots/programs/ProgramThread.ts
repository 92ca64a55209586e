import { Data, Duration, Effect, Option, Queue, Schema, type Scope } from "effect"
import { sep } from "node:path"
import { pathToFileURL } from "node:url"
import { type MessagePort, Worker } from "node:worker_threads"
import { channelsOf, type MarketChannel } from "../../../engine/market/MarketFrame.ts"
import type { Moment } from "../../../engine/market/MarketReplay.ts"
import { type ProgramTurn, takeTurn } from "./ProgramTurn.ts"
import type { TradingProgram } from "../../../engine/market/TradingProgram.ts"
import { isoUtc } from "../../api/Timestamp.ts"
import { isUnchanged, type ModuleFile } from "./StrategyModules.ts"

/** How much a module may take. */
export interface ProgramLimits {
  /** How long to be loaded. */
  readonly load: Duration.Duration
  /** How long for what happened at one moment. */
  readonly decision: Duration.Duration
  /** How much memory for its objects, in MiB. Where the runtime has no such limit it is looked at after each answer. */
  readonly heapMib: number
}

/** What holds for the modules of bots. */
export const PROGRAM_LIMITS: ProgramLimits = {
  load: Duration.seconds(10),
  decision: Duration.seconds(5),
  heapMib: 256
}

/** The longest answer of a module, in characters. */
const MAX_ANSWER = 1_048_576

/** Answers that wait to be read: more come only from a module that speaks out of turn, and are dropped. */
const MAX_SAID = 16

/** A module cannot go on. Its message is what it threw, or a sentence. */
export class ProgramFailed extends Data.TaggedError("ProgramFailed")<{ readonly message: string }> {}

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

/** What a worker says: what its module is, what it did about a moment, or what it threw. */
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
  load()
    .then((module) => {
      const exported = module.default
      const program = (typeof exported === "function" ? exported() : exported) as Partial<TradingProgram> | undefined
      if (typeof program?.onEvent !== "function") {
        throw new TypeError("its default export has to be {onEvent(event, market) {…}}, or a function that makes that.")
      }
      port.on("message", ({ events, free, now, number }: Told) => {
        turn(program as TradingProgram, events, now, free)
          .then(({ commitments, wakeAt }) =>
            say({ number, commitments, ...(wakeAt !== undefined && { wakeAt }), heap: heap() })
          )
          .catch(fail)
      })
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

/** Without the server's environment, which has its secrets. */
const open = ({ path }: ModuleFile, said: Queue.Queue<Said>, maxOldGenerationSizeMb: number): Worker => {
  const worker = new Worker(sourceOf(path), {
    eval: true,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb }
  })
  const offer = (what: Said): void => void Queue.offerUnsafe(said, what)
  worker.on("message", (text: unknown) => {
    if (typeof text === "string" && text.length > MAX_ANSWER) {
      return offer({ failed: `It answered more than ${MAX_ANSWER} characters.` })
    }
    offer(Option.getOrElse(read(text), (): Said => ({ failed: "It said something that is no answer." })))
  })
  worker.on("error", (error: unknown) =>
    offer({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  )
  worker.on("exit", () => offer({ failed: "It ended by itself." }))
  return worker
}

const MIB = 1_048_576

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
): Effect.fn.Return<RunningProgram, ProgramFailed, Scope.Scope> {
  const { decision, heapMib, load } = { ...PROGRAM_LIMITS, ...limits }
  const said = yield* Queue.dropping<Said>(MAX_SAID)
  const worker = yield* Effect.acquireRelease(
    Effect.sync(() => open(module, said, heapMib)),
    (running) => Effect.sync(() => void running.terminate())
  )
  const fail = (message: string) => new ProgramFailed({ message: explained(message, module) })
  const answer = Effect.fnUntraced(function* (
    number: number,
    limit: Duration.Duration
  ): Effect.fn.Return<Said, ProgramFailed> {
    const heard = yield* Effect.timeoutOption(Queue.take(said), limit)
    if (Option.isNone(heard)) return yield* fail(`It gave no answer within ${Duration.format(limit)}.`)
    const { failed, heap = 0 } = heard.value
    if (failed !== undefined) return yield* fail(failed)
    if (heard.value.number !== number) return yield* fail("It answered out of turn.")
    return heap > heapMib * MIB ? yield* fail(`Its objects take more than ${heapMib} MiB.`) : heard.value
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
        worker.postMessage({ number, now: isoUtc(at), free, events } satisfies Told, [])
        return Effect.map(answer(number, decision), ({ commitments = [], wakeAt }) => ({ commitments, wakeAt }))
      })
  }
})
