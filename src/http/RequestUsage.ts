import { Context } from "effect"

/**
 * Hears of every answer: the company of the caller (empty where there is none), the method and the path's template, the
 * status and the time it took in seconds. Must cost next to nothing.
 */
export type CountUsage = (companyId: string, endpoint: string, status: number, seconds: number) => void

/** Counts who asked for what. Nobody counts by default. */
export const RequestUsage = Context.Reference<CountUsage>("emporion/http/RequestUsage", {
  defaultValue: () => () => {}
})
