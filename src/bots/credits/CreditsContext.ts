import { Layer } from "effect"
import { CompanyCredits } from "./CompanyCredits.ts"
import * as CreditsHandlers from "./CreditsHandlers.ts"
import { CreditsRepository } from "./CreditsRepository.ts"

/** The tables that recorded events write. */
export const projected = CreditsRepository.layer

/** The services of bots' credits. */
export const services = CompanyCredits.layer.pipe(Layer.provide(CreditsRepository.layer))

/** The group of the contract that is about bots' credits. */
export const handlers = CreditsHandlers.layer
