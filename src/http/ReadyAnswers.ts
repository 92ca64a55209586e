import { Context } from "effect"

/** An answer that is ready as bytes. */
export interface ReadyAnswer {
  /** The endpoint's path template, for the metrics. */
  readonly route: string
  /** UTF-8 JSON of status 200, for any authenticated caller. */
  readonly body: Uint8Array<ArrayBuffer>
}

/**
 * Answers to `GET` that are in memory and the same for every authenticated caller, by path without query. They are sent
 * without passing through the router; what is not goes there.
 */
export const ReadyAnswers = Context.Reference<{
  readonly find: (path: string, now: number) => ReadyAnswer | undefined
}>("emporion/http/ReadyAnswers", { defaultValue: () => ({ find: () => undefined }) })
