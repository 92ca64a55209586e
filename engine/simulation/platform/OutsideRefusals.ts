/** The refusals of services that no simulation plays: their checks stand before the engine's, and are tested there. */

/** Why nobody in a simulation is told the refusals of a folder or a file, by its path. */
export const OUTSIDE_REFUSALS: Readonly<Record<string, string>> = {
  "src/analytics/": "figures are read of tables, and nothing is decided by them",
  "src/arena/MachineTraders.ts":
    "what an administrator registers is checked before it is decided: agents of a simulation have ids of their own",
  "src/bots/BotDecisions.ts": "a list of decisions is read of tables",
  "src/bots/BotError.ts":
    "whose a bot is, and what a plan gives, is known by sign-in: what an account does not cover the ledger refuses here too",
  "src/bots/credits/":
    "what is no whole cents is refused as it is read: what an account does not cover the ledger refuses here too",
  "src/bots/programs/": "no module's file is read: a simulation's modules are its own",
  "src/commerce/CommerceError.ts":
    "a product, an order or a price list that is not there, or is not the caller's, is answered before the engine is asked",
  "src/credit/CreditError.ts": "a profile is read of tables",
  "src/database/MetadataColumn.ts": "a list that is filtered by metadata is read of tables",
  "src/erasure/": "nobody of a simulation has a name that could be forgotten",
  "src/funds/": "a simulation's money is minted by the house, which has no limits",
  "src/identity/": "nobody signs in: who asks is known",
  "src/kyc/": "nobody's papers are looked at",
  "src/payments/PaymentsError.ts":
    "an order, a payment or a provider that is not there is answered before the engine is asked",
  "src/requests/": "the log of requests is one of HTTP",
  "src/subscriptions/SubscriptionError.ts":
    "a subscription or a product that is not there is answered before the engine is asked",
  "src/transfers/": "accounts at banks and people to send to are named by sign-in and by forms",
  "src/webhooks/WebhookError.ts":
    "an address, a webhook or a delivery that is not there is answered before the engine is asked"
}
