import type { SimulationResult } from "../../engine/simulation/SimulationResult.ts"
import { reportData } from "./ReportData.ts"
import { reportShell } from "./ReportShell.ts"

/**
 * A simulation as one page that needs no other file: prices, competition, collateral, yield and profit.
 *
 * @param result - with the prices of its orders
 * @param command - what runs the same simulation again
 */
export const simulationReport = (result: SimulationResult, command: string): Promise<string> =>
  reportShell("ReportPage.ts", `Simulation ${result.seed}`, reportData(result, command))
