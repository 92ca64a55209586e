import { Schema } from "effect"
import type { Amount } from "../money/Amount.ts"
import { ASSET_TYPES } from "./AssetType.ts"
import type { MachineTraderRegistered } from "./MachineTraderRegistration.ts"

const Money = Schema.BigIntFromString as unknown as Schema.Codec<Amount, string>

const MachineTraderRegisteredSchema: Schema.Codec<MachineTraderRegistered, unknown> = Schema.TaggedStruct(
  "MachineTraderRegistered",
  {
    at: Schema.Int,
    traderId: Schema.String,
    agentId: Schema.String,
    agentUri: Schema.String,
    owner: Schema.String,
    userId: Schema.String,
    walletAddress: Schema.String,
    capabilities: Schema.Array(Schema.Literals(ASSET_TYPES)),
    collateralAllocated: Money,
    model: Schema.String,
    riskTolerance: Schema.String,
    activeFrom: Schema.Int,
    granted: Schema.Boolean
  }
)

const fromJson = Schema.decodeUnknownSync(Schema.fromJsonString(MachineTraderRegisteredSchema))

/** Reads an event back from the bytes it was recorded with. Dies on bytes that no event encodes to. */
export const decodeMachineTraderRegistered = (data: string): MachineTraderRegistered => fromJson(data)
