import { Duration, Effect, Option, Queue, Schema, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { isoUtc } from "../../api/Timestamp.ts"
import { UtcTimestamp } from "../../api/Timestamp.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { channelsOf } from "../../../engine/market/MarketFrame.ts"
import type { Trader, TraderTerms } from "./Trader.ts"

/** The version of the lines that are spoken. */
const PROTOCOL = 1

/** Longest line that a program may answer, in characters. */
const MAX_LINE = 1_048_576

/** What a program answers to each line. All may be missing. */
const Answered = Schema.Struct({
  channels: Schema.optionalKey(Schema.Unknown),
  commitments: Schema.optionalKey(Schema.Array(Schema.Unknown)),
  wake_at: Schema.optionalKey(Schema.NullOr(UtcTimestamp))
})

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Answered))

type Line = { readonly _tag: "Line"; readonly text: string } | { readonly _tag: "End"; readonly why: string }

const started = (command: ReadonlyArray<string>, lines: Queue.Queue<Line>): ChildProcess => {
  const [file = "", ...args] = command
  const child = spawn(file, args, { stdio: ["pipe", "pipe", "inherit"] })
  const end = (why: string): void => void Queue.offerUnsafe(lines, { _tag: "End", why })
  child.on("error", (error) => end(`cannot be started: ${error.message}`))
  child.stdin?.on("error", () => end("takes no more lines"))
  if (child.stdout !== null) {
    createInterface({ input: child.stdout })
      .on("line", (text) => void Queue.offerUnsafe(lines, { _tag: "Line", text }))
      .on("close", () => end("ended before the replay did"))
  }
  return child
}

/** A program in a process of its own, which answers every line of JSON with one. Killed with the scope. */
export const processTrader = Effect.fn("cli.processTrader")(function* (
  command: ReadonlyArray<string>,
  terms: TraderTerms,
  begins: number,
  timeout: Duration.Duration
): Effect.fn.Return<Trader, CommandFailed, Scope.Scope> {
  const name = command.join(" ")
  const fail = (why: string) => new CommandFailed({ message: `${name} ${why}.` })
  const lines = yield* Queue.unbounded<Line>()
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => started(command, lines)),
    (running) => Effect.sync(() => void (running.stdin?.end(), running.kill()))
  )
  const ask = Effect.fnUntraced(function* (message: object) {
    child.stdin?.write(`${JSON.stringify(message)}\n`)
    const answer = yield* Effect.timeoutOption(Queue.take(lines), timeout)
    if (Option.isNone(answer)) return yield* fail(`gave no answer within ${Duration.format(timeout)}`)
    const line = answer.value
    if (line._tag === "End") return yield* fail(line.why)
    if (line.text.length > MAX_LINE) return yield* fail(`answered more than ${MAX_LINE} characters`)
    return yield* Effect.mapError(decode(line.text), () =>
      fail(`answered ${line.text.slice(0, 200)}, and not {"commitments": […], "wake_at": "2026-01-31T12:00:00.000Z"}`)
    )
  })
  const first = yield* ask({ protocol: PROTOCOL, at: isoUtc(begins), trader: terms })
  const channels = channelsOf(first.channels)
  if (typeof channels === "string") return yield* fail(`asks for channels that there are not: ${channels}`)
  return {
    channels,
    take: ({ at, events }, free) =>
      Effect.map(ask({ at: isoUtc(at), free, events }), ({ commitments = [], wake_at: wakeAt }) => ({
        commitments,
        wakeAt: wakeAt ?? undefined
      }))
  }
})
