import { Schema } from "effect"
import type { Entry } from "../actor/Journal.ts"
import type { Command } from "../ledger/Command.ts"
import { grantLossAllowance, lossAllowanceOf } from "../ledger/LossLimit.ts"
import { Amount } from "../money/Amount.ts"
import { ASSET_TYPES } from "./AssetType.ts"
import { eventDecoder } from "../actor/EventBytes.ts"

/** An administrator registered a machine trader that is no bot. Specification 4.3. */
export const MachineTraderRegistered = Schema.TaggedStruct("MachineTraderRegistered", {
  at: Schema.Int,
  traderId: Schema.String,
  /** The agent's own id. */
  agentId: Schema.String,
  agentUri: Schema.String,
  /** The company of the user that had the wallet then. */
  owner: Schema.String,
  userId: Schema.String,
  walletAddress: Schema.String,
  capabilities: Schema.Array(Schema.Literals(ASSET_TYPES)),
  /** What it may lose, in 10⁻⁶ USD. */
  collateralAllocated: Amount,
  model: Schema.String,
  riskTolerance: Schema.String,
  /** Since when it is active. */
  activeFrom: Schema.Int,
  /** Whether it is given its allowance with this. One that was registered before this was recorded has it already. */
  granted: Schema.Boolean
})
export type MachineTraderRegistered = typeof MachineTraderRegistered.Type

/** An administrator retired a registered machine trader for good. What it committed to before is decided as usual. */
export const MachineTraderRetired = Schema.TaggedStruct("MachineTraderRetired", {
  at: Schema.Int,
  traderId: Schema.String
})
export type MachineTraderRetired = typeof MachineTraderRetired.Type

/** What happens to machine traders that are no bots. */
export const MachineTraderEvent = Schema.Union([MachineTraderRegistered, MachineTraderRetired])
export type MachineTraderEvent = typeof MachineTraderEvent.Type

/** Reads an event back from the bytes it was recorded with. Dies on bytes that no event encodes to. */
export const decodeMachineTraderRegistered = eventDecoder(MachineTraderRegistered)

/** What the ids of bots begin with, each of which is its own agent's. */
const BOT_IDS = "bot_"

/** Whether only a bot can have the agent's id. */
export const isReservedAgentId = (agentId: string): boolean => agentId.startsWith(BOT_IDS)

/** Where a machine trader's registration is recorded. */
export const machineTraderStream = (traderId: string): string => `machine-trader/${traderId}`

/** What the ledger does for a registration. */
export const registrationCommands = ({
  collateralAllocated,
  granted,
  traderId
}: MachineTraderRegistered): ReadonlyArray<Command> =>
  granted ? [grantLossAllowance(traderId, collateralAllocated)] : []

/** The registration as it is recorded. */
export const registrationEntry = (
  registration: Omit<MachineTraderRegistered, "_tag">
): Entry<MachineTraderRegistered> => {
  const event = { _tag: "MachineTraderRegistered", ...registration } as const
  return { commands: registrationCommands(event), event }
}

/** What the ledger does for a retirement: from then on it refuses the trader's commitments, whoever decides them. */
export const retirementCommands = ({ traderId }: Pick<MachineTraderRetired, "traderId">): ReadonlyArray<Command> => [
  { _tag: "Close", account: lossAllowanceOf(traderId) }
]

/** The retirement as it is recorded. */
export const retirementEntry = (retirement: Omit<MachineTraderRetired, "_tag">): Entry<MachineTraderRetired> => {
  const event = { _tag: "MachineTraderRetired", ...retirement } as const
  return { commands: retirementCommands(event), event }
}
