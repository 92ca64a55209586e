import { registeredRows, retiredRows } from "../../engine/arena/MachineTraderRows.ts"
import type { ContextProjection } from "../database/Projection.ts"

/** The machine traders that were registered, and retired. */
export const machineTraderProjection: ContextProjection = {
  rows: { MachineTraderRegistered: registeredRows, MachineTraderRetired: retiredRows },
  answers: {}
}
