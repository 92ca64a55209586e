import type { Migration } from "../Migration.ts"
import { ledger } from "./0001_ledger.ts"
import { identity } from "./0002_identity.ts"
import { arena } from "./0003_arena.ts"
import { http } from "./0004_http.ts"
import { funds } from "./0005_funds.ts"
import { stream } from "./0006_stream.ts"
import { sessions } from "./0007_sessions.ts"
import { accounts } from "./0008_accounts.ts"
import { providers } from "./0009_providers.ts"
import { accountKinds } from "./0010_account_kinds.ts"
import { managedCompanies } from "./0011_managed_companies.ts"
import { analytics } from "./0012_analytics.ts"
import { kyc } from "./0013_kyc.ts"
import { transferTables } from "./0014_transfers.ts"
import { credit } from "./0015_credit.ts"
import { subscriptionsContext } from "./0016_subscriptions.ts"
import { paymentTables } from "./0017_payments.ts"
import { catalog } from "./0018_catalog.ts"
import { purchaseOrders } from "./0019_purchase_orders.ts"
import { orderLines } from "./0020_order_lines.ts"
import { ledgerBaskets } from "./0021_ledger_baskets.ts"
import { signInPlaces } from "./0033_sign_in_places.ts"
import { deliveryReferences } from "./0032_delivery_references.ts"
import { eventStorage } from "./0022_event_storage.ts"
import { botTables } from "./0023_bots.ts"
import { evaluationBudgets } from "./0024_evaluation_budgets.ts"
import { orderParts } from "./0025_order_parts.ts"
import { leanChecks } from "./0026_lean_checks.ts"
import { setReferences } from "./0027_set_references.ts"
import { basketReferences } from "./0029_basket_references.ts"
import { commitmentReferences } from "./0028_commitment_references.ts"
import { webhookTables } from "./0030_webhooks.ts"
import { commitmentHalts } from "./0036_commitment_halts.ts"
import { journal } from "./0037_journal.ts"
import { claims } from "./0040_claims.ts"
import { companyOutbox } from "./0031_company_outbox.ts"
import { writerTerm } from "./0034_writer_term.ts"
import { makerDiscount } from "./0035_maker_discount.ts"
import { paymentSchedule } from "./0039_payment_schedule.ts"
import { companyVerifications } from "./0042_company_verifications.ts"
import { journalAnswers } from "./0044_journal_answers.ts"
import { auditEvents } from "./0043_audit_events.ts"
import { machineTraderOwners } from "./0038_machine_trader_owners.ts"
import { webhookHealth } from "./0041_webhook_health.ts"
import { projection } from "./0045_projection.ts"
import { projectedReferences } from "./0046_projected_references.ts"
import { packedJournal } from "./0047_packed_journal.ts"
import { leanIndexes } from "./0048_lean_indexes.ts"
import { productMetadata } from "./0049_product_metadata.ts"
import { webhookMetadata } from "./0050_webhook_metadata.ts"
import { subscriptionMetadata } from "./0051_subscription_metadata.ts"
import { transferMetadata } from "./0052_transfer_metadata.ts"
import { clusterWriter } from "./0053_cluster_writer.ts"
import { orderMetadata } from "./0054_order_metadata.ts"
import { paymentMetadata } from "./0055_payment_metadata.ts"
import { streamTickets } from "./0056_stream_tickets.ts"
import { arenaHistory } from "./0057_arena_history.ts"
import { longEntries } from "./0058_long_entries.ts"
import { retention } from "./0059_retention.ts"
import { requestLog } from "./0060_request_log.ts"
import { retainedRoom } from "./0061_retained_room.ts"
import { personErasures } from "./0062_erasures.ts"
import { sealedContacts } from "./0063_sealed_contacts.ts"
import { strategyModules } from "./0064_strategy_modules.ts"
import { journalArchives } from "./0065_journal_archives.ts"
import { sealedTexts } from "./0066_sealed_texts.ts"
import { metadataKeepers } from "./0067_metadata_keepers.ts"
import { priceListCustomers } from "./0068_price_list_customers.ts"
import { sandboxClock } from "./0069_sandbox_clock.ts"
import { earlierSecrets } from "./0070_earlier_secrets.ts"
import { refundAttempts } from "./0071_refund_attempts.ts"
import { overdueOrders } from "./0072_overdue_orders.ts"
import { rotatedClients } from "./0073_rotated_clients.ts"

/** Every migration, in order. A new one is a file `NNNN_name.ts` beside this one and a line here. */
export const registry: ReadonlyArray<Migration> = [
  ledger,
  identity,
  arena,
  http,
  funds,
  stream,
  sessions,
  accounts,
  providers,
  accountKinds,
  managedCompanies,
  analytics,
  kyc,
  transferTables,
  credit,
  subscriptionsContext,
  paymentTables,
  catalog,
  purchaseOrders,
  orderLines,
  ledgerBaskets,
  eventStorage,
  botTables,
  evaluationBudgets,
  orderParts,
  leanChecks,
  setReferences,
  commitmentReferences,
  basketReferences,
  webhookTables,
  companyOutbox,
  deliveryReferences,
  signInPlaces,
  writerTerm,
  makerDiscount,
  commitmentHalts,
  journal,
  machineTraderOwners,
  paymentSchedule,
  claims,
  webhookHealth,
  companyVerifications,
  auditEvents,
  journalAnswers,
  projection,
  projectedReferences,
  packedJournal,
  leanIndexes,
  productMetadata,
  webhookMetadata,
  subscriptionMetadata,
  transferMetadata,
  clusterWriter,
  orderMetadata,
  paymentMetadata,
  streamTickets,
  arenaHistory,
  longEntries,
  retention,
  requestLog,
  retainedRoom,
  personErasures,
  sealedContacts,
  strategyModules,
  journalArchives,
  sealedTexts,
  metadataKeepers,
  priceListCustomers,
  sandboxClock,
  earlierSecrets,
  refundAttempts,
  overdueOrders,
  rotatedClients
]
