import { registrationEntry } from "../../engine/arena/MachineTraderRegistration.ts"
import { fromUnits } from "../../engine/money/Amount.ts"

/** A machine trader of the company `owner` is registered for `fx` at a time, with its allowance. */
export const registered = (traderId: string, owner: string, at: number) =>
  registrationEntry({
    at,
    traderId,
    agentId: traderId,
    agentUri: "",
    owner,
    userId: `usr_${owner}`,
    walletAddress: "0x1",
    capabilities: ["fx"],
    collateralAllocated: fromUnits(5n),
    model: "",
    riskTolerance: "",
    activeFrom: at,
    granted: true
  }).event

/** It is retired. */
export const retired = (traderId: string, at: number) => ({ _tag: "MachineTraderRetired", at, traderId }) as const
