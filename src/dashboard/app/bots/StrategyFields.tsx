import { ASSET_TYPES, type AssetType } from "../../../../engine/arena/AssetType.ts"
import type { RiskPreset } from "../../../../engine/bots/Strategy.ts"
import { ASSET_TYPE_NAMES } from "../arena/ArenaOrder.ts"
import { CheckField, Fieldset, TextField } from "../ui/Field.tsx"
import { type BotDraft, PRESET_TEXTS } from "./BotDraft.ts"

interface FieldsProps {
  readonly draft: BotDraft
  readonly onChange: (change: Partial<BotDraft>) => void
}

const NUMERIC = { inputMode: "decimal", required: true, autoComplete: "off" } as const

const Preset = ({ draft, name, onChange }: FieldsProps & { readonly name: RiskPreset }) => {
  const { text, title } = PRESET_TEXTS[name]
  return (
    <label className={draft.riskPreset === name ? "choice chosen" : "choice"}>
      <input
        type="radio"
        name="preset"
        value={name}
        checked={draft.riskPreset === name}
        onChange={() => onChange({ riskPreset: name })}
      />
      <span>
        <span className="check-label">{title}</span>
        <span className="hint">{text}</span>
      </span>
    </label>
  )
}

const PRESETS: ReadonlyArray<RiskPreset> = ["conservative", "balanced", "aggressive", "custom"]

/** How a bot decides, and how much it may lock in one trade. */
export const StrategyFields = ({ draft, onChange }: FieldsProps) => (
  <>
    <Fieldset legend="Strategy">
      <div className="choices">
        {PRESETS.map((name) => (
          <Preset key={name} name={name} draft={draft} onChange={onChange} />
        ))}
      </div>
    </Fieldset>
    {draft.riskPreset === "custom" && (
      <div className="pair">
        <TextField
          label="Risk level, 0 to 1"
          hint="How far it trusts that prices come back to their mean"
          value={draft.riskLevel}
          onChange={(riskLevel) => onChange({ riskLevel })}
          {...NUMERIC}
        />
        <TextField
          label="May lose, %"
          hint="Of what it was funded with"
          value={draft.maxLossPct}
          onChange={(maxLossPct) => onChange({ maxLossPct })}
          {...NUMERIC}
        />
        <TextField
          label="Least return, %"
          hint="On the collateral, to commit at all"
          value={draft.minRoiPct}
          onChange={(minRoiPct) => onChange({ minRoiPct })}
          {...NUMERIC}
        />
      </div>
    )}
    <TextField
      label="Most collateral in one trade, USD"
      value={draft.maxCollateral}
      onChange={(maxCollateral) => onChange({ maxCollateral })}
      {...NUMERIC}
    />
  </>
)

/** What a bot trades. */
export const CapabilityFields = ({ draft, onChange }: FieldsProps) => {
  const toggled = (type: AssetType, on: boolean) =>
    ASSET_TYPES.filter((each) => (each === type ? on : draft.capabilities.includes(each)))
  return (
    <Fieldset legend="It trades">
      <div className="checks">
        {ASSET_TYPES.map((type) => (
          <CheckField
            key={type}
            label={ASSET_TYPE_NAMES[type]}
            checked={draft.capabilities.includes(type)}
            onChange={(on) => onChange({ capabilities: toggled(type, on) })}
          />
        ))}
      </div>
    </Fieldset>
  )
}

/** What a bot's evaluations may cost. */
export const CreditFields = ({ draft, onChange }: FieldsProps) => (
  <>
    <TextField
      label="Credits a month"
      hint="Each evaluation takes one credit, $0.01. It stops when these are used."
      value={draft.creditBudget}
      onChange={(creditBudget) => onChange({ creditBudget })}
      inputMode="numeric"
      required
    />
    <CheckField
      label="Buy credits by itself"
      hint="From your USD, never more in a month than the budget above."
      checked={draft.autoTopUp}
      onChange={(autoTopUp) => onChange({ autoTopUp })}
    />
  </>
)
