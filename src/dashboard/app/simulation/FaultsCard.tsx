import type { GivenStrike } from "../../../../engine/simulation/GivenStrike.ts"
import type { Strike } from "../../../../engine/simulation/Strike.ts"
import { Button, IconButton } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { wordsOf } from "../ui/Badge.tsx"
import { clockOf, count } from "../ui/Format.ts"
import type { Replaying } from "./Replaying.ts"
import type { StrikeShown } from "./StepView.ts"
import { STRIKE_CHOICES } from "./StrikeChoices.ts"

const Given = ({
  onRemove,
  strikes
}: {
  readonly strikes: ReadonlyArray<GivenStrike>
  readonly onRemove: (place: number) => void
}) => (
  <ul className="strike-list">
    {strikes.map(({ after, strike: { kind } }, place) => (
      <li key={`${after} ${kind} ${place}`}>
        <span>
          {wordsOf(kind)} <span className="soft">after step {count(after)}</span>
        </span>
        <IconButton
          icon="close"
          label={`Take back: ${wordsOf(kind)} after step ${after}`}
          onClick={() => onRemove(place)}
        />
      </li>
    ))}
  </ul>
)

const Struck = ({ struck }: { readonly struck: ReadonlyArray<StrikeShown> }) =>
  struck.length === 0 ? (
    <p className="soft">Nothing has struck so far.</p>
  ) : (
    <ul className="struck-list" tabIndex={0} aria-label="What has struck so far">
      {struck.map(({ at, fault, text }) => (
        <li key={`${fault} ${at}`}>
          <time className="when soft">{clockOf(at)}</time> <span>{text}</span>
        </li>
      ))}
    </ul>
  )

/** Lets faults strike after the step that is looked at, and tells what has struck. */
export const FaultsCard = ({ of }: { readonly of: Replaying }) => {
  const { open, outcome, spec, step, steps, view } = of
  const given = spec.strikes ?? []
  const isOver = outcome !== undefined && step >= steps
  const give = (strikes: ReadonlyArray<GivenStrike>) => {
    const { strikes: _, ...rest } = spec
    open({ spec: strikes.length === 0 ? rest : { ...rest, strikes }, step })
  }
  const strike = (chosen: Strike) => {
    const later = given.findIndex(({ after }) => after > step)
    const place = later === -1 ? given.length : later
    give(given.toSpliced(place, 0, { after: step, strike: chosen }))
  }
  return (
    <Card title="Faults">
      <div className="stack">
        <p className="soft">
          {isOver
            ? "This is the end: go back to a step to let a fault strike after it."
            : `A press lets the fault strike after step ${count(step)}. What was before stays as it is.`}
        </p>
        <div className="strike-buttons">
          {STRIKE_CHOICES.map(({ does, name, strike: chosen }) => (
            <Button key={name} size="small" title={does} disabled={isOver} onClick={() => strike(chosen)}>
              {name}
            </Button>
          ))}
        </div>
        {given.length > 0 && <Given strikes={given} onRemove={(place) => give(given.toSpliced(place, 1))} />}
        <h3>Struck so far</h3>
        <Struck struck={view?.struck ?? []} />
      </div>
    </Card>
  )
}
