import { Effect } from "effect"
import { KEPT } from "../../engine/simulation/CallFate.ts"
import { SeededRandom } from "../../engine/simulation/SeededRandom.ts"
import { SimulatedJournal, type SimulatedJournalOptions } from "../../engine/simulation/SimulatedJournal.ts"
import { VirtualClock } from "../../engine/simulation/VirtualClock.ts"
import { environment } from "./Simulations.ts"

/** A journal whose own time passes by itself as long as the scope lives. */
export const runningJournal = Effect.fnUntraced(function* (
  options: Pick<SimulatedJournalOptions, "onCommit" | "onTold" | "remembered"> & {
    readonly fateOf?: SimulatedJournalOptions["fateOf"]
  } = {}
) {
  const clock = new VirtualClock(0, new SeededRandom(1, "clock"))
  const context = yield* Effect.context()
  const problems: Array<string> = []
  const journal = new SimulatedJournal({
    link: environment.hashing.link,
    clock,
    fork: (effect) => void Effect.runForkWith(context)(effect),
    fateOf: () => KEPT,
    report: (problem) => void problems.push(problem),
    ...options
  })
  yield* Effect.forkScoped(
    Effect.forever(
      Effect.andThen(
        Effect.sync(() => clock.advance()),
        Effect.yieldNow
      )
    )
  )
  return { clock, journal, problems }
})
