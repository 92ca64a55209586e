import type { MarketFrame } from "../../../engine/market/MarketFrame.ts"
import type { CommitmentRequest, Market, TradingProgram } from "../../../engine/market/TradingProgram.ts"

/** What a program does about a moment. */
export interface ProgramTurn {
  /** Bodies of commitments, as they came. */
  readonly commitments: ReadonlyArray<unknown>
  /** Milliseconds since 1970. */
  readonly wakeAt: number | undefined
}

/**
 * Tells a program of the events of one moment, one after the other, and answers what it does. Rejects with what it throws.
 *
 * Its text runs in the workers of bots too, so that it names nothing from outside of itself.
 *
 * @param now - the time of the moment, ISO 8601
 * @param free - USD that nothing holds
 */
export const takeTurn = (
  program: TradingProgram,
  events: ReadonlyArray<MarketFrame>,
  now: string,
  free: number
): Promise<ProgramTurn> => {
  const commitments: Array<unknown> = []
  let wakeAt: number | undefined
  const market: Market = {
    now,
    free,
    commit: (request: CommitmentRequest) => void commitments.push(request),
    wakeAt: (text: string) => {
      const time = Date.parse(text)
      if (Number.isNaN(time)) throw new RangeError(`wakeAt: expected an ISO 8601 time, not ${JSON.stringify(text)}`)
      wakeAt = time
    }
  }
  return events
    .reduce<Promise<void>>((before, event) => before.then(() => program.onEvent(event, market)), Promise.resolve())
    .then(() => ({ commitments, wakeAt }))
}
