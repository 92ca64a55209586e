import { Clock, Effect } from "effect"
import { retryStale } from "../../actor/StaleRetry.ts"
import { creditLimitOf } from "../../commerce/PurchaseOrder.ts"
import { assessment, trimming } from "../../credit/CreditDecision.ts"
import { creditOf, creditStream } from "../../credit/CreditStanding.ts"
import { trainedModel } from "../../credit/TrainedModel.ts"
import type { CompanyRequest } from "./CompanyPlan.ts"
import { anew, type Caller, type DeskWorld, keyed, type Served, type WriteFailure } from "./DeskWorld.ts"

/** Scores companies' users, and takes back what they repaid above a lowered limit. */
export class CreditDesk {
  readonly #world: DeskWorld

  constructor(world: DeskWorld) {
    this.#world = world
  }

  assess(by: Caller, { income, loan }: Extract<CompanyRequest, { readonly act: "assess" }>, key: string): Served {
    const { companyId, userId } = by
    const request = {
      annualIncome: income,
      homeOwnership: loan % 2 === 0,
      empLength: `${loan % 12}`,
      loanAmt: loan,
      purpose: "inventory",
      desc: ""
    }
    return retryStale(
      Effect.gen({ self: this }, function* () {
        const at = yield* Clock.currentTimeMillis
        const situation = this.#situation(by)
        const entry = yield* Effect.fromResult(assessment(trainedModel, situation, request, { userId, at }))
        const { version } = situation.standing
        const stream = creditStream(companyId)
        yield* this.#world
          .write({ stream, version, entry: { ...entry, idempotency: keyed(key) } })
          .pipe(Effect.catchTag("InsufficientFunds", anew(stream, version)))
        return "CreditAssessed"
      })
    )
  }

  /** Takes back what a user repaid above its limit, if anything. */
  readonly trim = (by: Caller): Effect.Effect<void, WriteFailure> => {
    const stream = creditStream(by.companyId)
    return retryStale(
      Effect.gen({ self: this }, function* () {
        const situation = this.#situation(by)
        const { version } = situation.standing
        const at = yield* Clock.currentTimeMillis
        const entry = trimming(situation, { userId: by.userId, at })
        if (entry === undefined) return
        yield* this.#world
          .write({ stream, version, entry })
          .pipe(Effect.catchTag("InsufficientFunds", anew(stream, version)))
      })
    )
  }

  /** Whether a user's account holds more than was granted. */
  isOverhanging({ companyId, userId }: Caller): boolean {
    const { granted, posted } = creditOf(this.#world.projection.credit(companyId), userId)
    return posted > granted
  }

  #situation({ companyId, userId }: Caller) {
    const standing = this.#world.projection.credit(companyId)
    return { standing, used: this.#world.account(creditLimitOf(userId)).held }
  }
}
