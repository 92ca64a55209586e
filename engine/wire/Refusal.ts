import { Data } from "effect"
import type { Cause } from "effect"

const REFUSAL = "~emporion/Refusal"

/** Why something is refused, as whoever asked for it is told. The code decides everything else of the response. */
export interface Refusal<out C extends string = string> extends Error {
  readonly [REFUSAL]: true
  readonly code: C
  /** What to do, in a sentence; empty where the code says it all. */
  readonly message: string
  /** Seconds after which the same request may succeed. */
  readonly retryAfterSeconds?: number
}

/** Refusals of one reason, made of its fields. */
type RefusalClass<Tag extends string, C extends string, Fields> = new (
  ...fields: Record<never, never> extends Fields ? [fields?: Fields] : [fields: Fields]
) => Cause.YieldableError & Refusal<C> & { readonly _tag: Tag } & Readonly<Fields>

/**
 * The base class of a refusal.
 *
 * @param code - what callers know the reason by
 * @param sentence - what callers are told, from the fields; the code's own sentence where there is none
 */
export const refusal = <const Tag extends string, const C extends string, Fields extends object = Record<never, never>>(
  tag: Tag,
  code: C,
  sentence?: (fields: Fields) => string,
  { retryAfterSeconds }: { readonly retryAfterSeconds?: number } = {}
): RefusalClass<Tag, C, Fields> => {
  class Refused extends Data.TaggedError(tag) {}
  const fixed = { [REFUSAL]: true, code, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }
  for (const [name, value] of Object.entries(fixed)) Object.defineProperty(Refused.prototype, name, { value })
  if (sentence !== undefined) {
    Object.defineProperty(Refused.prototype, "message", {
      get(this: Fields) {
        return sentence(this)
      }
    })
  }
  return Refused as unknown as RefusalClass<Tag, C, Fields>
}

/** Whether an error is a refusal, of any code. */
export const isRefusal = (error: unknown): error is Refusal =>
  typeof error === "object" && error !== null && REFUSAL in error
