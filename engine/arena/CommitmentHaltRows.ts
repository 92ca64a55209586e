import type { Recorded } from "../actor/Journal.ts"
import { put, type TableRow } from "../journal/TableRow.ts"
import type { StateRow } from "../replay/StateTable.ts"
import type { CommitmentHaltSet } from "./CommitmentHalt.ts"

const text = (value: number | null | undefined): string | null =>
  value === null || value === undefined ? null : `${value}`

/** A row of `commitment_halts`: a company's last event is what it says. */
export const haltRow = ({ armed, companyId, deadlineAt, halted }: CommitmentHaltSet, seq: number): StateRow => ({
  table: "commitment_halts",
  values: [
    companyId,
    text(halted?.at),
    halted?.by ?? null,
    halted?.cause ?? null,
    text(deadlineAt),
    `${armed}`,
    `${seq}`
  ]
})

export const haltRows = ({ event, seq }: Recorded<CommitmentHaltSet>): ReadonlyArray<TableRow> => [
  put(haltRow(event, seq))
]
