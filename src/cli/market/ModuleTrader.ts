import { Duration, Effect } from "effect"
import { channelsOf } from "../../../engine/market/MarketFrame.ts"
import type { TradingProgram } from "../../../engine/market/TradingProgram.ts"
import { takeTurn } from "../../bots/programs/ProgramTurn.ts"
import { isProgram } from "../../../engine/simulation/ExtensionParts.ts"
import { isoUtc } from "../../api/Timestamp.ts"
import { CommandFailed, explained } from "../CommandFailed.ts"
import { defaultExport, failedIn, ModuleFailed } from "../UserModule.ts"
import { boundedCall, isEnded } from "./BoundedCall.ts"
import type { Trader } from "./Trader.ts"

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

/** A module of one's own, in this process. */
export const moduleTrader = Effect.fn("cli.moduleTrader")(function* (
  path: string,
  timeout: Duration.Duration
): Effect.fn.Return<Trader, CommandFailed> {
  const program = yield* load(path)
  const channels = channelsOf(program.channels)
  if (typeof channels === "string") return yield* new CommandFailed({ message: `${path}: channels: ${channels}.` })
  const millis = Duration.toMillis(timeout)
  const bounded: TradingProgram = {
    onEvent: (event, market) => boundedCall(millis, () => program.onEvent(event, market))
  }
  const late = new CommandFailed({ message: `${path}: onEvent gave no answer within ${Duration.format(timeout)}.` })
  const failed = (cause: unknown) =>
    isEnded(cause) ? late : new CommandFailed({ message: failedIn(path)(cause).message })
  return {
    channels,
    take: ({ at, events }, free) =>
      Effect.tryPromise({ try: () => takeTurn(bounded, events, isoUtc(at), free), catch: failed })
  }
})
