import type { CommitmentHalt } from "../../engine/arena/CommitmentHalt.ts"

const success = true as const

/** A company's kill switch as it is answered. */
export const killSwitchResponse = ({ armed, deadlineAt, halted }: CommitmentHalt) => ({
  success,
  halted: halted !== null,
  halted_at: halted?.at ?? null,
  halted_by: halted?.by ?? null,
  cause: halted?.cause ?? null,
  halts_at: deadlineAt,
  cancel_on_disconnect: armed
})
