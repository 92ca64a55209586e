import { Effect, Predicate, Result } from "effect"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import type { Market, TradingProgram } from "../../../engine/market/TradingProgram.ts"
import { isoUtc } from "../../api/Timestamp.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { channelsOf, type Trader, type TraderReply } from "./Trader.ts"

const failedIn = (path: string) => (cause: unknown) =>
  new CommandFailed({ message: `${path}: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}` })

const isProgram = (value: unknown): value is TradingProgram =>
  Predicate.isObject(value) && "onEvent" in value && typeof value.onEvent === "function"

/** Loads what a module exports by default: a program, or a function that makes one. */
const load = Effect.fnUntraced(function* (path: string) {
  const loaded: unknown = yield* Effect.tryPromise({
    try: () => import(pathToFileURL(resolve(path)).href),
    catch: failedIn(path)
  })
  const exported = Predicate.isObject(loaded) && "default" in loaded ? loaded.default : undefined
  const made: unknown =
    typeof exported === "function"
      ? yield* Effect.try({ try: () => exported() as unknown, catch: failedIn(path) })
      : exported
  if (isProgram(made)) return made
  return yield* new CommandFailed({
    message: `${path}: its default export has to be {onEvent(event, market) {…}}, or a function that makes that.`
  })
})

/** The time, or an error for the program that gave it. */
const timeOf = (text: string): number => {
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw new RangeError(`wakeAt: expected an ISO 8601 time, not ${JSON.stringify(text)}`)
  return time
}

/** A module of one's own, in this process. */
export const moduleTrader = Effect.fn("cli.moduleTrader")(function* (
  path: string
): Effect.fn.Return<Trader, CommandFailed> {
  const program = yield* load(path)
  const channels = channelsOf(program.channels)
  if (typeof channels === "string") return yield* new CommandFailed({ message: `${path}: channels: ${channels}.` })
  const fail = failedIn(path)
  return {
    channels,
    take: ({ at, events }, free) =>
      Effect.gen(function* (): Effect.fn.Return<TraderReply, CommandFailed> {
        const commitments: Array<unknown> = []
        let wakeAt: number | undefined
        const market: Market = {
          now: isoUtc(at),
          free,
          commit: (request) => void commitments.push(request),
          wakeAt: (time) => {
            wakeAt = timeOf(time)
          }
        }
        for (const event of events) {
          const heard = Result.try({ try: () => program.onEvent(event, market), catch: fail })
          if (Result.isFailure(heard)) return yield* heard.failure
          const { success: pending } = heard
          if (pending instanceof Promise) yield* Effect.tryPromise({ try: () => pending, catch: fail })
        }
        return { commitments, wakeAt }
      })
  }
})
