import { Effect } from "effect"
import { format } from "../../engine/money/Amount.ts"
import { refuse } from "../api/ApiError.ts"
import { CurrentPrincipal } from "../api/Authorization.ts"
import type { MachineTraderRegistration } from "../api/MachineTraders.ts"
import { AuditLog } from "../identity/AuditLog.ts"
import { MachineTraders } from "./MachineTraders.ts"

/** Registers a machine trader for an administrator. Specification 4.3, POST /api/arena/machine-traders. */
export const registered = Effect.fn("MachineTraders.registered")(function* (
  payload: typeof MachineTraderRegistration.Type
) {
  const machines = yield* MachineTraders
  const audit = yield* AuditLog
  const { role } = yield* CurrentPrincipal
  if (role !== "admin") return yield* refuse("access_denied", "Only an administrator registers machine traders.")
  const { agent_id, collateral_allocated: allocated, wallet_address: subjectId } = payload
  const after = { agent_id, collateral_allocated: format(allocated) }
  yield* audit.recordRequest({ act: "machine_trader.register", subjectId, after })
  const trader = yield* machines
    .register({
      agentId: payload.agent_id,
      agentUri: payload.agent_uri,
      walletAddress: payload.wallet_address,
      capabilities: payload.capabilities,
      collateralAllocated: payload.collateral_allocated,
      model: payload.specs.model,
      riskTolerance: payload.specs.risk_tolerance
    })
    .pipe(
      Effect.catchTags({
        AgentIdTaken: () => refuse("conflict", `Agent ${payload.agent_id} is registered already.`),
        InvalidRegistration: (error) => refuse("unprocessable", `payload.${error.field}: Expected ${error.expected}`)
      })
    )
  return { success: true as const, message: "Machine trader registered", trader_id: trader.id, status: trader.status }
})
