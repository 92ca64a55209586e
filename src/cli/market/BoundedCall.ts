import { Script } from "node:vm"

/** Where the script finds what to call: the runtime bounds a script, and no function. */
const CALL = Symbol.for("emporion/cli/BoundedCall")

const script = new Script('globalThis[Symbol.for("emporion/cli/BoundedCall")]()')

/**
 * Calls a function, and ends it after so many milliseconds, whatever it does: it throws then what {@link isEnded} knows.
 * What it does behind its answer is not bounded.
 */
export const boundedCall = <A>(millis: number, call: () => A): A => {
  Reflect.set(globalThis, CALL, call)
  return script.runInThisContext({ timeout: millis }) as A
}

/** Whether a call that threw this was ended. */
export const isEnded = (thrown: unknown): boolean =>
  thrown instanceof Error && "code" in thrown && thrown.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
