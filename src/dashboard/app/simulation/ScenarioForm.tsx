import { useState } from "react"
import { FAIRNESS_RULES, type FairnessRule } from "../../../../engine/arena/Fairness.ts"
import type { ScenarioSpec } from "../../../../engine/simulation/Scenario.ts"
import { commandOf } from "../../../../engine/simulation/Shrink.ts"
import { Button } from "../ui/Button.tsx"
import { CheckField, Form, SelectField, TextField } from "../ui/Field.tsx"
import { linkOf, readLink } from "./SimulationLink.ts"

interface ScenarioFormProps {
  readonly spec: ScenarioSpec
  readonly onOpen: (spec: ScenarioSpec) => void
}

const RULES: ReadonlyArray<readonly [FairnessRule, string]> = FAIRNESS_RULES.map((rule) => [
  rule,
  rule.charAt(0).toUpperCase() + rule.slice(1)
])

/** What was written into the form, as the command's options have it. */
const drafted = (spec: ScenarioSpec) => ({
  seed: String(spec.seed),
  orders: String(spec.orders),
  traders: String(spec.traders),
  bots: String(spec.bots ?? 0),
  rule: spec.rule ?? "weighted",
  faults: spec.faults
})

/** What a scenario is drawn from. */
export const ScenarioForm = ({ onOpen, spec }: ScenarioFormProps) => {
  const [draft, setDraft] = useState(() => drafted(spec))
  const [problem, setProblem] = useState<string>()
  const [shown, setShown] = useState(spec)
  if (shown !== spec) {
    setShown(spec)
    setDraft(drafted(spec))
    setProblem(undefined)
  }
  const submit = (seed: string) => {
    const { bots, faults, orders, rule, traders } = draft
    const options = [
      `seed=${seed}`,
      `orders=${orders}`,
      `traders=${traders}`,
      ...(Number(bots) === 0 ? [] : [`bots=${bots}`]),
      ...(rule === "weighted" ? [] : [`rule=${rule}`]),
      ...(faults ? ["faults"] : [])
    ]
    const read = readLink(options.join("&"))
    if (typeof read === "string") return setProblem(read.replace("--", ""))
    setProblem(undefined)
    onOpen(read.spec)
  }
  const edit = (changed: Partial<typeof draft>) => setDraft({ ...draft, ...changed })
  return (
    <Form onSubmit={() => submit(draft.seed)}>
      <div className="scenario-fields">
        <TextField label="Seed" inputMode="numeric" value={draft.seed} onChange={(seed) => edit({ seed })} />
        <TextField label="Orders" inputMode="numeric" value={draft.orders} onChange={(orders) => edit({ orders })} />
        <TextField
          label="Traders"
          inputMode="numeric"
          value={draft.traders}
          onChange={(traders) => edit({ traders })}
        />
        <TextField label="Bots" inputMode="numeric" value={draft.bots} onChange={(bots) => edit({ bots })} />
        <SelectField label="3/4 rule" value={draft.rule} options={RULES} onChange={(rule) => edit({ rule })} />
      </div>
      <div className="scenario-run">
        <CheckField label="Let faults strike" checked={draft.faults} onChange={(faults) => edit({ faults })} />
        <div className="row">
          <Button onClick={() => submit(String(Number(draft.seed) + 1))}>Next seed</Button>
          <Button look="main" type="submit">
            Run
          </Button>
        </div>
      </div>
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </Form>
  )
}

/** What somebody else needs to see the same. */
export const replayOf = (spec: ScenarioSpec, step: number | undefined) => ({
  command: commandOf(spec),
  link: `${location.href.replace(/#.*/, "")}#${linkOf({ spec, step })}`
})
