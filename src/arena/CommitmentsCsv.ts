import { type Amount, format } from "../../engine/money/Amount.ts"
import { isoUtc } from "../api/Timestamp.ts"
import { csvRow } from "../http/Csv.ts"
import type { CommitmentView } from "./CommitmentRepository.ts"

/** What a row has, by the name of its column. Amounts are in USD, with a minus where they were lost. */
const COLUMNS: ReadonlyArray<readonly [string, (commitment: CommitmentView) => string | Amount]> = [
  ["created_at", ({ acceptedAt }) => isoUtc(acceptedAt)],
  ["commitment_id", ({ commitmentId }) => commitmentId],
  ["order_id", ({ orderId }) => orderId],
  ["asset_type", ({ assetType }) => assetType],
  ["bot_id", ({ botId }) => botId ?? ""],
  ["status", ({ status }) => status],
  ["loss_reason", ({ reason }) => reason ?? ""],
  ["rank", ({ rank }) => (rank === null ? "" : String(rank))],
  ["quantity", ({ quantity }) => quantity],
  ["proposed_entry_price", ({ proposedPrice }) => proposedPrice],
  ["expected_exit_price", ({ exitPrice }) => exitPrice],
  ["collateral", ({ collateral }) => collateral],
  ["profit", ({ profit }) => profit],
  ["yield_earned", ({ yieldEarned }) => yieldEarned],
  ["result", ({ profit, yieldEarned }) => (profit + yieldEarned) as Amount]
]

const text = (value: string | Amount): string => (typeof value === "string" ? value : format(value))

/** Commitments and what they earned as CSV of RFC 4180, with a header. */
export const commitmentsCsv = (commitments: ReadonlyArray<CommitmentView>): string =>
  [
    COLUMNS.map(([name]) => name),
    ...commitments.map((commitment) => COLUMNS.map(([, value]) => text(value(commitment))))
  ]
    .map(csvRow)
    .join("")
