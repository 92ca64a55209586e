import { Effect, Layer } from "effect"
import { endOf } from "../../engine/journal/JournalRow.ts"
import { PriceBook } from "../arena/PriceBook.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { StreamAuthentication } from "../stream/StreamAuthentication.ts"
import { admitReads } from "./AskedReads.ts"
import { checkCallers } from "./CallerCheck.ts"
import { encodeNews, encodeRow } from "./FollowerFrame.ts"
import type { Followers } from "./Followers.ts"
import { quotaHome } from "./SharedQuotas.ts"

/** Tells the nodes that follow of each row of the journal, once it is there, and of what else their streams carry. */
export const layerOf = (followers: Followers) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { lastSeq, onAppended } = yield* UnitOfWork
      const prices = yield* PriceBook
      const { watch } = yield* StreamAuthentication
      yield* onAppended((row) => followers.pushRow(() => encodeRow(row), endOf(row).seq))
      yield* prices.onRecorded((medians) => {
        for (const { asset, at, price, source } of medians) {
          followers.push(encodeNews({ _tag: "Price", asset, at, price, source }))
        }
      })
      yield* watch((userId) => followers.push(encodeNews({ _tag: "Changed", userId: userId ?? null })))
      yield* followers.serve(yield* lastSeq, {
        check: yield* checkCallers,
        admit: yield* admitReads,
        quotas: yield* quotaHome(followers.isThere)
      })
    })
  )
