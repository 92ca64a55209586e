import type { AssetType } from "../../../../engine/arena/AssetType.ts"
import { PRESETS, type RiskPreset } from "../../../../engine/bots/Strategy.ts"
import { toNumber } from "../../../../engine/money/Amount.ts"
import type { Answer, Payload } from "../Contract.ts"

/** A bot as it is answered. */
export type Bot = Answer<"GET /api/arena/machine-traders/:bot_id">["bot"]

/** A bot as a form holds it: figures are texts, as they were typed. */
export interface BotDraft {
  readonly name: string
  readonly capabilities: ReadonlyArray<AssetType>
  readonly riskPreset: RiskPreset
  readonly riskLevel: string
  readonly maxLossPct: string
  readonly minRoiPct: string
  readonly maxCollateral: string
  readonly funding: string
  readonly creditBudget: string
  readonly autoTopUp: boolean
}

/** The form of a new bot. */
export const NEW_BOT: BotDraft = {
  name: "",
  capabilities: ["fx", "commodity"],
  riskPreset: "balanced",
  riskLevel: "0.5",
  maxLossPct: "10",
  minRoiPct: "5",
  maxCollateral: "50",
  funding: "500",
  creditBudget: "1000",
  autoTopUp: false
}

/** The form of a bot that is to be changed. */
export const draftOf = ({
  auto_topup_enabled: autoTopUp,
  capabilities,
  credit_budget: budget,
  name,
  strategy
}: Bot): BotDraft => ({
  name,
  capabilities,
  riskPreset: strategy.overrides.length === 0 ? strategy.riskPreset : "custom",
  riskLevel: String(strategy.riskLevel),
  maxLossPct: String(strategy.maxLossPct),
  minRoiPct: String(strategy.minRoiPct),
  maxCollateral: String(strategy.maxCollateralPerTrade),
  funding: "0",
  creditBudget: String(budget),
  autoTopUp
})

const presetText = (name: Exclude<RiskPreset, "custom">, title: string) => {
  const { maxLossPct, minRoiPct } = PRESETS[name]
  return { title, text: `May lose ${toNumber(maxLossPct)}%, and asks for a return of ${toNumber(minRoiPct)}%.` }
}

/** What each strategy means, in a sentence. */
export const PRESET_TEXTS: Readonly<Record<RiskPreset, { readonly title: string; readonly text: string }>> = {
  conservative: presetText("conservative", "Conservative"),
  balanced: presetText("balanced", "Balanced"),
  aggressive: presetText("aggressive", "Aggressive"),
  custom: { title: "Custom", text: "Your own figures." }
}

/** What a change of a bot sends. A named preset brings its own figures. */
export const changeOf = (draft: BotDraft) =>
  ({
    name: draft.name.trim(),
    capabilities: draft.capabilities,
    strategy: {
      riskPreset: draft.riskPreset,
      maxCollateralPerTrade: Number(draft.maxCollateral),
      ...(draft.riskPreset === "custom"
        ? {
            riskLevel: Number(draft.riskLevel),
            maxLossPct: Number(draft.maxLossPct),
            minRoiPct: Number(draft.minRoiPct)
          }
        : {})
    },
    credit_budget: Number(draft.creditBudget),
    auto_topup_enabled: draft.autoTopUp
  }) satisfies Payload<"PATCH /api/arena/machine-traders/:bot_id">
