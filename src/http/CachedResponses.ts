import { Context } from "effect"
import type { Access } from "../api/Authorization.ts"
import type { Answer } from "./ResponseCache.ts"

/** An answer that is ready as bytes, for every caller whom the endpoint admits. */
export interface ReadyAnswer {
  /** The endpoint's path template, for the metrics. */
  readonly route: string
  readonly access: Access
  readonly answer: Answer
}

/** Finds answers of some endpoints. */
export interface AnswerSource {
  /** Path with query, as the caller wrote them, and milliseconds since 1970. */
  readonly find: (target: string, now: number) => ReadyAnswer | undefined
}

/** Combines several sources: the first that has an answer gives it. */
export const oneOf = (sources: ReadonlyArray<AnswerSource>): AnswerSource => ({
  find: (target, now) => {
    for (const source of sources) {
      const found = source.find(target, now)
      if (found !== undefined) return found
    }
    return undefined
  }
})

/**
 * Answers to `GET` that are in memory and the same for every caller whom the endpoint admits. They skip the router;
 * everything else passes through it.
 */
export const CachedResponses = Context.Reference<AnswerSource>("emporion/http/CachedResponses", {
  defaultValue: () => oneOf([])
})
