import { Layer } from "effect"
import { type Module, nothing } from "../Module.ts"
import { Kyc } from "./Kyc.ts"
import * as KycDecisions from "./KycDecisions.ts"
import * as KycHandlers from "./KycHandlers.ts"
import { KycRepository } from "./KycRepository.ts"
import { sealedKeys } from "./KycSeal.ts"

/** What identity asks about KYC records. */
export const records = KycDecisions.layer.pipe(Layer.provideMerge(KycRepository.layer))

/** Who somebody is, by documents. */
export const module = {
  ...nothing,
  sealed: [sealedKeys],
  personal: [{ table: "kyc_records", subject: "user_id" }],
  services: Kyc.layer.pipe(Layer.provide(KycRepository.layer)),
  handlers: KycHandlers.layer
} satisfies Module
