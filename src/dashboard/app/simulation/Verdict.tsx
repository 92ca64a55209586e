import { Badge } from "../ui/Badge.tsx"
import { count } from "../ui/Format.ts"
import type { Replaying } from "./Replaying.ts"

/** What the auditor says of the steps until the one that is looked at. */
export const Verdict = ({ of: { outcome, step, steps } }: { readonly of: Replaying }) => {
  const violation = outcome?.violation ?? null
  const isLast = step >= steps
  if (violation !== null && isLast) {
    return (
      <div className="verdict bad" role="status">
        <Badge tone="bad">Rule broken</Badge>
        <p>
          <code>{violation.invariant}</code> does not hold after event {count(violation.seq)}: {violation.detail}
        </p>
      </div>
    )
  }
  return (
    <div className="verdict" role="status">
      <Badge tone={outcome === undefined ? "live" : "good"}>
        {outcome === undefined ? "Playing on" : "Rules hold"}
      </Badge>
      <p>
        {outcome === undefined
          ? "Every rule has held so far."
          : isLast
            ? `The auditor judged all ${count(outcome.events)} events: every rule held to the end.`
            : "Every rule held up to this step."}
      </p>
    </div>
  )
}
