import { Effect } from "effect"
import type { Case } from "./Case.ts"
import { spreadOf } from "./Sample.ts"
import { inTurns, QUICK } from "./Turns.ts"
import { startWorker } from "./Worker.ts"

const CARDS = 500_000
const FEW = 20_000
const ROUNDS = { ...QUICK, count: 7 }

/** How many credit applications are assessed in a second of one core. */
export const creditScores: Case = {
  key: "i",
  title: "credit scores",
  run: Effect.fnUntraced(function* (bench) {
    const worker = yield* startWorker<number, number>("CreditRun.ts")
    const [cards = []] = yield* inTurns(bench, bench.quick ? QUICK : ROUNDS, ["cards"], () =>
      worker.ask(bench.quick ? FEW : CARDS)
    )
    return [
      {
        key: "i",
        what: "credit applications assessed: score, limit, rate, points and reasons",
        unit: "/s of one core",
        ours: spreadOf(cards),
        target: { bound: 100_000, at: "least" }
      }
    ]
  })
}
