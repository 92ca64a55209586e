import { Effect, Layer } from "effect"
import { type Module, nothing } from "../../Module.ts"
import { CompanyCredits } from "./CompanyCredits.ts"
import * as CreditsHandlers from "./CreditsHandlers.ts"
import { creditsProjection } from "./CreditsProjection.ts"
import { CreditsRepository } from "./CreditsRepository.ts"
import * as MonthlyCreditExpiry from "./MonthlyCreditExpiry.ts"

/** What bots evaluate with. */
export const module = {
  ...nothing,
  rows: Effect.all([creditsProjection]),
  tables: CreditsRepository.layer,
  services: CompanyCredits.layer.pipe(Layer.provide(CreditsRepository.layer)),
  handlers: CreditsHandlers.layer,
  background: MonthlyCreditExpiry.layer
} satisfies Module
