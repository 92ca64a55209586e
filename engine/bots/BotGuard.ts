/** When a company's bots are to be paused, null for never, and the version of its guard's stream. */
export interface BotGuard {
  readonly deadlineAt: number | null
  readonly version: number
}
