import type { Entry } from "../actor/Journal.ts"
import type { Command } from "../ledger/Command.ts"
import { grantLossAllowance } from "../ledger/Funding.ts"
import type { Amount } from "../money/Amount.ts"
import type { AssetType } from "./AssetType.ts"

/** An administrator registered a machine trader that is no bot. Specification 4.3. */
export interface MachineTraderRegistered {
  readonly _tag: "MachineTraderRegistered"
  readonly at: number
  readonly traderId: string
  /** The agent's own id. */
  readonly agentId: string
  readonly agentUri: string
  /** The company of the user that had the wallet then. */
  readonly owner: string
  readonly userId: string
  readonly walletAddress: string
  readonly capabilities: ReadonlyArray<AssetType>
  /** What it may lose, in 10⁻⁶ USD. */
  readonly collateralAllocated: Amount
  readonly model: string
  readonly riskTolerance: string
  /** Since when it is active. */
  readonly activeFrom: number
  /** Whether it is given its allowance with this. One that was registered before this was recorded has it already. */
  readonly granted: boolean
}

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
