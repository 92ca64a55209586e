import { useState } from "react"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { Icon } from "../ui/Icon.tsx"
import type { ArenaOrder } from "./ArenaOrder.ts"
import { type CheckStep, checkWinner, falsified, type Verdict, type WinnerCheck } from "./WinnerCheck.ts"

const VERDICTS: Readonly<Record<Verdict, readonly ["good" | "wait" | "bad", string]>> = {
  holds: ["good", "The choice holds"],
  partial: ["wait", "Holds so far"],
  broken: ["bad", "The choice does not hold"]
}

const Step = ({ step }: { readonly step: CheckStep }) => {
  const state = step.holds === undefined ? "later" : step.holds ? "good" : "bad"
  return (
    <li className={`check-step ${state}`}>
      <span className="check-mark">
        <Icon name={state === "good" ? "check" : state === "bad" ? "close" : "clock"} size={14} />
        <span className="unseen">{state === "good" ? "Holds: " : state === "bad" ? "Broken: " : "Later: "}</span>
      </span>
      <span>
        <span className="check-title">{step.title}</span>
        <span className="soft">{step.detail}</span>
      </span>
    </li>
  )
}

const Outcome = ({ check }: { readonly check: WinnerCheck }) => {
  const [tone, text] = VERDICTS[check.verdict]
  return (
    <>
      <p role="status">
        <Badge tone={tone}>{text}</Badge>
      </p>
      <ol className="check-steps">
        {check.steps.map((step) => (
          <Step key={step.title} step={step} />
        ))}
      </ol>
    </>
  )
}

/** Makes the choice again in the browser, and shows that a falsified one would be noticed. */
export const WinnerCheckCard = ({ order }: { readonly order: ArenaOrder }) => {
  const [asked, setAsked] = useState<"honest" | "falsified">()
  const check = asked === undefined ? undefined : checkWinner(asked === "honest" ? order : falsified(order))
  const isFalsifiable = falsified(order) !== order
  return (
    <Card title="Check the winner yourself">
      <div className="stack">
        <p className="soft">
          Your browser makes the choice again with the arena's own code, from nothing but what is published above: the
          bids, the reference price and the key that was fixed before the first bid.
        </p>
        <div className="row">
          <Button look="main" icon="shield" onClick={() => setAsked("honest")}>
            Redo the choice
          </Button>
          {isFalsifiable && asked !== undefined && (
            <Button look="quiet" onClick={() => setAsked(asked === "falsified" ? "honest" : "falsified")}>
              {asked === "falsified" ? "Use the published figures" : "Falsify a figure and check again"}
            </Button>
          )}
        </div>
        {asked === "falsified" && (
          <p className="soft">With the winner exchanged for another, as a dishonest arena might.</p>
        )}
        {check !== undefined && <Outcome check={check} />}
      </div>
    </Card>
  )
}
