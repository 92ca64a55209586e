import { haltRows } from "../../engine/arena/CommitmentHaltRows.ts"
import type { ContextProjection } from "../database/Projection.ts"

/** Which companies may not commit. */
export const commitmentHaltProjection: ContextProjection = { rows: { CommitmentHaltSet: haltRows }, answers: {} }
