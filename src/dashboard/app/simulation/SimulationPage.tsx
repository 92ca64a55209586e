import { useState } from "react"
import { Brand } from "../shell/Brand.tsx"
import { useTheme } from "../shell/Theme.tsx"
import { IconButton } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { CopyField } from "../ui/CopyField.tsx"
import { Waiting } from "../ui/States.tsx"
import { FaultsCard } from "./FaultsCard.tsx"
import { EventsCard, MarketCard, OrdersCard, TradersCard } from "./MarketCards.tsx"
import { type Replaying, useReplaying } from "./Replaying.ts"
import { replayOf, ScenarioForm } from "./ScenarioForm.tsx"
import { type Rate, Transport } from "./Transport.tsx"

const TopBar = () => {
  const { shown, turn } = useTheme()
  return (
    <header className="simulation-bar">
      <Brand />
      <IconButton
        icon={shown === "dark" ? "sun" : "moon"}
        label={shown === "dark" ? "Light colours" : "Dark colours"}
        onClick={turn}
      />
    </header>
  )
}

const Proof = ({ of }: { readonly of: Replaying }) => {
  const { command, link } = replayOf(of.spec, of.at)
  const { outcome } = of
  return (
    <Card title="The same again">
      <div className="stack">
        <CopyField label="Command" value={command} hint="It replays exactly this, with the same hashes." />
        <CopyField label="Link" value={link} hint="It opens the same on this page, at the same step." />
        <div className="field">
          <span className="field-label">Hash of the events</span>
          <code className="hash" data-hash="events">
            {outcome?.eventsHash ?? "known at the end"}
          </code>
        </div>
        <div className="field">
          <span className="field-label">Hash of the final state</span>
          <code className="hash" data-hash="state">
            {outcome?.stateHash ?? "known at the end"}
          </code>
        </div>
      </div>
    </Card>
  )
}

/** The simulated arena: any seed, any step, with faults by a press. */
export const SimulationPage = () => {
  const [rate, setRate] = useState<Rate>("1")
  const replaying = useReplaying(Number(rate))
  const { choose, open, problem, spec, view } = replaying
  return (
    <>
      <TopBar />
      <main className="simulation">
        <header className="page-head">
          <div className="page-title">
            <h1>Simulation</h1>
          </div>
          <p className="page-lead">
            The arena that ships, in a world whose time and chance come from a seed. An auditor judges every step. All
            of it runs in this browser.
          </p>
        </header>
        {problem !== undefined && (
          <p className="problem" role="alert">
            The link cannot be opened: {problem}
          </p>
        )}
        <Card>
          <ScenarioForm spec={spec} onOpen={(next) => open({ spec: next, step: undefined })} />
        </Card>
        <Card>
          <Transport of={replaying} rate={rate} onRate={setRate} />
        </Card>
        {view === undefined ? (
          <Waiting lines={8} />
        ) : (
          <div className="simulation-columns">
            <div className="stack">
              <MarketCard market={view.market} />
              <OrdersCard orders={view.orders} chosen={view.market?.order.id} onChoose={choose} />
              <TradersCard traders={view.traders} />
            </div>
            <div className="stack">
              <Proof of={replaying} />
              <FaultsCard of={replaying} />
              <EventsCard view={view} />
            </div>
          </div>
        )}
      </main>
    </>
  )
}
