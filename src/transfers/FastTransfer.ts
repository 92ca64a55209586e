import { Effect } from "effect"
import { Api } from "../api/Api.ts"
import { TransfersApi } from "../api/Transfers.ts"
import * as FastRoutes from "../http/FastRoutes.ts"
import { receiptJson } from "./Transfer.ts"
import { answers } from "./TransferResponses.ts"
import { sendingOf } from "./TransferHandlers.ts"
import { Transfers } from "./Transfers.ts"

/** Transfers need not pass through the router. */
export const fastTransfers: Effect.Effect<FastRoutes.FastRoute, never, Transfers> = Effect.map(Transfers, ({ send }) =>
  FastRoutes.of(Api, TransfersApi, TransfersApi.endpoints.createTransfer, (payload, { userId }, keyed) =>
    send(sendingOf(payload, userId, keyed)).pipe(
      Effect.map(({ repeated, transfer }) => {
        if (keyed !== undefined && !repeated) keyed.stored = true
        return receiptJson(transfer)
      }),
      Effect.catchTags(answers)
    )
  )
)
