import { Context, Effect } from "effect"

/**
 * Tells the runtime that the start is over, so that it compiles what runs often as it usually does. Most code of a start runs
 * once or a few times, and a runtime that can waits with it until then. Another one has nothing to be told.
 */
export const CompileAsUsual = Context.Reference<Effect.Effect<void>>("emporion/runtime/CompileAsUsual", {
  defaultValue: () => Effect.void
})
