import { quotedRows, transferredRows, withdrawnRows } from "../../engine/transfers/TransferRows.ts"
import { QuoteAnswer } from "../api/Fx.ts"
import { TransferReceipt } from "../api/Transfers.ts"
import { WithdrawAnswer } from "../api/Withdrawals.ts"
import type { ContextProjection } from "../database/Projection.ts"
import { storedAs } from "../http/KeptResponse.ts"
import { toAnswer } from "./FxQuote.ts"
import { toReceipt } from "./Transfer.ts"

const storedQuote = storedAs(QuoteAnswer)
const storedReceipt = storedAs(TransferReceipt)
const storedWithdrawal = storedAs(WithdrawAnswer)

/** The rows of transfers, withdrawals and held rates. */
export const transfersProjection: ContextProjection = {
  rows: { RateQuoted: quotedRows, MoneyTransferred: transferredRows, MoneyWithdrawn: withdrawnRows },
  answers: {
    RateQuoted: ({ event }) => storedQuote(toAnswer({ ...event, used: false })),
    MoneyTransferred: ({ event }) => storedReceipt(toReceipt(event)),
    MoneyWithdrawn: ({ event: { fundId, quantity } }) => storedWithdrawal({ quantity, id: fundId })
  }
}
