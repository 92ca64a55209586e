import { Schema } from "effect"
import type { VaultDepositsSet } from "./VaultDeposits.ts"

const VaultDepositsSetSchema: Schema.Codec<VaultDepositsSet, unknown> = Schema.TaggedStruct("VaultDepositsSet", {
  at: Schema.Int,
  closed: Schema.Boolean
})

const fromJson = Schema.decodeUnknownSync(Schema.fromJsonString(VaultDepositsSetSchema))

/** Reads an event back from the bytes it was recorded with. Dies on bytes that no event encodes to. */
export const decodeVaultDeposits = (data: string): VaultDepositsSet => fromJson(data)
