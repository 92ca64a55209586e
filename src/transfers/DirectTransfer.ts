import { Effect } from "effect"
import { Api } from "../api/Api.ts"
import { TransfersApi } from "../api/Transfers.ts"
import * as DirectRoutes from "../http/DirectRoutes.ts"
import { receiptJson } from "./Transfer.ts"
import { answers } from "./TransferAnswers.ts"
import { sendingOf } from "./TransferHandlers.ts"
import { Transfers } from "./Transfers.ts"

/** Transfers need not pass through the router. */
export const directTransfers: Effect.Effect<DirectRoutes.DirectRoute, never, Transfers> = Effect.map(
  Transfers,
  ({ send }) =>
    DirectRoutes.of(Api, TransfersApi, TransfersApi.endpoints.createTransfer, (payload, { userId }) =>
      send(sendingOf(payload, userId, undefined)).pipe(
        Effect.map(({ transfer }) => receiptJson(transfer)),
        Effect.catchTags(answers)
      )
    )
)
