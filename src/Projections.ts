import { Effect, Layer } from "effect"
import { arenaProjection } from "./arena/ArenaProjection.ts"
import { LockedCommitmentsRepository } from "./arena/LockedCommitmentsRepository.ts"
import { commitmentHaltProjection } from "./arena/CommitmentHaltProjection.ts"
import { machineTraderProjection } from "./arena/MachineTraderProjection.ts"
import { botProjection } from "./bots/BotProjection.ts"
import * as BotsContext from "./bots/BotsContext.ts"
import * as CreditsContext from "./bots/credits/CreditsContext.ts"
import { creditsProjection } from "./bots/credits/CreditsProjection.ts"
import * as CommerceContext from "./commerce/CommerceContext.ts"
import { commerceProjection } from "./commerce/CommerceProjection.ts"
import { creditProjection } from "./credit/CreditProjection.ts"
import { Projection } from "./database/Projection.ts"
import { ProjectedStreams } from "./database/ProjectedStreams.ts"
import { RowWriter } from "./database/RowWriter.ts"
import { fundsProjection } from "./funds/FundsProjection.ts"
import { companyProjection } from "./identity/companies/CompanyProjection.ts"
import * as PaymentsContext from "./payments/PaymentsContext.ts"
import { paymentsProjection } from "./payments/PaymentsProjection.ts"
import { subscriptionProjection } from "./subscriptions/SubscriptionProjection.ts"
import { transfersProjection } from "./transfers/TransfersProjection.ts"
import { webhookProjection } from "./webhooks/WebhookProjection.ts"

/** What the contexts make of recorded events. */
export const layer = Layer.effect(
  Projection,
  Effect.zipWith(
    Effect.all([
      arenaProjection,
      Effect.succeed(commitmentHaltProjection),
      Effect.succeed(machineTraderProjection),
      fundsProjection,
      Effect.succeed(companyProjection),
      Effect.succeed(creditProjection),
      Effect.succeed(transfersProjection),
      commerceProjection,
      paymentsProjection,
      subscriptionProjection,
      botProjection,
      creditsProjection,
      webhookProjection
    ]),
    RowWriter,
    Projection.composed
  )
).pipe(
  Layer.provide(
    Layer.mergeAll(
      LockedCommitmentsRepository.layer,
      RowWriter.layer,
      ProjectedStreams.layer,
      CommerceContext.projected,
      BotsContext.projected,
      CreditsContext.projected,
      PaymentsContext.projected
    )
  )
)
