import { expect, it } from "bun:test"
import type { AccountId } from "../../../engine/ledger/Account.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { CollateralPeaks } from "../../../engine/simulation/CollateralPeaks.ts"
import { playedWithBots } from "../../lib/PlayedBots.ts"

/** What a wallet has held after some events: all that was submitted and not released since. */
const heldAfter = (events: ReadonlyArray<PlatformEvent>, account: AccountId): bigint =>
  events.reduce((sum, event, index) => {
    if (event._tag !== "CommitmentSubmitted" || event.commitment.trader.account !== account) return sum
    const { collateral, commitmentId, orderId } = event.commitment
    const isReleased = events.slice(index).some((later) => {
      if (later._tag === "WinnerChosen") return later.orderId === orderId && later.choice.winner !== commitmentId
      return (later._tag === "OrderSettled" || later._tag === "OrderVoided") && later.orderId === orderId
    })
    return isReleased ? sum : sum + collateral
  }, 0n)

it("CollateralPeaks are the most that each wallet held after any event", () => {
  const events = playedWithBots(2, true).journal.events.map(({ event }) => event)
  const peaks = new CollateralPeaks()
  for (const event of events) peaks.apply(event)
  const accounts = new Set(
    events.flatMap((event) => (event._tag === "CommitmentSubmitted" ? [event.commitment.trader.account] : []))
  )
  expect(accounts.size).toBeGreaterThan(3)
  for (const account of accounts) {
    const naive = events.map((_, index) => heldAfter(events.slice(0, index + 1), account))
    expect(peaks.of(account)).toBe(naive.reduce((most, one) => (one > most ? one : most), 0n))
  }
})
