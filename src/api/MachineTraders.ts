import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ASSET_TYPES } from "../../engine/arena/AssetType.ts"
import { arenaWire } from "./ApiError.ts"
import { anyWrite, Authorization, authenticated, Policy } from "./Authorization.ts"
import { AmountFromNumber as Money, SignedAmount } from "./Money.ts"
import { optional } from "./Optional.ts"
import { text } from "./Text.ts"

const Yes = Schema.Literal(true)
const AssetType = Schema.Literals(ASSET_TYPES)
const Fraction = Schema.Finite.annotate({ description: "A fraction: 0.05 is 5 %." })

/** Longest id or name in a request. */
const MAX_TEXT = 200
const Text = text(1, MAX_TEXT)

/** An administrator's registration of a machine trader. Specification 4.3. */
export const MachineTraderRegistration = Schema.Struct({
  agent_id: Text,
  agent_uri: text(1, 2_000).check(Schema.makeFilter((text: string) => URL.canParse(text) || "Expected a URL")),
  wallet_address: Schema.String.check(
    Schema.isPattern(/^0x[0-9a-fA-F]{40}$/, { expected: "0x and 40 hexadecimal digits" })
  ),
  capabilities: Schema.Array(AssetType).check(Schema.isMinLength(1), Schema.isMaxLength(ASSET_TYPES.length)),
  collateral_allocated: Money,
  specs: Schema.Struct({ model: Text, risk_tolerance: Text })
}).annotate({ identifier: "MachineTraderRegistration" })

/** The answer of a registration. */
export const MachineTraderRegistered = Schema.Struct({
  success: Yes,
  message: Schema.String,
  trader_id: Schema.String,
  status: Schema.String
}).annotate({ identifier: "MachineTraderRegistered" })

const machineStats = HttpApiEndpoint.get("machineTraderStats", "/machine-traders/stats", {
  query: { trader_id: optional(Text) },
  success: Schema.Struct({
    success: Yes,
    stats: Schema.Struct({
      total_traders: Schema.Int,
      active_traders: Schema.Int,
      total_commitments: Schema.Int,
      win_rate: Fraction,
      avg_profit_per_trade: SignedAmount,
      traders: Schema.Array(
        Schema.Struct({
          trader_id: Schema.String,
          agent_id: Schema.String,
          status: Schema.String,
          total_commitments: Schema.Int,
          commitments_won: Schema.Int,
          win_rate: Fraction,
          total_profit: SignedAmount
        })
      )
    })
  }),
  error: arenaWire("not_found")
}).annotateMerge(OpenApi.annotations({ summary: "What machine traders committed, won and earned" }))

const retire = HttpApiEndpoint.post("retireMachineTrader", "/machine-traders/:trader_id/retire", {
  params: { trader_id: text(1, 64) },
  success: MachineTraderRegistered,
  error: [arenaWire("access_denied"), arenaWire("not_found")]
})
  .annotateMerge(
    OpenApi.annotations({
      summary: "Retire a registered machine trader for good (administrators)",
      description:
        "From its answer on no commitment of it is accepted; what it committed to before is decided as usual. Its agent_id " +
        "stays taken. One that is retired already stays so. A bot is none: its company terminates it."
    })
  )
  .annotate(Policy, anyWrite)

/** What machine traders did. Specification 4.3. They are registered where bots are made. */
export class MachineTradersApi extends HttpApiGroup.make("machineTraders")
  .add(machineStats, retire)
  .middleware(Authorization)
  .prefix("/api/arena")
  .annotate(Policy, authenticated)
  .annotateMerge(OpenApi.annotations({ title: "Machine traders", description: "Their results, and their end." })) {}
