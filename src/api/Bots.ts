import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ASSET_TYPES } from "../../engine/arena/AssetType.ts"
import { HALT_CAUSES } from "../../engine/arena/CommitmentHalt.ts"
import { COMMITMENT_STATUSES } from "../../engine/arena/Commitment.ts"
import { BOT_STATUSES, SUSPENSION_CAUSES } from "../../engine/bots/BotLifecycle.ts"
import { RISK_PRESETS } from "../../engine/bots/Strategy.ts"
import { arenaWire } from "./ApiError.ts"
import { MyCommitment } from "./Arena.ts"
import { anyWrite, Authorization, authenticated, movesMoney, Policy } from "./Authorization.ts"
import { MachineTraderRegistered, MachineTraderRegistration } from "./MachineTraders.ts"
import { AmountFromNumber as Money, PositiveAmountFromNumber, SignedAmount } from "./Money.ts"
import { clearable, optional } from "./Optional.ts"
import { pageFields, pageQuery } from "./Paging.ts"
import { text } from "./Text.ts"
import { UtcTimestamp } from "./Timestamp.ts"

const Yes = Schema.Literal(true)

/** Credits that a bot can be given for a month. */
export const MAX_CREDIT_BUDGET = 100_000_000

/** Seconds that a company's guard can be set ahead: a day. */
export const MAX_GUARD_SECONDS = 86_400

const AssetType = Schema.Literals(ASSET_TYPES)

const Capabilities = Schema.Array(AssetType).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(ASSET_TYPES.length),
  Schema.makeFilter(
    (types: ReadonlyArray<string>) => new Set(types).size === types.length || "Expected asset types that differ"
  )
)

/** How a bot decides. Specification 2.18. */
const StrategyRequest = Schema.Struct({
  riskPreset: Schema.Literals(RISK_PRESETS),
  riskLevel: optional(Money, {
    description: "How far the bot follows its fair price, 0 to 1. Left out, the preset's; custom needs it."
  }),
  maxLossPct: optional(Money, {
    description:
      "The part of the net funding that the bot may lose, in percent. Left out, the preset's; custom needs it."
  }),
  minRoiPct: optional(Money, {
    description: "The least return on the collateral, in percent. Left out, the preset's; custom needs it."
  }),
  maxCollateralPerTrade: Money.annotate({ description: "USD." })
}).annotate({ identifier: "StrategyRequest" })

const Strategy = Schema.Struct({
  riskPreset: Schema.Literals(RISK_PRESETS),
  riskLevel: Money,
  maxLossPct: Money,
  minRoiPct: Money,
  maxCollateralPerTrade: Money,
  overrides: Schema.Array(Schema.Literals(["riskLevel", "maxLossPct", "minRoiPct"])).annotate({
    description: "Extension: the numbers that are not those of the preset that riskPreset names."
  })
}).annotate({ identifier: "Strategy" })

const Credits = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: MAX_CREDIT_BUDGET })).annotate({
  description: "Credits a month."
})

const MODULE = "a file's name such as my.ts, which ends in .ts, .mts, .js or .mjs"

/** A file of the folder itself: nothing that could lead out of it. */
const StrategyModule = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}\.m?[jt]s$/, { expected: MODULE })
)

/** Specification 2.18. */
export const BotCreation = Schema.Struct({
  name: text(1, 100),
  capabilities: Capabilities,
  strategy: StrategyRequest,
  collateral_amount: optional(Money, {
    description: "USD that move from the caller's account to the bot, by default 0."
  }),
  credit_budget: optional(Credits, { description: "Credits a month. Left out, what the plan gives a month." }),
  auto_topup_enabled: optional(Schema.Boolean),
  strategy_module: optional(StrategyModule, {
    description:
      "Extension: the module that decides in place of the strategy, a file in the folder that a sandbox's operator names by STRATEGY_MODULES."
  })
}).annotate({ identifier: "BotCreation" })

/** What of a bot is to be otherwise. */
export const BotChangeRequest = Schema.Struct({
  name: optional(text(1, 100)),
  capabilities: optional(Capabilities),
  strategy: optional(StrategyRequest),
  credit_budget: optional(Credits),
  auto_topup_enabled: optional(Schema.Boolean),
  strategy_module: clearable(StrategyModule, { description: "Extension: null has the strategy decide again." })
}).annotate({ identifier: "BotChange" })

const collateralFields = {
  collateral_amount: Money.annotate({ description: "USD of the bot, what is locked included." }),
  collateral_locked: Money.annotate({ description: "What open commitments hold of it." }),
  collateral_available: Money.annotate({ description: "What it may still lock, or be withdrawn." })
}

const botFields = {
  bot_id: Schema.String,
  owner_id: Schema.String.annotate({ description: "The company." }),
  user_id: Schema.String.annotate({ description: "Whose account funds it and gets its collateral back." }),
  wallet_address: Schema.String,
  name: Schema.String,
  capabilities: Schema.Array(AssetType),
  strategy: Strategy,
  status: Schema.Literals(BOT_STATUSES),
  suspension_reason: Schema.NullOr(Schema.Literals(SUSPENSION_CAUSES)),
  strategy_module: Schema.NullOr(Schema.String).annotate({
    description: "Extension: the file of the module that decides for it; null where its strategy does."
  }),
  strategy_error: Schema.NullOr(Schema.String).annotate({
    description: "Extension: what its module failed with, while it is suspended by module_failed."
  }),
  ...collateralFields,
  net_funded: Money.annotate({ description: "What was funded less what was withdrawn, never below 0." }),
  loss_limit: Money.annotate({ description: "maxLossPct of net_funded: what it may lose in all." }),
  loss_remaining: Money.annotate({ description: "What it may still lock or lose: 0 once it is terminated." }),
  credit_budget: Schema.Int,
  auto_topup_enabled: Schema.Boolean,
  created_at: UtcTimestamp,
  status_changed_at: UtcTimestamp
}

/** A bot as an act leaves it. */
export const Bot = Schema.Struct(botFields).annotate({ identifier: "Bot" })

const Performance = {
  profit_loss: SignedAmount.annotate({ description: "Posted profits and losses, yield included, in USD." }),
  win_rate: Schema.Finite.annotate({ description: "Won of decided commitments, a fraction; 0 before the first." }),
  credits_used: Schema.Int.annotate({ description: "Credits that its evaluations took." }),
  total_commitments: Schema.Int,
  commitments_won: Schema.Int
}

const BotDetail = Schema.Struct({ ...botFields, ...Performance }).annotate({ identifier: "BotDetail" })

export const BotAnswer = Schema.Struct({ success: Yes, bot: Bot })

const notOwner = arenaWire("access_denied")
const lacksScope = arenaWire("insufficient_scope")
const conflict = arenaWire("conflict")
const unprocessable = arenaWire("unprocessable")

/** What keeps a company from having another bot. */
const barred = [arenaWire("plan_required"), arenaWire("entitlement_required"), arenaWire("bot_limit_reached")] as const

const BotId = { bot_id: text(1, 64) }

const BASE = "/machine-traders"
const ONE = `${BASE}/:bot_id` as const

const create = HttpApiEndpoint.post("createMachineTrader", BASE, {
  payload: Schema.Union([MachineTraderRegistration, BotCreation]),
  success: Schema.Union([MachineTraderRegistered, BotAnswer]),
  error: [notOwner, lacksScope, ...barred, arenaWire("wallet_required"), conflict, unprocessable]
})
  .annotateMerge(
    OpenApi.annotations({
      summary: "Make a bot, or register a machine trader (administrators)",
      description:
        "A body with agent_id registers a machine trader, for administrators: collateral_allocated caps what it may have " +
        "locked or lost, and no money moves. A body with name and strategy makes a bot of the caller's company: that needs " +
        "the plan pro or enterprise, its machine_trader entitlement, fewer bots than the plan allows, and a wallet_address " +
        "linked by PUT /api/v1/users/me. collateral_amount moves from the caller's USD to the bot. It starts inactive. A " +
        "token needs a :write scope, and payments:write for collateral or auto_topup_enabled."
    })
  )
  .annotate(Policy, anyWrite)

const list = HttpApiEndpoint.get("listBots", BASE, {
  query: { status: optional(Schema.Literals(BOT_STATUSES)), ...pageQuery },
  success: Schema.Struct({
    success: Yes,
    bots: Schema.Array(BotDetail),
    ...pageFields
  })
}).annotateMerge(OpenApi.annotations({ summary: "The company's bots with what they earned, oldest first" }))

const get = HttpApiEndpoint.get("getBot", ONE, {
  params: BotId,
  success: Schema.Struct({ success: Yes, bot: BotDetail }),
  error: notOwner
}).annotateMerge(OpenApi.annotations({ summary: "One bot with what it earned" }))

const change = HttpApiEndpoint.patch("changeBot", ONE, {
  params: BotId,
  payload: BotChangeRequest,
  success: BotAnswer,
  error: [notOwner, lacksScope, conflict, unprocessable]
})
  .annotateMerge(
    OpenApi.annotations({
      summary: "Change a bot",
      description:
        "Holds from its next decision on, without a restart. A field that is left out stays as it is; strategy is replaced " +
        "whole. A lower maxLossPct is refused while what is locked or lost is above it. A token needs a :write scope, and " +
        "payments:write to set credit_budget or to turn auto_topup_enabled on."
    })
  )
  .annotate(Policy, anyWrite)

const ACTS = {
  start: { summary: "Start an inactive bot", access: movesMoney },
  pause: { summary: "Pause an active bot", access: authenticated },
  resume: { summary: "Resume a paused bot, or a suspended one whose cause is gone", access: movesMoney },
  terminate: { summary: "Terminate a bot for good", access: anyWrite }
} as const

const act = <const A extends keyof typeof ACTS>(name: A) =>
  HttpApiEndpoint.post(`${name}Bot`, `${ONE}/${name}`, {
    params: BotId,
    success: BotAnswer,
    error: [notOwner, ...barred, conflict]
  })
    .annotate(Policy, ACTS[name].access)
    .annotateMerge(
      OpenApi.annotations({
        summary: ACTS[name].summary,
        description:
          name === "terminate"
            ? "Free collateral goes back to its user's account at once, what is locked when it is released. A bot that is " +
              "terminated already stays so."
            : "Where the bot is in that state already it stays so."
      })
    )

/** The answer of what moves collateral. */
export const CollateralMoved = Schema.Struct({
  success: Yes,
  message: Schema.String,
  bot_id: Schema.String,
  amount: Money,
  ...collateralFields
}).annotate({ identifier: "CollateralMoved" })

const Amount = Schema.Struct({
  amount: PositiveAmountFromNumber.annotate({ description: "USD, more than 0." })
}).annotate({ identifier: "CollateralAmount" })

const fund = HttpApiEndpoint.post("fundBot", `${ONE}/fund`, {
  params: BotId,
  payload: Amount,
  success: CollateralMoved,
  error: [notOwner, conflict, unprocessable]
})
  .annotateMerge(
    OpenApi.annotations({
      summary: "Move USD from the account to the bot",
      description:
        "For the user whose bot it is: the USD come from that user's account. The bot may lose maxLossPct of them more. " +
        "Refused where its collateral or its net_funded would pass 8000000000, which is what a JSON number tells exactly."
    })
  )
  .annotate(Policy, movesMoney)

const withdraw = HttpApiEndpoint.post("withdrawFromBot", `${ONE}/withdraw`, {
  params: BotId,
  payload: Amount,
  success: CollateralMoved,
  error: [notOwner, conflict, unprocessable]
})
  .annotateMerge(
    OpenApi.annotations({
      summary: "Move free collateral back to the account of the bot's user",
      description:
        "What the bot may lose shrinks with it. Refused while open commitments hold more than what it could lose then."
    })
  )
  .annotate(Policy, movesMoney)

const commitments = HttpApiEndpoint.get("listBotCommitments", `${ONE}/commitments`, {
  params: BotId,
  query: { status: optional(Schema.Literals(COMMITMENT_STATUSES)), ...pageQuery },
  success: Schema.Struct({ success: Yes, commitments: Schema.Array(MyCommitment), ...pageFields }),
  error: notOwner
}).annotateMerge(OpenApi.annotations({ summary: "What a bot committed to, newest first" }))

/** What is stopped: the company's bots, or every commitment of the company. */
export const StopScope = Schema.Literals(["bots", "company"]).annotate({
  description:
    "Extension: company also refuses every commitment of the company, of its people and clients too, until " +
    "DELETE …/kill-switch lifts it. By default bots."
})

const pauseAll = HttpApiEndpoint.post("pauseAllBots", `${BASE}/pause-all`, {
  payload: [
    // No body at all.
    Schema.Null,
    Schema.Struct({ scope: optional(StopScope) }).annotate({ identifier: "PauseAll" })
  ],
  success: Schema.Struct({
    success: Yes,
    paused: Schema.Array(Schema.String).annotate({ description: "The ids of the bots that were active." }),
    halted_at: Schema.optionalKey(UtcTimestamp).annotate({
      description: "For scope company: from when on its commitments are refused."
    })
  })
}).annotateMerge(
  OpenApi.annotations({
    summary: "Pause all active bots of the company, or stop all that it commits",
    description: "Any token of the company will do. Once it is answered, nothing that it stops is accepted."
  })
)

/** The company's guard as it stands. */
export const BotGuard = Schema.Struct({
  success: Yes,
  timeout_seconds: Schema.Int,
  pauses_at: Schema.NullOr(UtcTimestamp).annotate({ description: "When all bots are paused; null for never." }),
  halted_at: Schema.optionalKey(UtcTimestamp).annotate({
    description:
      "For scope company: from when on its commitments are refused, where they are. Asking again does not lift that."
  })
}).annotate({ identifier: "BotGuard" })

const cancelAfter = HttpApiEndpoint.post("cancelAfter", `${BASE}/cancel-after`, {
  payload: Schema.Struct({
    timeout_seconds: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: MAX_GUARD_SECONDS })),
    scope: optional(StopScope)
  }).annotate({ identifier: "CancelAfter" }),
  success: BotGuard
}).annotateMerge(
  OpenApi.annotations({
    summary: "Pause all bots of the company unless asked again in time",
    description:
      "Each call replaces the one before of its scope; 0 clears it. With the scope company every commitment of the company " +
      "is refused then, until the kill switch is lifted. For operators whose own programs may lose their connection."
  })
)

const guard = HttpApiEndpoint.get("botGuard", `${BASE}/cancel-after`, {
  success: Schema.Struct({ success: Yes, pauses_at: BotGuard.fields.pauses_at }).annotate({
    identifier: "BotGuardStanding"
  })
}).annotateMerge(
  OpenApi.annotations({ summary: "When all bots of the company are paused, unless cancel-after is asked again" })
)

/** A company's kill switch as it stands. */
export const KillSwitch = Schema.Struct({
  success: Yes,
  halted: Schema.Boolean.annotate({ description: "Whether every commitment of the company is refused." }),
  halted_at: Schema.NullOr(UtcTimestamp).annotate({ description: "When it was pulled last." }),
  halted_by: Schema.NullOr(Schema.String).annotate({ description: "The user who pulled it; null for the platform." }),
  cause: Schema.NullOr(Schema.Literals(HALT_CAUSES)).annotate({
    description:
      "asked; deadline, where cancel-after was not asked again; disconnected, where a connection with " +
      "cancel_on_disconnect ended; restarted, where the platform did while there were such connections."
  }),
  halts_at: Schema.NullOr(UtcTimestamp).annotate({ description: "When cancel-after pulls it; null for never." }),
  cancel_on_disconnect: Schema.Boolean.annotate({ description: "Whether there are connections whose end pulls it." })
}).annotate({ identifier: "KillSwitch" })

const SWITCH = `${BASE}/kill-switch` as const

const killSwitch = HttpApiEndpoint.get("killSwitch", SWITCH, { success: KillSwitch }).annotateMerge(
  OpenApi.annotations({ summary: "Whether the company's commitments are stopped, and what would stop them" })
)

const lift = HttpApiEndpoint.delete("liftKillSwitch", SWITCH, { success: KillSwitch, error: conflict })
  .annotate(Policy, movesMoney)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Lift the company's kill switch, so that it may commit again",
      description:
        "Its bots stay paused until they are resumed. Refused with conflict where it was pulled again meanwhile. One that is " +
        "not pulled stays so."
    })
  )

/** Bots: machine traders that a company owns. Specification 4.4. */
export class BotsApi extends HttpApiGroup.make("bots")
  .add(create, list, get, change)
  .add(act("start"), act("pause"), act("resume"), act("terminate"))
  .add(fund, withdraw, commitments, pauseAll, cancelAfter, guard, killSwitch, lift)
  .middleware(Authorization)
  .prefix("/api/arena")
  .annotate(Policy, authenticated)
  .annotateMerge(
    OpenApi.annotations({ title: "Bots", description: "Machine traders that decide and commit by themselves." })
  ) {}
