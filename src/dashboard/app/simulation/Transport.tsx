import { Button, IconButton } from "../ui/Button.tsx"
import { SelectField } from "../ui/Field.tsx"
import { count, countdown } from "../ui/Format.ts"
import type { Replaying } from "./Replaying.ts"
import { Verdict } from "./Verdict.tsx"

/** Steps for each move, as words. */
export const RATES = [
  ["1", "10 steps a second"],
  ["5", "50 steps a second"],
  ["25", "250 steps a second"]
] as const

export type Rate = (typeof RATES)[number][0]

interface TransportProps {
  readonly of: Replaying
  readonly rate: Rate
  readonly onRate: (rate: Rate) => void
}

/** Goes through the steps: on and back by one, to any of them, and by itself. */
export const Transport = ({ of, onRate, rate }: TransportProps) => {
  const { go, isPlaying, outcome, play, step, steps, view } = of
  const isLast = step >= steps
  return (
    <div className="transport">
      <div className="transport-buttons">
        <IconButton icon="first" label="First step" disabled={step === 0} onClick={() => go(0)} />
        <IconButton icon="back" label="Previous step" disabled={step === 0} onClick={() => go(step - 1)} />
        <Button look="main" icon={isPlaying ? "pause" : "play"} onClick={() => play(!isPlaying)}>
          {isPlaying ? "Pause" : isLast && outcome !== undefined ? "Play again" : "Play"}
        </Button>
        <IconButton icon="chevron" label="Next step" disabled={isLast} onClick={() => go(step + 1)} />
        <IconButton icon="last" label="Last step" disabled={isLast} onClick={() => go(steps)} />
      </div>
      <input
        className="transport-line"
        type="range"
        aria-label="Step"
        aria-valuetext={`Step ${step} of ${steps}`}
        min={0}
        max={Math.max(1, steps, step)}
        value={step}
        onChange={(event) => go(Number(event.target.value))}
      />
      <div className="transport-place">
        <span className="number">
          Step <strong>{count(step)}</strong> of {count(steps)}
          {outcome === undefined && "…"}
        </span>
        <span className="soft number">{countdown(view?.elapsed ?? 0)} simulated</span>
        <span className="soft number">{count(view?.recorded ?? 0)} events</span>
      </div>
      <SelectField label="Speed" value={rate} options={RATES} onChange={onRate} />
      <Verdict of={of} />
    </div>
  )
}
