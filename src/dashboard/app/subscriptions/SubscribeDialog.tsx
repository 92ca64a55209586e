import { useState } from "react"
import { useLocation } from "wouter"
import type { Payload, RowOf } from "../Contract.ts"
import { useAct } from "../Data.ts"
import { now } from "../Platform.ts"
import { usePerson } from "../shell/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Actions, Form, SelectField, TextField } from "../ui/Field.tsx"
import { count, price, usd } from "../ui/Format.ts"
import { MetadataField } from "../ui/MetadataField.tsx"
import { readMetadata } from "../ui/MetadataText.ts"
import { Problem } from "../ui/States.tsx"
import { everyOf, isPeriods, MOST_PERIODS } from "./SubscriptionStory.ts"

type Entry = RowOf<"GET /v1/commerce/catalog">
type Request = Payload<"POST /v1/subscriptions">
type Interval = Request["interval"]

const INTERVALS: ReadonlyArray<readonly [Interval, string]> = [
  ["week", "Every week"],
  ["month", "Every month"],
  ["year", "Every year"]
]

const MOST_PIECES = 1_000_000

const day = new Intl.DateTimeFormat("en-CA", { year: "numeric", month: "2-digit", day: "2-digit" })

/** A day in the person's own zone, as the browser's own field writes it: `2026-11-22`. */
const dayText = (millis: number): string => day.format(millis)

/** The beginning of such a day in the person's own zone. */
const beginOf = (text: string): string => new Date(`${text}T00:00:00`).toISOString()

const A_YEAR = 365 * 86_400_000

interface Fields {
  readonly quantity: string
  readonly interval: Interval
  readonly periods: string
  /** Empty: now. */
  readonly start: string
  readonly metadata: string
}

const START: Fields = { quantity: "1", interval: "month", periods: "", start: "", metadata: "" }

const isPieces = (text: string): boolean => /^[1-9]\d{0,6}$/.test(text) && Number(text) <= MOST_PIECES

const requestOf = (companyId: string, productId: string, fields: Fields): Request => ({
  company_id: companyId,
  product_id: productId,
  quantity: Number(fields.quantity),
  interval: fields.interval,
  metadata: readMetadata(fields.metadata) ?? {},
  ...(fields.periods === "" ? {} : { periods: Number(fields.periods) }),
  ...(fields.start > dayText(now()) ? { start: beginOf(fields.start) } : {})
})

interface TimesProps {
  readonly fields: Fields
  readonly onChange: (change: Partial<Fields>) => void
}

/** How long it runs, and from when. */
const Times = ({ fields, onChange }: TimesProps) => (
  <div className="pair">
    <TextField
      label="Periods (optional)"
      inputMode="numeric"
      hint="Left empty, until it is cancelled."
      error={
        isPeriods(fields.periods, fields.interval)
          ? undefined
          : `A whole number from 1 to ${MOST_PERIODS[fields.interval]}, or nothing.`
      }
      value={fields.periods}
      onChange={(periods) => onChange({ periods })}
    />
    <TextField
      label="First period (optional)"
      type="date"
      min={dayText(now())}
      max={dayText(now() + A_YEAR)}
      hint="Left empty, now."
      value={fields.start}
      onChange={(start) => onChange({ start })}
    />
  </div>
)

interface SubscribeDialogProps {
  readonly entry: Entry
  readonly onClose: () => void
}

/** Subscribes to one product. */
export const SubscribeDialog = ({ entry, onClose }: SubscribeDialogProps) => {
  const { company_id } = usePerson()
  const [, go] = useLocation()
  const [fields, setFields] = useState(START)
  const set = (change: Partial<Fields>) => setFields({ ...fields, ...change })
  const subscribe = useAct("POST /v1/subscriptions", {
    done: "Subscribed",
    quiet: true,
    changes: ["GET /v1/subscriptions", "GET /v1/commerce/catalog", "GET /v1/funds"],
    onDone: ({ id }) => go(`/subscriptions/${id}`)
  })
  const isValid =
    isPieces(fields.quantity) &&
    isPeriods(fields.periods, fields.interval) &&
    readMetadata(fields.metadata) !== undefined
  const total = isPieces(fields.quantity) ? Math.round(Number(fields.quantity) * entry.price * 1e6) / 1e6 : 0
  const isLater = fields.start > dayText(now())
  return (
    <Dialog title={`Subscribe to ${entry.name}`} onClose={onClose}>
      <Form onSubmit={() => subscribe.mutate({ payload: requestOf(company_id, entry.id, fields) })}>
        <div className="pair">
          <TextField
            label="Pieces each period"
            required
            inputMode="numeric"
            hint={`${count(Number(entry.quantity))} left, ${price(entry.price)} each.`}
            error={
              fields.quantity === "" || isPieces(fields.quantity) ? undefined : "A whole number from 1 to 1,000,000."
            }
            value={fields.quantity}
            onChange={(quantity) => set({ quantity })}
          />
          <SelectField
            label="How often"
            value={fields.interval}
            onChange={(interval) => set({ interval })}
            options={INTERVALS}
          />
        </div>
        <Times fields={fields} onChange={set} />
        <MetadataField value={fields.metadata} onChange={(metadata) => set({ metadata })} />
        <p className="total-line">
          <span>{isLater ? "Charged from the first period on" : "Charged now, and again each period"}</span>
          <strong>
            {usd(total)} {everyOf(fields.interval)}
          </strong>
        </p>
        <p className="hint">The price stays as it is now. It is paid from your USD fund.</p>
        <Problem error={subscribe.error} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="main" type="submit" busy={subscribe.isPending} disabled={!isValid}>
            Subscribe
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}
