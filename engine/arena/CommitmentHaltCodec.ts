import { Schema } from "effect"
import { HALT_CAUSES, type CommitmentHaltSet } from "./CommitmentHalt.ts"

const by = Schema.NullOr(Schema.String)

const CommitmentHaltSetSchema: Schema.Codec<CommitmentHaltSet, unknown> = Schema.TaggedStruct("CommitmentHaltSet", {
  at: Schema.Int,
  by,
  companyId: Schema.String,
  act: Schema.Literals(["halt", "resume", "deadline", "arm"]),
  cause: Schema.NullOr(Schema.Literals(HALT_CAUSES)),
  halted: Schema.NullOr(Schema.Struct({ at: Schema.Int, by, cause: Schema.Literals(HALT_CAUSES) })),
  deadlineAt: Schema.NullOr(Schema.Int),
  armed: Schema.Boolean
})

const fromJson = Schema.decodeUnknownSync(Schema.fromJsonString(CommitmentHaltSetSchema))

/** Reads an event back from the bytes it was recorded with. Dies on bytes that no event encodes to. */
export const decodeCommitmentHalt = (data: string): CommitmentHaltSet => fromJson(data)
