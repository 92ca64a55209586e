import { Effect } from "effect"
import { wireOf } from "../../engine/wire/JsonEncoder.ts"
import { ApiError } from "../api/ApiError.ts"
import { MyCommitment } from "../api/Arena.ts"
import { pageOf } from "../api/Paging.ts"
import * as Contract from "../api/rpc/FastLane.ts"
import { COMMITMENT_COST } from "../http/RateLimiter.ts"
import { refusedJson } from "../rpc/RpcDispatcher.ts"
import { answering, reading } from "../rpc/RpcHandler.ts"
import { BatchCommitments, type ItemOutcome } from "./BatchCommitments.ts"
import { type CommitmentItem, read } from "./CommitmentItem.ts"
import { CommitmentLists } from "./CommitmentLists.ts"
import { ownCommitment } from "./CommitmentObject.ts"

const wire = wireOf(MyCommitment)

const invalid = (expected: string) => new ApiError("invalid_request", `payload.items: Expected ${expected}`)

const itemsOf = (payload: unknown): ReadonlyArray<unknown> | ApiError => {
  const items: unknown =
    typeof payload === "object" && payload !== null && "items" in payload ? payload.items : undefined
  if (!Array.isArray(items)) return invalid("an array")
  return items.length > Contract.MAX_BATCH_ITEMS ? invalid(`at most ${Contract.MAX_BATCH_ITEMS} items`) : items
}

const resultJson = (outcome: ItemOutcome) => (outcome instanceof ApiError ? refusedJson(outcome) : outcome)

/** What the arena answers on the fast lane. Specification 4.3. */
export const arenaRpcs = Effect.gen(function* () {
  const batches = yield* BatchCommitments.make
  const { mine } = yield* CommitmentLists
  return [
    reading(
      Contract.commit,
      (payload, call) => {
        const item = read(payload, () => "payload")
        if (item instanceof ApiError) return Effect.fail(item)
        return Effect.flatMap(batches.commit([item], call), ([outcome]) =>
          outcome === undefined || outcome instanceof ApiError
            ? Effect.fail(outcome ?? new ApiError("internal"))
            : Effect.succeed(outcome)
        )
      },
      COMMITMENT_COST
    ),
    reading(Contract.commitBatch, (payload, call) => {
      const items = itemsOf(payload)
      if (items instanceof ApiError) return Effect.fail(items)
      const readItems = items.map((item, index) => read(item, () => `payload.items.${index}`))
      const good = readItems.filter((item): item is CommitmentItem => !(item instanceof ApiError))
      return Effect.map(batches.commit(good, call), (outcomes) => {
        const made = outcomes.values()
        return {
          results: readItems.map((item) =>
            resultJson(item instanceof ApiError ? item : (made.next().value as ItemOutcome))
          )
        }
      })
    }),
    answering(Contract.myCommitments, (payload, { principal }) =>
      Effect.map(
        mine({ userId: principal.userId, status: payload.status, ...pageOf(payload) }),
        ({ commitments: found, next, total }) => ({
          commitments: found.map((commitment) => wire(ownCommitment(commitment))),
          total,
          ...(next === undefined ? {} : { next })
        })
      )
    )
  ]
})
