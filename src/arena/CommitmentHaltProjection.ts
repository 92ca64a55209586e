import { Effect } from "effect"
import { type ContextProjection, each } from "../database/Projection.ts"
import { CommitmentHaltRepository } from "./CommitmentHaltRepository.ts"

/** Writes which companies may not commit, within the transaction of the events. */
export const commitmentHaltProjection = Effect.map(CommitmentHaltRepository, ({ write }): ContextProjection => ({
  write: (events) => each(events, "CommitmentHaltSet", write),
  answers: {}
}))
