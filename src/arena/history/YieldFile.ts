import { toNumber } from "../../../engine/money/Amount.ts"
import { type YIELD_FILES } from "../../api/ArenaHistory.ts"
import { isoUtc } from "../../api/Timestamp.ts"
import { csvRow } from "../../http/Csv.ts"
import { cellOf, type FileForm, jsonLines } from "./FileForm.ts"
import type { ReleasedYield } from "./YieldRepository.ts"

/** The columns of yields. The shares sum to what the collateral earned. */
export const YIELD_COLUMNS = [
  "order_id",
  "commitment_id",
  "released_at",
  "trader_share",
  "insurance_share",
  "platform_share",
  "token_holder_share"
] as const

const wireOf = (paid: ReleasedYield): Readonly<Record<(typeof YIELD_COLUMNS)[number], string | number>> => ({
  order_id: paid.orderId,
  commitment_id: paid.commitmentId,
  released_at: isoUtc(paid.releasedAt),
  trader_share: toNumber(paid.trader),
  insurance_share: toNumber(paid.insurance),
  platform_share: toNumber(paid.platform),
  token_holder_share: toNumber(paid.tokenHolders)
})

const rowOf = (paid: ReleasedYield): string => {
  const wire = wireOf(paid)
  return csvRow(YIELD_COLUMNS.map((name) => cellOf(wire[name])))
}

/** The files of yields. */
export const YIELD_FORMS: Readonly<Record<(typeof YIELD_FILES)[number], FileForm<ReleasedYield>>> = {
  "yields.jsonl": jsonLines(wireOf),
  "yields.csv": { head: csvRow([...YIELD_COLUMNS]), linesOf: (yields) => yields.map(rowOf).join("") }
}
