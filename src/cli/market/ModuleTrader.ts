import { Effect } from "effect"
import { channelsOf } from "../../../engine/market/MarketFrame.ts"
import { takeTurn } from "../../bots/programs/ProgramTurn.ts"
import { isProgram } from "../../../engine/simulation/ExtensionParts.ts"
import { isoUtc } from "../../api/Timestamp.ts"
import { CommandFailed, explained } from "../CommandFailed.ts"
import { defaultExport, failedIn, ModuleFailed } from "../UserModule.ts"
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
  path: string
): Effect.fn.Return<Trader, CommandFailed> {
  const program = yield* load(path)
  const channels = channelsOf(program.channels)
  if (typeof channels === "string") return yield* new CommandFailed({ message: `${path}: channels: ${channels}.` })
  const fail = (cause: unknown) => new CommandFailed({ message: failedIn(path)(cause).message })
  return {
    channels,
    take: ({ at, events }, free) =>
      Effect.tryPromise({ try: () => takeTurn(program, events, isoUtc(at), free), catch: fail })
  }
})
