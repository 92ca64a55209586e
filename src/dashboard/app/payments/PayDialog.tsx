import { useState } from "react"
import { useLocation } from "wouter"
import type { RowOf } from "../Contract.ts"
import { useAct, useApi } from "../Data.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Actions, CheckField, Form, SelectField } from "../ui/Field.tsx"
import { usd } from "../ui/Format.ts"
import { MetadataField } from "../ui/MetadataField.tsx"
import { type Metadata, readMetadata } from "../ui/MetadataText.ts"
import { Problem } from "../ui/States.tsx"
import { CARDS, grouped } from "./CardChoices.ts"

/** An order as far as it is paid. */
export type PayableOrder = Pick<RowOf<"GET /v1/orders">, "id" | "amount_due" | "payment_terms" | "sellers">

/** Reads that a payment makes old. */
export const PAYMENT_CHANGES = [
  "GET /v1/orders",
  "GET /v1/orders/:id",
  "GET /v1/orders/:id/history",
  "GET /v1/funds",
  "GET /v1/payments",
  "GET /v1/payments/:id"
] as const

type Means = "wallet" | "sandbox-card"
type Extent = "next" | "all"

const MEANS: ReadonlyArray<readonly [Means, string]> = [
  ["wallet", "USD fund"],
  ["sandbox-card", "Test card"]
]

const EXTENTS: ReadonlyArray<readonly [Extent, string]> = [
  ["next", "The next instalment"],
  ["all", "All that is left"]
]

interface CardFieldsProps {
  readonly card: string
  readonly onCard: (number: string) => void
  readonly keeps: boolean
  readonly onKeeps: (keeps: boolean) => void
}

const CardFields = ({ card, onCard, keeps, onKeeps }: CardFieldsProps) => (
  <>
    <SelectField
      label="Card"
      value={card}
      onChange={onCard}
      options={CARDS.map(({ number, title }) => [number, `${grouped(number)} · ${title}`] as const)}
      hint={CARDS.find(({ number }) => number === card)?.story}
    />
    <CheckField
      label="Only authorize it now"
      hint="The bank keeps the money. You take it or let it go on the payment's page."
      checked={keeps}
      onChange={onKeeps}
    />
  </>
)

/** How a card pays. */
interface CardChoice {
  readonly card: string
  readonly keeps: boolean
  readonly metadata: Metadata
}

/** Pays by card, and goes to the payment. */
const useCard = (order: PayableOrder, chosen: CardChoice, extent: Extent) => {
  const { card, keeps, metadata } = chosen
  const [, go] = useLocation()
  const act = useAct("POST /v1/payments", {
    quiet: true,
    changes: PAYMENT_CHANGES,
    onDone: ({ id }) => go(`/payments/${id}`)
  })
  const capture = keeps ? ("manual" as const) : ("automatic" as const)
  const payload = { order_id: order.id, provider: "sandbox-card" as const, instrument: card, extent, capture, metadata }
  return { run: () => act.mutate({ payload }), busy: act.isPending, error: act.error }
}

const useWallet = (order: PayableOrder, extent: Extent, onClose: () => void) => {
  const act = useAct("POST /v1/orders/:id/pay", {
    done: "Order paid",
    quiet: true,
    changes: PAYMENT_CHANGES,
    onDone: onClose
  })
  const run = () => act.mutate({ params: { id: order.id }, payload: { instalments: extent } })
  return { run, busy: act.isPending, error: act.error }
}

interface PayProps {
  readonly order: PayableOrder
  readonly onClose: () => void
}

/** Chooses how an order is paid, and pays it. */
export const PayForm = ({ order, onClose }: PayProps) => {
  const open = order.payment_terms.schedule.filter(({ paid }) => !paid)
  const inParts = open.length > 1
  const [extent, setExtent] = useState<Extent>(inParts ? "next" : "all")
  const [means, setMeans] = useState<Means>("wallet")
  const [card, setCard] = useState(CARDS[0]?.number ?? "")
  const [keeps, setKeeps] = useState(false)
  const isSandbox = useApi("GET /v1/info", {}).data?.mode === "sandbox"
  const [written, setWritten] = useState("")
  const metadata = readMetadata(written)
  const byCard = useCard(order, { card, keeps, metadata: metadata ?? {} }, extent)
  const byWallet = useWallet(order, extent, onClose)
  const { busy, error, run } = means === "wallet" ? byWallet : byCard
  const [next] = open
  const amount = extent === "next" && next !== undefined ? next.amount : order.amount_due
  const to = order.sellers.length === 1 ? "the seller" : "the sellers"
  return (
    <Form onSubmit={run}>
      {isSandbox && <SelectField label="Pay with" value={means} onChange={setMeans} options={MEANS} />}
      {inParts && <SelectField label="How much" value={extent} onChange={setExtent} options={EXTENTS} />}
      {means === "sandbox-card" && (
        <>
          <CardFields card={card} onCard={setCard} keeps={keeps} onKeeps={setKeeps} />
          <MetadataField value={written} onChange={setWritten} />
        </>
      )}
      {means === "wallet" && (
        <p>
          {usd(amount)} go from your USD fund to {to} at once.
        </p>
      )}
      <Problem error={error} />
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="main" type="submit" busy={busy} disabled={means === "sandbox-card" && metadata === undefined}>
          {means === "sandbox-card" && keeps ? "Authorize" : "Pay"} {usd(amount)}
        </Button>
      </Actions>
    </Form>
  )
}

/** Pays an order. */
export const PayDialog = ({ order, onClose }: PayProps) => (
  <Dialog title="Pay the order" onClose={onClose}>
    <PayForm order={order} onClose={onClose} />
  </Dialog>
)
