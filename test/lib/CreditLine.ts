import { Result } from "effect"
import type { Entry } from "../../engine/actor/Journal.ts"
import { encodeEvent } from "../../engine/actor/EventChain.ts"
import { CREDIT_ASSET, creditLimitOf } from "../../engine/commerce/PurchaseOrder.ts"
import type { CreditRequest } from "../../engine/credit/CreditApplication.ts"
import { assessment, trimming } from "../../engine/credit/CreditDecision.ts"
import type { CreditAssessed, CreditEvent } from "../../engine/credit/CreditEvent.ts"
import { type CreditStanding, creditOf, creditStream, evolve, unassessed } from "../../engine/credit/CreditStanding.ts"
import { trainedModel } from "../../engine/credit/TrainedModel.ts"
import { Book, type LedgerError } from "../../engine/ledger/Book.ts"
import type { Command } from "../../engine/ledger/Command.ts"
import { custodyOf } from "../../engine/ledger/Funding.ts"
import type { Amount } from "../../engine/money/Amount.ts"
import type { StoredEvent } from "../../engine/replay/StoredEvent.ts"

export const COMPANY = "cmp_1"

/** One company's credit on a real ledger: its users are scored, order on credit and repay. */
export class CreditLine {
  readonly book = new Book()
  readonly standing: CreditStanding = unassessed(COMPANY)
  readonly stored: Array<StoredEvent> = []
  now = 1_795_000_000_000
  #holds = 0
  readonly #open = new Map<string, Array<string>>()

  /** What a user's unpaid orders hold. */
  used(userId: string): Amount {
    return this.book.account(creditLimitOf(userId)).held
  }

  free(userId: string): Amount {
    return this.book.available(creditLimitOf(userId))
  }

  granted(userId: string): Amount {
    return creditOf(this.standing, userId).granted
  }

  /** All that the company's users may owe, and do. */
  get total(): bigint {
    return Array.from(this.standing.users.values()).reduce((sum, { posted }) => sum + posted, 0n)
  }

  request(userId: string, request: CreditRequest): CreditAssessed | undefined {
    const situation = { standing: this.standing, used: this.used(userId) }
    const decided = assessment(trainedModel, situation, request, { userId, at: this.now })
    if (Result.isFailure(decided)) return undefined
    this.#record(decided.success)
    return decided.success.event
  }

  trim(userId: string): boolean {
    const entry = trimming({ standing: this.standing, used: this.used(userId) }, { userId, at: this.now })
    if (entry !== undefined) this.#record(entry)
    return entry !== undefined
  }

  /** Orders on credit: whether the limit took it. */
  order(userId: string, amount: Amount): boolean {
    const id = `credit/order-${this.#holds++}/1`
    const hold: Command = {
      _tag: "Hold",
      id,
      account: creditLimitOf(userId),
      into: custodyOf(CREDIT_ASSET),
      amount
    }
    if (Result.isFailure(this.#apply([hold]))) return false
    this.#open.set(userId, [...(this.#open.get(userId) ?? []), id])
    return true
  }

  /** Repays the oldest order. */
  repay(userId: string): void {
    const hold = this.#open.get(userId)?.shift()
    if (hold !== undefined) Result.getOrThrow(this.#apply([{ _tag: "Release", hold }]))
  }

  #apply(commands: ReadonlyArray<Command>): Result.Result<void, LedgerError> {
    return this.book.apply(commands)
  }

  #record({ commands, event }: Entry<CreditEvent>): void {
    Result.getOrThrow(this.#apply(commands))
    evolve(this.standing, event)
    const { version } = this.standing
    this.stored.push({
      seq: version,
      stream: creditStream(COMPANY),
      version,
      type: event._tag,
      data: encodeEvent(event),
      hash: ""
    })
  }
}
