import { Schema } from "effect"
import { quotedRows, transferredRows, withdrawnRows } from "../../engine/transfers/TransferRows.ts"
import { WithdrawAnswer } from "../api/Withdrawals.ts"
import type { ContextProjection } from "../database/Projection.ts"
import { quoteJson } from "./FxQuote.ts"
import { receiptJson } from "./Transfer.ts"

const withdrawJson = Schema.encodeSync(Schema.fromJsonString(WithdrawAnswer))

/** The rows of transfers, withdrawals and held rates. */
export const transfersProjection: ContextProjection = {
  rows: { RateQuoted: quotedRows, MoneyTransferred: transferredRows, MoneyWithdrawn: withdrawnRows },
  answers: {
    RateQuoted: ({ event }) => ({ status: 200, body: quoteJson(event) }),
    MoneyTransferred: ({ event }) => ({ status: 200, body: receiptJson(event) }),
    MoneyWithdrawn: ({ event: { fundId, quantity } }) => ({
      status: 200,
      body: withdrawJson({ quantity, id: fundId })
    })
  }
}
