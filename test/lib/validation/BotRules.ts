import { amount, cannotHave, oneOf, page, refuses, type Rule, type ValidationTables, words } from "./Rule.ts"

const body = {
  name: "Scalper",
  capabilities: ["fx"],
  strategy: { riskPreset: "balanced", maxCollateralPerTrade: 50 }
}

const custom = {
  riskPreset: "custom",
  riskLevel: 0.5,
  maxLossPct: 10,
  minRoiPct: 5,
  maxCollateralPerTrade: 50
}

/** A custom strategy with another value in one place cannot be followed. */
const unfollowed = (name: string, expected: string, ...values: ReadonlyArray<unknown>): ReadonlyArray<Rule> =>
  cannotHave(
    "strategy",
    `payload.strategy.${name}: Expected ${expected}`,
    ...values.map((value) => ({ ...custom, [name]: value }))
  )

/** Specification 2.18. */
const strategy: ReadonlyArray<Rule> = [
  ...oneOf("strategy.riskPreset", "conservative", "custom"),
  ...amount("strategy.riskLevel"),
  ...amount("strategy.maxLossPct"),
  ...amount("strategy.minRoiPct"),
  ...amount("strategy.maxCollateralPerTrade"),
  ...refuses("strategy", "payload.strategy.riskPreset: Expected a value", { maxCollateralPerTrade: 50 }),
  ...refuses("strategy", "payload.strategy.maxCollateralPerTrade: Expected a value", { riskPreset: "balanced" })
]

const profile: ReadonlyArray<Rule> = [
  ...words("name", 1, 100),
  ...refuses("capabilities", "Expected ", [], ["commodity", "fx", "options", "gpu", "fx"]),
  ...refuses("capabilities", "Expected asset types that differ", ["fx", "fx"]),
  ...oneOf("capabilities.0", "commodity", "gpu"),
  ...strategy,
  ...refuses("credit_budget", "Expected ", -1, 100_000_001, 1.5),
  ...refuses("auto_topup_enabled", "Expected boolean", null, "true", 1),
  ...refuses("strategy_module", "Expected a file's name such as my.ts", "../my.ts", "/my.ts", "my.json", ".ts"),
  ...refuses("strategy_module", "Expected ", 1, `${"x".repeat(101)}.ts`)
]

/** Strategies that no bot can follow, and modules that there are not: tried where no plan or wallet is asked for first. */
const unfollowable: ReadonlyArray<Rule> = [
  ...unfollowed("riskLevel", "from 0 to 1", undefined, 1.000_001),
  ...unfollowed("maxLossPct", "a percentage above 0, at most 100", undefined, 0, 100.000_001),
  ...unfollowed("minRoiPct", "a percentage from 0 to 100", undefined, 100.000_001),
  ...unfollowed("maxCollateralPerTrade", "a positive amount", 0),
  ...cannotHave("strategy", "payload.strategy.riskLevel: Expected from 0 to 1", {
    ...custom,
    riskPreset: "balanced",
    riskLevel: 1.1
  }),
  ...cannotHave("strategy_module", "payload.strategy_module: This server runs no modules of bots", "my.ts")
]

const ONE = "/api/arena/machine-traders/{bot_id}"

const moved = {
  required: ["amount"],
  rules: [...amount("amount"), ...refuses("amount", "Expected more than 0", 0)]
}

/** The requests of bots. Specification 4.4. */
export const botRules: ValidationTables = {
  "POST /api/arena/machine-traders as BotCreation": {
    required: ["name", "capabilities", "strategy"],
    body,
    rules: [...profile, ...amount("collateral_amount")]
  },
  "GET /api/arena/machine-traders ?": {
    required: [],
    rules: [...oneOf("status", "inactive", "active", "paused", "suspended", "terminated"), ...page]
  },
  [`PATCH ${ONE}`]: { required: [], body, rules: [...profile, ...unfollowable] },
  [`POST ${ONE}/fund`]: moved,
  [`POST ${ONE}/withdraw`]: moved,
  [`GET ${ONE}/commitments ?`]: {
    required: [],
    rules: [...oneOf("status", "active", "won", "lost", "settled"), ...page]
  },
  [`POST ${ONE}/topup`]: {
    required: ["dollar_amount"],
    rules: [
      ...amount("dollar_amount"),
      ...refuses("dollar_amount", "Expected more than 0", 0),
      ...cannotHave("dollar_amount", "Expected whole cents, more than 0 and at most 1000000", 0.001, 1_000_000.01)
    ]
  },
  [`GET ${ONE}/usage ?`]: { required: [], rules: page },
  [`POST ${ONE}/evaluate`]: { required: ["order_id"], rules: words("order_id", 1, 200) }
}
