/** Calls what somebody else wrote, in the midst of a simulation. */

/** Runs a function of an extension; where it throws, tells what in words, and gives nothing. */
export type ExtensionCall = <A>(run: () => A, failed: (what: string) => void) => A | undefined

/** Stands round each call: an adapter's, for what the engine may not touch. */
export type CallGuard = <A>(run: () => A) => A

/** A thrown value in words, with where it was thrown if it knows. */
export const thrownText = (thrown: unknown): string =>
  thrown instanceof Error ? (thrown.stack ?? `${thrown.name}: ${thrown.message}`) : String(thrown)

export const extensionCall =
  (guard: CallGuard): ExtensionCall =>
  (run, failed) => {
    try {
      return guard(run)
    } catch (thrown) {
      failed(thrownText(thrown))
      return undefined
    }
  }

/** What a value is, in a sentence about it. */
export const shown = (value: unknown): string => {
  if (typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`
  if (typeof value === "bigint") return `${value}n`
  if (value instanceof Promise) return "a promise"
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return "an object"
  }
}
