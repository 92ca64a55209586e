import { Effect } from "effect"
import { wireOf } from "../../engine/wire/JsonEncoder.ts"
import { FundAnswer } from "../api/Funds.ts"
import { pageOf } from "../api/Paging.ts"
import { balances } from "../api/rpc/FastLane.ts"
import { answering } from "../rpc/RpcHandler.ts"
import { toAnswer } from "./Fund.ts"
import { Funds } from "./Funds.ts"

const encode = wireOf(FundAnswer)

/** What funds answer on the fast lane. Specification 4.2. */
export const fundsRpcs = Effect.map(Funds, (funds) => [
  answering(balances, (payload, { principal }) =>
    Effect.map(funds.list(principal.userId, pageOf(payload)), ({ funds: found, next, total }) => ({
      funds: found.map((fund) => encode(toAnswer(fund))),
      total,
      ...(next === undefined ? {} : { next })
    }))
  )
])
