import type { Migration } from "../Migration.ts"

const causesWith = (...more: ReadonlyArray<string>): string =>
  ["credits_gone", "loss_limit", "breaker_open", "plan_downgraded", ...more].map((cause) => `'${cause}'`).join(", ")

/** The module that decides for a bot, and what it failed with while the bot is suspended for that. */
export const strategyModules: Migration = {
  id: 64,
  name: "strategy_modules",
  allowed: "The version before goes on writing the causes that it knows, all of which the new check takes.",
  up: [
    "ALTER TABLE bots ADD COLUMN strategy_module text",
    "ALTER TABLE bots ADD COLUMN module_failure text",
    "ALTER TABLE bots DROP CONSTRAINT bots_cause_check",
    `ALTER TABLE bots ADD CONSTRAINT bots_cause_check CHECK (cause IN (${causesWith("module_failed")})) NOT VALID`
  ],
  // Refused by PostgreSQL where a module has failed, which only this version knows.
  down: [
    "ALTER TABLE bots DROP CONSTRAINT bots_cause_check",
    `ALTER TABLE bots ADD CONSTRAINT bots_cause_check CHECK (cause IN (${causesWith()}))`,
    "ALTER TABLE bots DROP COLUMN module_failure",
    "ALTER TABLE bots DROP COLUMN strategy_module"
  ]
}
