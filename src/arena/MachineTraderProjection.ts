import { registeredRows } from "../../engine/arena/MachineTraderRows.ts"
import type { ContextProjection } from "../database/Projection.ts"

/** The machine traders that were registered. */
export const machineTraderProjection: ContextProjection = {
  rows: { MachineTraderRegistered: registeredRows },
  answers: {}
}
