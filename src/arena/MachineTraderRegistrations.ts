import { Context, Effect, Layer } from "effect"
import type { CommitmentStatus } from "../../engine/arena/Commitment.ts"
import { format } from "../../engine/money/Amount.ts"
import { type ApiError, refuse } from "../api/ApiError.ts"
import type { MyCommitment } from "../api/Arena.ts"
import { CurrentPrincipal } from "../api/Authorization.ts"
import type { MachineTraderRegistered, MachineTraderRegistration } from "../api/MachineTraders.ts"
import type { Page } from "../api/Paging.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import type { UnknownCursor } from "../database/Keyset.ts"
import { AuditLog } from "../identity/audit/AuditLog.ts"
import { CommitmentRepository } from "./CommitmentRepository.ts"
import {
  type AgentIdTaken,
  type InvalidRegistration,
  MachineTraders,
  type UnknownMachineTrader
} from "./MachineTraders.ts"
import { ownCommitment } from "./CommitmentObject.ts"

type Registration = typeof MachineTraderRegistration.Type

type RegistrationRefused = ApiError<"access_denied"> | AgentIdTaken | InvalidRegistration

/** What machine traders are asked in the words of the contract. Specification 4.3. */
export class MachineTraderRegistrations extends Context.Service<
  MachineTraderRegistrations,
  {
    /** Registers a machine trader for an administrator. */
    readonly register: (
      payload: Registration
    ) => Effect.Effect<typeof MachineTraderRegistered.Type, RegistrationRefused | Unavailable, CurrentPrincipal>
    /** Retires a registered machine trader for an administrator. */
    readonly retire: (
      traderId: string
    ) => Effect.Effect<
      typeof MachineTraderRegistered.Type,
      ApiError<"access_denied"> | UnknownMachineTrader | Unavailable,
      CurrentPrincipal
    >
    /** What a machine trader committed to, newest first, and how often it did. */
    readonly commitments: (
      traderId: string,
      status: CommitmentStatus | undefined,
      page: Page
    ) => Effect.Effect<
      {
        readonly commitments: ReadonlyArray<typeof MyCommitment.Type>
        readonly total: number
        readonly next: string | undefined
      },
      Unavailable | UnknownCursor
    >
  }
>()("emporion/arena/MachineTraderRegistrations") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const machines = yield* MachineTraders
      const audit = yield* AuditLog
      const { ofBot } = yield* CommitmentRepository

      const register = Effect.fn("MachineTraderRegistrations.register")(function* (payload: Registration) {
        const { role } = yield* CurrentPrincipal
        if (role !== "admin") return yield* refuse("access_denied", "Only an administrator registers machine traders.")
        const { agent_id, collateral_allocated: allocated, wallet_address: subjectId } = payload
        const after = { agent_id, collateral_allocated: format(allocated) }
        yield* audit.recordRequest({ act: "machine_trader.register", subjectId, after })
        const { id, status } = yield* machines.register(registrationOf(payload))
        return { success: true as const, message: "Machine trader registered", trader_id: id, status }
      })

      const retire = Effect.fn("MachineTraderRegistrations.retire")(function* (traderId: string) {
        const { role } = yield* CurrentPrincipal
        if (role !== "admin") return yield* refuse("access_denied", "Only an administrator retires machine traders.")
        yield* audit.recordRequest({ act: "machine_trader.retire", subjectId: traderId })
        const { id, status } = yield* machines.retire(traderId)
        return { success: true as const, message: "Machine trader retired", trader_id: id, status }
      })

      return MachineTraderRegistrations.of({
        register,
        retire,
        commitments: (botId, status, page) =>
          Effect.map(ofBot({ botId, status, ...page }), ({ commitments, ...counted }) => ({
            commitments: commitments.map(ownCommitment),
            ...counted
          }))
      })
    })
  )
}

const registrationOf = (payload: Registration) => ({
  agentId: payload.agent_id,
  agentUri: payload.agent_uri,
  walletAddress: payload.wallet_address,
  capabilities: payload.capabilities,
  collateralAllocated: payload.collateral_allocated,
  model: payload.specs.model,
  riskTolerance: payload.specs.risk_tolerance
})
