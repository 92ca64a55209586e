import { Cause, Clock, Context, Effect, Layer } from "effect"
import { retryStale } from "../../engine/actor/StaleRetry.ts"
import { claimsOf } from "../../engine/commerce/Arrears.ts"
import { dueStep } from "../../engine/commerce/OverdueDecision.ts"
import { purchaseOrderStream } from "../../engine/commerce/PurchaseOrder.ts"
import { recordOf } from "../../engine/commerce/PurchaseRecord.ts"
import { Credit } from "../credit/Credit.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { dieOnRefusal, writeEntry } from "../database/EntryWriting.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { type DueOrder, type DuePlace, PurchaseOrderRepository } from "./PurchaseOrderRepository.ts"

/** Orders that are looked at in one round, and of how many companies at once. */
export const ROUND = 100
const AT_ONCE = 8

/** Rounds of one look. What is left is looked at in the next. */
const MOST_ROUNDS = 100

/**
 * Records all that is due of an order, each part on the version that was read: whoever comes first takes it, and the other one
 * finds nothing to do. Answers how much it recorded.
 */
const take = Effect.fnUntraced(function* ({ concerned, orderId }: DueOrder) {
  const repository = yield* PurchaseOrderRepository
  const credit = yield* Credit
  const lastOf = (companyId: string) => Effect.map(credit.lastFound(companyId), (last) => ({ companyId, last }))
  const attempt = Effect.gen(function* () {
    const order = recordOf(yield* repository.events(orderId))
    if (order === undefined) return yield* Effect.die(`the order ${orderId} has no events`)
    const entry = dueStep(order.state, yield* Clock.currentTimeMillis)
    if (entry === undefined) return false
    const isOverdue = entry.event._tag === "PurchaseOrderOverdue"
    const found = isOverdue ? yield* Effect.forEach(concerned, lastOf) : []
    const claims = claimsOf(entry.event, found)
    yield* writeEntry({ stream: purchaseOrderStream(orderId), version: order.state.version, claims, entry })
    return true
  })
  let steps = 0
  while (yield* retryStale(attempt).pipe(dieOnRefusal)) steps += 1
  return steps
})

/**
 * One that fails for a reason of its own, or that others write all the time, does not keep the others waiting. A database that
 * takes nothing does: each of them would ask it in vain.
 */
const survived = (due: DueOrder) =>
  take(due).pipe(
    Effect.catchTag("StaleVersion", ({ stream }) =>
      Effect.as(Effect.logWarning(`Others write ${stream} all the time: what is due of it is looked for again`), 0)
    ),
    Effect.catchCause((cause) =>
      Cause.hasInterrupts(cause) || Cause.hasFails(cause)
        ? Effect.failCause(cause)
        : Effect.as(Effect.logError(`What is due of the order ${due.orderId} stumbled`, cause), 0)
    )
  )

/** What is found of one company takes names of which each follows the one before, so none of it is found side by side. */
const inTurns = (orders: ReadonlyArray<DueOrder>) => Effect.forEach(orders, survived)

/** One round: where the next one goes on, if there is one, and how much was recorded. */
const round = Effect.fnUntraced(function* (after: DuePlace | undefined) {
  const repository = yield* PurchaseOrderRepository
  const due = yield* repository.due(yield* Clock.currentTimeMillis, ROUND, after)
  const companies = [...Map.groupBy(due, ({ limitCompanyId }) => limitCompanyId).values()]
  const taken = yield* Effect.forEach(companies, inTurns, { concurrency: AT_ONCE })
  return {
    next: due.length < ROUND ? undefined : due.at(-1),
    steps: taken.flat().reduce((sum, steps) => sum + steps, 0)
  }
})

/** Reminds buyers of what is due before long, and finds what is overdue. Moves no money. */
export class DueInstalments extends Context.Service<
  DueInstalments,
  {
    /**
     * Takes what is due at the present time, in rounds of at most {@link ROUND} orders, each behind the one before, also of the
     * look before where that did not come to the end: nothing that stumbles keeps anything else from being found. Answers how
     * much it recorded.
     */
    readonly look: Effect.Effect<number, Unavailable>
  }
>()("emporion/commerce/DueInstalments") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const context = yield* Effect.context<PurchaseOrderRepository | Credit | UnitOfWork>()
      let place: DuePlace | undefined
      return DueInstalments.of({
        look: Effect.gen(function* () {
          let steps = 0
          for (let rounds = 0; rounds < MOST_ROUNDS; rounds++) {
            const taken: Effect.Success<ReturnType<typeof round>> = yield* round(place)
            steps += taken.steps
            place = taken.next
            if (place === undefined) break
          }
          return steps
        }).pipe(Effect.provideContext(context), Effect.withSpan("DueInstalments.look"))
      })
    })
  )
}
