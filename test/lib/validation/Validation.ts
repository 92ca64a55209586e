import { arenaRules } from "./ArenaRules.ts"
import { botRules } from "./BotRules.ts"
import { commerceRules } from "./CommerceRules.ts"
import { identityRules } from "./IdentityRules.ts"
import { moneyRules } from "./MoneyRules.ts"
import type { ValidationTables } from "./Rule.ts"
import { webhookRules } from "./WebhookRules.ts"

/** Every table. */
export const VALIDATION: ValidationTables = {
  ...identityRules,
  ...moneyRules,
  ...commerceRules,
  ...arenaRules,
  ...botRules,
  ...webhookRules
}
