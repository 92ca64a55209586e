import { Effect, Layer } from "effect"
import { type Module, nothing } from "../Module.ts"
import { Funds } from "./Funds.ts"
import * as FundsHandlers from "./FundsHandlers.ts"
import { fundsProjection } from "./FundsProjection.ts"
import { FundsRepository } from "./FundsRepository.ts"
import { fundsRpcs } from "./FundsRpcs.ts"
import { LedgerAudit } from "./LedgerAudit.ts"
import { LedgerAuditRepository } from "./LedgerAuditRepository.ts"
import { Statements } from "./Statements.ts"

/** Who has how much of what. */
export const module = {
  ...nothing,
  rows: Effect.all([fundsProjection]),
  services: Layer.mergeAll(
    Statements.layer.pipe(Layer.provideMerge(Funds.layer)),
    LedgerAudit.layer.pipe(Layer.provide(LedgerAuditRepository.layer))
  ).pipe(Layer.provideMerge(FundsRepository.layer)),
  handlers: FundsHandlers.layer,
  rpcs: fundsRpcs
} satisfies Module
