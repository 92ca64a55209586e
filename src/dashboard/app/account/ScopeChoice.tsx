import type { Payload } from "../Contract.ts"
import { Button } from "../ui/Button.tsx"
import { CheckField, Fieldset } from "../ui/Field.tsx"

/** What a client's tokens may do. */
export type Scope = Payload<"POST /v1/clients">["scopes"][number]

const AREAS: ReadonlyArray<readonly [string, string, Scope, Scope]> = [
  ["Commerce and webhooks", "Orders, products, companies, usage, webhooks", "orders:read", "orders:write"],
  ["Money", "Funds, transfers, payments, commitments, bots' collateral", "payments:read", "payments:write"],
  ["Subscriptions", "What is bought each period", "subscriptions:read", "subscriptions:write"],
  ["Credit", "Scores, limits and terms", "credit:read", "credit:write"],
  ["Identity checks", "KYC records", "kyc:read", "kyc:write"],
  ["People and clients", "Users, API clients, the account", "users:read", "users:write"]
]

/** Every scope that there is. */
export const ALL_SCOPES: ReadonlyArray<Scope> = AREAS.flatMap(([, , read, write]) => [read, write])

interface ScopeChoiceProps {
  readonly chosen: ReadonlyArray<Scope>
  readonly onChange: (chosen: ReadonlyArray<Scope>) => void
}

/** Chooses scopes by area: reading, and changing. */
export const ScopeChoice = ({ chosen, onChange }: ScopeChoiceProps) => {
  const turn = (scope: Scope) => (on: boolean) =>
    onChange(on ? [...chosen, scope] : chosen.filter((other) => other !== scope))
  const hasAll = chosen.length === ALL_SCOPES.length
  return (
    <Fieldset legend="Scopes" hint="What its tokens may do at most. With none it may still use the arena.">
      <div className="scopes">
        {AREAS.map(([title, text, read, write]) => (
          <div key={read} className="scope">
            <span>
              <span className="scope-title">{title}</span>
              <span className="hint">{text}</span>
            </span>
            <CheckField
              label={<span aria-label={`Read: ${title}`}>Read</span>}
              checked={chosen.includes(read)}
              onChange={turn(read)}
            />
            <CheckField
              label={<span aria-label={`Write: ${title}`}>Write</span>}
              checked={chosen.includes(write)}
              onChange={turn(write)}
            />
          </div>
        ))}
      </div>
      <Button size="small" look="quiet" onClick={() => onChange(hasAll ? [] : ALL_SCOPES)}>
        {hasAll ? "Choose none" : "Choose all"}
      </Button>
    </Fieldset>
  )
}
