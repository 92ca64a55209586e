import { Effect } from "effect"
import type { Case } from "./Case.ts"
import type { EnginePlan } from "./EngineRun.ts"
import { spreadOf } from "./Sample.ts"
import { inTurns, QUICK } from "./Turns.ts"
import { startWorker } from "./Worker.ts"

const DECISIONS = 200_000
const FEW = 5_000
const ROUNDS = { ...QUICK, count: 7 }

const KINDS = ["actor", "decisions", "hashed"] as const

/** How many submissions the engine decides in a second of one core. */
export const engineDecisions: Case = {
  key: "a",
  title: "engine decisions",
  run: Effect.fnUntraced(function* (bench) {
    const worker = yield* startWorker<EnginePlan, number>("EngineRun.ts")
    const decisions = bench.quick ? FEW : DECISIONS
    const rounds = bench.quick ? QUICK : ROUNDS
    const [actor = [], alone = [], hashed = []] = yield* inTurns(bench, rounds, KINDS, (kind) =>
      worker.ask({ kind, decisions })
    )
    const unit = "/s of one core"
    return [
      {
        key: "a",
        what: "decisions of order actors with the ledger, in batches of 500",
        unit,
        ours: spreadOf(actor),
        target: { bound: 500_000, at: "least" }
      },
      { key: "a", what: "  the decisions alone, one by one", unit, ours: spreadOf(alone) },
      { key: "a", what: "  with every event encoded and hashed", unit, ours: spreadOf(hashed) }
    ]
  })
}
