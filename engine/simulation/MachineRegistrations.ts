/** What administrators do with a simulation's machine traders. */

import type { Batch } from "../actor/Journal.ts"
import { ASSET_TYPES } from "../arena/AssetType.ts"
import {
  machineTraderStream,
  type MachineTraderEvent,
  registrationEntry,
  retirementEntry
} from "../arena/MachineTraderRegistration.ts"
import { ZERO } from "../money/Amount.ts"
import type { PatientJournal } from "./PatientJournal.ts"
import type { TraderPlan } from "./Scenario.ts"
import type { VirtualClock } from "./VirtualClock.ts"

export interface MachineRegistrationsParts {
  readonly clock: VirtualClock
  readonly writer: PatientJournal
  readonly traders: ReadonlyArray<TraderPlan>
}

/** The id of a trader that is a machine. */
export const machineIdOf = ({ index }: Pick<TraderPlan, "index">): string => `mtr_${index}`

/** Puts the registrations and retirements of machine traders on their way. */
export const planRegistrations = ({ clock, traders, writer }: MachineRegistrationsParts): void => {
  for (const trader of traders) {
    const { registered } = trader
    if (registered === undefined || trader.type !== "machine") continue
    clock.schedule(registered.at, () => writer.write([registrationOf(trader, clock.currentTimeMillisUnsafe())]))
    if (registered.retiredAt === undefined) continue
    clock.schedule(registered.retiredAt, () => writer.write([retirementOf(trader, clock.currentTimeMillisUnsafe())]))
  }
}

const registrationOf = (trader: TraderPlan, at: number): Batch<MachineTraderEvent> => {
  const { allowance, id: userId, owner } = trader
  const traderId = machineIdOf(trader)
  const entry = registrationEntry({
    at,
    traderId,
    agentId: `agent_${traderId}`,
    agentUri: `https://example.com/${traderId}`,
    owner,
    userId,
    walletAddress: `0x${userId}`,
    capabilities: ASSET_TYPES,
    collateralAllocated: allowance ?? ZERO,
    model: "",
    riskTolerance: "",
    activeFrom: at,
    granted: true
  })
  return { stream: machineTraderStream(traderId), version: 0, entries: [entry] }
}

const retirementOf = (trader: TraderPlan, at: number): Batch<MachineTraderEvent> => {
  const traderId = machineIdOf(trader)
  return { stream: machineTraderStream(traderId), version: 1, entries: [retirementEntry({ at, traderId })] }
}
