import { useState } from "react"
import { useAct, useApi } from "../Data.ts"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { Actions, Form, SelectField } from "../ui/Field.tsx"
import { countdown, millisOf, timeOf } from "../ui/Format.ts"
import { Loaded } from "../ui/States.tsx"
import { useNow } from "../ui/Time.tsx"

/** How often the guard is asked for again, in milliseconds: a program may have renewed it. */
const EVERY = 4_000

const LENGTHS = [
  ["60", "1 minute"],
  ["300", "5 minutes"],
  ["1800", "30 minutes"],
  ["3600", "1 hour"],
  ["28800", "8 hours"],
  ["86400", "24 hours"]
] as const

type Length = (typeof LENGTHS)[number][0]

const Rest = ({ until }: { readonly until: string }) => {
  const time = useNow()
  return (
    <p className="guard-rest">
      <time className="number" dateTime={until} title={timeOf(until)}>
        {countdown(millisOf(until) - time)}
      </time>
      <span className="soft">until all bots pause</span>
    </p>
  )
}

const Guard = ({ until }: { readonly until: string | null }) => {
  const [length, setLength] = useState<Length>("3600")
  const set = useAct("POST /api/arena/machine-traders/cancel-after", {
    changes: ["GET /api/arena/machine-traders/cancel-after"]
  })
  const send = (seconds: number) => set.mutate({ payload: { timeout_seconds: seconds } })
  return (
    <Form onSubmit={() => send(Number(length))}>
      {until !== null && <Rest until={until} />}
      <SelectField label="Pause all bots after" value={length} onChange={setLength} options={LENGTHS} />
      <Actions>
        {until !== null && (
          <Button disabled={set.isPending} onClick={() => send(0)}>
            Turn off
          </Button>
        )}
        <Button type="submit" icon="clock" busy={set.isPending}>
          {until === null ? "Turn on" : "Renew"}
        </Button>
      </Actions>
    </Form>
  )
}

/** The dead-man switch of the company: it pauses all bots unless it is renewed in time. */
export const GuardCard = () => {
  const found = useApi("GET /api/arena/machine-traders/cancel-after", {}, { every: EVERY })
  const isOn = found.data !== undefined && found.data.pauses_at !== null
  return (
    <Card title="Dead-man switch" aside={<Badge tone={isOn ? "wait" : "plain"}>{isOn ? "On" : "Off"}</Badge>}>
      <div className="guard">
        <p className="soft">
          Pauses every active bot unless it is renewed in time, here or by a program of yours with{" "}
          <code>POST /api/arena/machine-traders/cancel-after</code>. So they do not trade on when nobody watches them
          any more.
        </p>
        <Loaded of={found} lines={2}>
          {({ pauses_at: until }) => <Guard until={until} />}
        </Loaded>
      </div>
    </Card>
  )
}
