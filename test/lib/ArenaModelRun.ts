import { Effect, type Scope } from "effect"
import fc from "fast-check"
import type { FairnessRule } from "../../engine/arena/Fairness.ts"
import { type ArenaCommand, arenaCommands } from "./ArenaCommands.ts"
import { expectSameState } from "./ArenaState.ts"
import { ArenaModelComparison } from "./ArenaModelComparison.ts"
import { quiet } from "./Quiet.ts"

/** Plays a sequence of commands to the program and to its model, and compares every answer and the state they end in. */
export const play = (
  rule: FairnessRule,
  commands: ReadonlyArray<ArenaCommand>
): Effect.Effect<ArenaModelComparison, never, Scope.Scope> =>
  Effect.gen(function* () {
    const comparison = yield* ArenaModelComparison.make(rule)
    for (const command of commands) yield* comparison.do(command)
    yield* expectSameState(comparison)
    return comparison
  })

/** Plays so many random sequences, all of them. */
export const playMany = (numRuns: number, more: object = {}): Effect.Effect<void> => {
  const rules = fc.constantFrom("weighted" as const, "weighted" as const, "quorum" as const, "turnout" as const)
  const property = fc.asyncProperty(rules, arenaCommands, (rule, commands) =>
    Effect.runPromise(Effect.scoped(Effect.asVoid(play(rule, commands))).pipe(Effect.provide(quiet)))
  )
  return Effect.promise(() => Promise.resolve(fc.assert(property, { numRuns, ...more })))
}
