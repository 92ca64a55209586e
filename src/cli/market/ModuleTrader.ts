import { Effect, Result } from "effect"
import type { Market } from "../../../engine/market/TradingProgram.ts"
import { isProgram } from "../../../engine/simulation/ExtensionParts.ts"
import { isoUtc } from "../../api/Timestamp.ts"
import { CommandFailed, explained } from "../CommandFailed.ts"
import { defaultExport, failedIn, ModuleFailed } from "../UserModule.ts"
import { channelsOf, type Trader, type TraderReply } from "./Trader.ts"

/** Loads what a module exports by default: a program, or a function that makes one. */
const load = Effect.fnUntraced(function* (path: string) {
  const exported = yield* defaultExport(path)
  const made: unknown =
    typeof exported === "function"
      ? yield* Effect.try({ try: () => exported() as unknown, catch: failedIn(path) })
      : exported
  if (isProgram(made)) return made
  return yield* new ModuleFailed({
    message: `${path}: its default export has to be {onEvent(event, market) {…}}, or a function that makes that.`
  })
}, explained)

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
  const fail = (cause: unknown) => new CommandFailed({ message: failedIn(path)(cause).message })
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
