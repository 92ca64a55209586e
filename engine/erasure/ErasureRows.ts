import type { Recorded } from "../actor/Journal.ts"
import { ensure, type TableRow } from "../journal/TableRow.ts"
import type { UserErased } from "./ErasureEvent.ts"

/** An erasure in the audit log. What it forgot is gone beside the journal. */
export const erasureRows = ({ event, seq }: Recorded<UserErased>): ReadonlyArray<TableRow> => {
  const { at, by, companyErased, userId } = event
  const after = JSON.stringify({ company_erased: companyErased })
  return [
    ensure({
      table: "audit_log",
      values: [`${seq}`, `${at}`, by.userId, "user.erase", userId, null, after, by.requestId]
    })
  ]
}
