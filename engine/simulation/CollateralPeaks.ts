import type { Commitment } from "../arena/Commitment.ts"
import type { AccountId } from "../ledger/Account.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"

/** The most that each wallet ever held for commitments, from the events in their order. */
export class CollateralPeaks {
  readonly #open = new Map<string, Array<Commitment>>()
  readonly #held = new Map<AccountId, bigint>()
  readonly #peaks = new Map<AccountId, bigint>()

  /** In 10⁻⁶ USD. */
  of(account: AccountId): bigint {
    return this.#peaks.get(account) ?? 0n
  }

  apply(event: PlatformEvent): void {
    if (event._tag === "WinnerChosen") this.#release(event.orderId, event.choice.winner)
    if (event._tag === "OrderSettled" || event._tag === "OrderVoided") this.#release(event.orderId, null)
    if (event._tag === "CommitmentSubmitted") this.#hold(event.commitment)
  }

  #hold(commitment: Commitment): void {
    const { account } = commitment.trader
    const now = (this.#held.get(account) ?? 0n) + commitment.collateral
    this.#held.set(account, now)
    if (now > this.of(account)) this.#peaks.set(account, now)
    const others = this.#open.get(commitment.orderId)
    if (others === undefined) this.#open.set(commitment.orderId, [commitment])
    else others.push(commitment)
  }

  #release(orderId: string, kept: string | null): void {
    const stays: Array<Commitment> = []
    for (const commitment of this.#open.get(orderId) ?? []) {
      const { account } = commitment.trader
      if (commitment.commitmentId === kept) stays.push(commitment)
      else this.#held.set(account, (this.#held.get(account) ?? 0n) - commitment.collateral)
    }
    if (stays.length === 0) this.#open.delete(orderId)
    else this.#open.set(orderId, stays)
  }
}
