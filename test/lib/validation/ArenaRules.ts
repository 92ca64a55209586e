import { amount, oneOf, page, refuses, type ValidationTables, words } from "./Rule.ts"

/** The arena's requests. Specification 4.3. */
export const arenaRules: ValidationTables = {
  "GET /api/arena/orders ?": {
    required: [],
    rules: [
      ...oneOf("asset_type", "commodity", "gpu"),
      ...oneOf("status", "open", "competing", "settling", "settled"),
      ...page
    ]
  },
  "POST /api/arena/commitments": {
    required: ["order_id", "proposed_entry_price", "expected_exit_price", "quantity"],
    rules: [
      ...words("order_id", 1, 200),
      ...amount("proposed_entry_price"),
      ...amount("expected_exit_price"),
      ...amount("quantity"),
      ...words("swap_executor", 1, 200),
      ...amount("slippage_tolerance"),
      ...words("bot_id", 1, 200)
    ]
  },
  "GET /api/arena/commitments/my ?": {
    required: [],
    rules: [...oneOf("status", "active", "won", "lost", "settled"), ...page]
  },
  "GET /api/arena/yield/estimate ?": {
    required: ["order_value", "duration_days"],
    rules: [
      ...refuses("order_value", "Expected ", "", "-1", "8000000001", "1e3", "ten"),
      ...refuses("duration_days", "Expected an integer from 1 to 3650", "", "0", "3651", "1.5", "-1", "ten")
    ]
  },
  "POST /api/arena/machine-traders as MachineTraderRegistration": {
    required: ["agent_id", "agent_uri", "wallet_address", "capabilities", "collateral_allocated", "specs"],
    rules: [
      ...words("agent_id", 1, 200),
      ...words("agent_uri", 1, 2000),
      ...refuses("agent_uri", "Expected a URL", "nowhere"),
      ...refuses("wallet_address", "Expected 0x and 40 hexadecimal digits", "", "0x12", `0x${"g".repeat(40)}`),
      ...refuses("capabilities", "Expected ", [], ["fx", "fx", "fx", "fx", "fx"]),
      ...oneOf("capabilities.0", "commodity", "gpu"),
      ...amount("collateral_allocated"),
      ...words("specs.model", 1, 200),
      ...words("specs.risk_tolerance", 1, 200)
    ]
  },
  "GET /api/arena/leaderboard ?": {
    required: [],
    rules: [
      ...oneOf("asset_type", "commodity", "gpu"),
      ...refuses("days", "Expected an integer from 1 to 30", "", "0", "31", "1.5", "week"),
      ...refuses("limit", "Expected an integer from 1 to 100", "", "0", "101", "1.5", "all")
    ]
  },
  "GET /api/arena/candles/{asset} ?": {
    required: ["interval"],
    rules: [
      ...refuses("interval", "Expected an integer from 60 to 86400", "", "59", "86401", "60.5", "hour"),
      ...refuses("from", "Expected an ISO 8601 time", "", "2026-01-31", "yesterday"),
      ...refuses("to", "Expected an ISO 8601 time", "", "2026-01-31", "tomorrow"),
      ...page
    ]
  },
  "GET /api/arena/history ?": { required: [], rules: page },
  "GET /api/arena/machine-traders/stats ?": { required: [], rules: words("trader_id", 1, 200) }
}
