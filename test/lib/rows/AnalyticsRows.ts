import type { OperationRow } from "../OperationRows.ts"

/** The rows of analytics. */
export const analyticsRows: Readonly<Record<string, OperationRow>> = {
  "GET /v1/analytics/usage": { tenancy: "own", send: () => ({ query: { interval: "day" } }) }
}
