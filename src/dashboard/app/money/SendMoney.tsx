import { useState } from "react"
import type { Answer } from "../Contract.ts"
import { useAct, useRows } from "../Data.ts"
import { now } from "../Platform.ts"
import { usePerson } from "../shell/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { Facts } from "../ui/Card.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Actions, Form, SelectField, TextField } from "../ui/Field.tsx"
import { count, countdown, millisOf } from "../ui/Format.ts"
import { MetadataField } from "../ui/MetadataField.tsx"
import { readMetadata } from "../ui/MetadataText.ts"
import { Problem } from "../ui/States.tsx"
import { useNow } from "../ui/Time.tsx"
import { exactAmount } from "./ExactAmount.ts"
import { AssetField, QuantityField } from "./AssetField.tsx"

/** A rate, and until when it is held by the browser's own clock, which may be wrong. */
interface Quote extends Answer<"POST /v1/fx/quotes"> {
  readonly until: number
}

const heldFrom = (quote: Answer<"POST /v1/fx/quotes">, at: number): Quote => ({
  ...quote,
  until: at + millisOf(quote.expires_at) - millisOf(quote.created_at)
})

/** Beneficiaries that the choice shows. */
const MOST_SHOWN = 100

const SOMEBODY = "somebody"

/** What is to be sent, as the form holds it. */
interface Sending {
  readonly beneficiary: string
  readonly user: string
  readonly quantity: string
  readonly asset: string
  readonly into: string
  readonly country: string
  readonly description: string
  readonly metadata: string
}

const START: Sending = {
  beneficiary: SOMEBODY,
  user: "",
  quantity: "",
  asset: "USD",
  into: "USD",
  country: "",
  description: "",
  metadata: ""
}

const recipientOf = ({ beneficiary, user }: Sending): string => (beneficiary === SOMEBODY ? user : beneficiary)

interface FieldsProps {
  readonly sending: Sending
  readonly set: (change: Partial<Sending>) => void
}

const Recipient = ({ sending, set }: FieldsProps) => {
  const known = useRows("GET /v1/transfers/to", { query: { limit: MOST_SHOWN } })
  const options = (known.data?.rows ?? []).map(({ accountName, id }) => [id, accountName] as const)
  return (
    <>
      <SelectField
        label="To"
        value={sending.beneficiary}
        onChange={(beneficiary) => set({ beneficiary })}
        options={[[SOMEBODY, "A user of this platform"], ...options]}
      />
      {sending.beneficiary === SOMEBODY && (
        <TextField
          label="User id"
          required
          maxLength={64}
          placeholder="usr_…"
          value={sending.user}
          onChange={(user) => set({ user })}
        />
      )}
    </>
  )
}

const Amounts = ({ sending, set }: FieldsProps) => (
  <>
    <div className="pair">
      <QuantityField label="Amount" value={sending.quantity} onChange={(quantity) => set({ quantity })} />
      <AssetField
        label="From your fund of"
        value={sending.asset}
        onChange={(asset) => set({ asset, ...(sending.into === sending.asset ? { into: asset } : {}) })}
      />
    </div>
    <AssetField
      label="They get"
      value={sending.into}
      onChange={(into) => set({ into })}
      hint={
        sending.into === sending.asset ? "The money moves as it is." : "It is exchanged at a rate that you see first."
      }
    />
  </>
)

interface ConfirmProps {
  readonly sending: Sending
  readonly quote: Quote | undefined
  readonly onBack: () => void
  readonly onClose: () => void
}

const Rate = ({ quote }: { readonly quote: Quote }) => {
  const left = quote.until - useNow()
  return left > 0 ? (
    <>Held for {countdown(left)}</>
  ) : (
    <span className="bad-text">It has ended: go back for another.</span>
  )
}

const ConfirmSending = ({ sending, quote, onBack, onClose }: ConfirmProps) => {
  const { id } = usePerson()
  const { asset, country, description, into, metadata, quantity } = sending
  const send = useAct("POST /v1/transfers", {
    done: "Money sent",
    quiet: true,
    changes: ["GET /v1/transfers", "GET /v1/funds"],
    onDone: onClose
  })
  const payload = {
    pair: `${asset}/${into}`,
    quantity,
    from: id,
    to: recipientOf(sending),
    country,
    description,
    createdDate: Math.floor(now() / 1000),
    metadata: readMetadata(metadata) ?? {},
    ...(quote === undefined ? {} : { quote_id: quote.id })
  }
  const rate: ReadonlyArray<readonly [string, string]> =
    quote === undefined ? [] : [["Rate", `1 ${asset} = ${count(quote.rate)} ${into}`]]
  return (
    <Form onSubmit={() => send.mutate({ payload })}>
      <Facts
        rows={[
          ["You send", exactAmount(quantity, asset)],
          ["They get", exactAmount(quote?.value ?? quantity, into)],
          ...rate,
          ["To", <code key="to">{recipientOf(sending)}</code>]
        ]}
      />
      {quote !== undefined && (
        <p className="hint">
          <Rate quote={quote} />
        </p>
      )}
      <Problem error={send.error} />
      <Actions>
        <Button onClick={onBack}>Back</Button>
        <Button look="main" type="submit" busy={send.isPending}>
          Send {exactAmount(quantity, asset)}
        </Button>
      </Actions>
    </Form>
  )
}

/** Sends money to a user or a beneficiary: what and to whom, then the rate and a last look. */
export const SendMoney = ({ onClose }: { readonly onClose: () => void }) => {
  const [sending, setSending] = useState(START)
  const [step, setStep] = useState<"fill" | "confirm">("fill")
  const [held, setHeld] = useState<Quote>()
  const quote = useAct("POST /v1/fx/quotes", {
    quiet: true,
    onDone: (answer) => {
      setHeld(heldFrom(answer, now()))
      setStep("confirm")
    }
  })
  const set = (change: Partial<Sending>) => setSending((before) => ({ ...before, ...change }))
  const { asset, into, quantity } = sending
  const isExchange = asset !== into
  const go = () => {
    if (!isExchange) setStep("confirm")
    else quote.mutate({ payload: { pair: `${asset}/${into}`, trade: "Sell", quantity: Number(quantity) } })
  }
  return (
    <Dialog title="Send money" onClose={onClose}>
      {step === "confirm" ? (
        <ConfirmSending
          sending={sending}
          quote={isExchange ? held : undefined}
          onBack={() => setStep("fill")}
          onClose={onClose}
        />
      ) : (
        <Form onSubmit={go}>
          <Recipient sending={sending} set={set} />
          <Amounts sending={sending} set={set} />
          <div className="pair">
            <TextField
              label="Your country"
              required
              maxLength={100}
              placeholder="BE"
              value={sending.country}
              onChange={(country) => set({ country })}
            />
            <TextField
              label="Description"
              maxLength={500}
              placeholder="Invoice 1042"
              value={sending.description}
              onChange={(description) => set({ description })}
            />
          </div>
          <MetadataField value={sending.metadata} onChange={(metadata) => set({ metadata })} />
          <Problem error={quote.error} />
          <Actions>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              look="main"
              type="submit"
              busy={quote.isPending}
              disabled={readMetadata(sending.metadata) === undefined}
            >
              {isExchange ? "See the rate" : "Continue"}
            </Button>
          </Actions>
        </Form>
      )}
    </Dialog>
  )
}
