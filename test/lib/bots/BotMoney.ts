import { Effect } from "effect"
import fc from "fast-check"
import { checkRecords } from "../platform/PlatformMoney.ts"
import { SHORT_SLOTS } from "../OpenedArena.ts"
import { TestServer } from "../TestServer.ts"
import { botCommands, EVERY_KIND } from "./BotMoves.ts"
import { BotModelComparison } from "./BotModelComparison.ts"

/** Runs from which a failure is shrunk: each step of that plays a whole sequence anew. */
const SHRUNK_FROM = 50

/** A server with an arena whose prices are known for a while. */
export const botServer = Effect.gen(function* () {
  const server = yield* TestServer.make(SHORT_SLOTS)
  for (let ticks = 0; ticks < 7; ticks++) yield* server.tick(10_000)
  return server
})

/**
 * Plays so many sequences of what bots' owners do, each by a company of its own. Answers how often each kind of move was
 * taken, how much was committed to, and which profits and losses there were.
 */
export const playBots = (server: TestServer, numRuns: number, maxLength: number) =>
  Effect.gen(function* () {
    const taken = new Map<string, number>()
    const profits: Array<bigint> = []
    let commitments = 0
    const run = Effect.runPromiseWith(yield* Effect.context<never>())
    const check = fc.asyncProperty(botCommands(maxLength), (commands) =>
      run(
        Effect.gen(function* () {
          const comparison = yield* BotModelComparison.make(server)
          for (const command of commands) yield* comparison.do(command)
          for (const [act, count] of comparison.taken) taken.set(act, (taken.get(act) ?? 0) + count)
          for (const bot of comparison.now.bots) {
            profits.push(bot.profit)
            commitments += bot.commitments
          }
        })
      )
    )
    yield* Effect.promise(() =>
      fc.assert(check, { numRuns, examples: [[EVERY_KIND]], endOnFailure: numRuns < SHRUNK_FROM })
    )
    yield* checkRecords(server)
    return { taken, profits, commitments }
  })
