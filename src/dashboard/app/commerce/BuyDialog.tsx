import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useLocation } from "wouter"
import { call } from "../ApiCalls.ts"
import type { Answer, Payload, RowOf } from "../Contract.ts"
import { useAct } from "../Data.ts"
import { usePerson } from "../shell/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Actions, Form, SelectField, TextField } from "../ui/Field.tsx"
import { count, dayOf, price, usd } from "../ui/Format.ts"
import { MetadataField } from "../ui/MetadataField.tsx"
import { readMetadata } from "../ui/MetadataText.ts"
import { Problem } from "../ui/States.tsx"

type Terms = Payload<"POST /v1/orders">["payment_terms"]["type"]
type Offers = Answer<"POST /v1/payments/terms">["terms"]

const TERMS: ReadonlyArray<readonly [Terms, string]> = [
  ["prepaid", "Prepaid"],
  ["net_30", "Net 30 days"],
  ["net_60", "Net 60 days"],
  ["installments", "Monthly instalments"]
]

const MOST_PIECES = 1_000_000
const INSTALMENTS: ReadonlyArray<readonly [string, string]> = Array.from({ length: 11 }, (_, index) => [
  String(index + 2),
  `${index + 2} parts`
])

/** The terms on which an amount can be paid. */
const useOffers = (amount: number): Offers | undefined => {
  const { company_id } = usePerson()
  const { data } = useQuery({
    queryKey: ["POST /v1/payments/terms", company_id, amount],
    queryFn: async () =>
      (await call("POST /v1/payments/terms", { payload: { company_id, amount, currency: "USD" } })).body,
    enabled: amount > 0
  })
  return data?.terms
}

interface OffersProps {
  readonly amount: number
  readonly terms: Terms
  readonly parts: number
}

/** What the terms that are chosen come to, or why they cannot be had. */
const Offered = ({ amount, parts, terms }: OffersProps) => {
  const offers = useOffers(amount)
  const offer = offers?.find(
    ({ installments, type }) => type === terms && (type !== "installments" || installments === parts)
  )
  if (offer === undefined) return null
  if (!offer.available) return <p className="field-error">{offer.reasons.map(({ text }) => text).join(" ")}</p>
  const [first] = offer.schedule
  return terms === "prepaid" || first === undefined ? null : (
    <p className="hint">
      {offer.schedule.length === 1
        ? `${usd(offer.total)} is due on ${dayOf(first.due_at)}.`
        : `${offer.schedule.length} parts, the first of ${usd(first.amount)} on ${dayOf(first.due_at)}.`}{" "}
      It costs no interest.
    </p>
  )
}

const isWhole = (text: string): boolean => /^[1-9]\d{0,6}$/.test(text) && Number(text) <= MOST_PIECES

interface BuyDialogProps {
  readonly entry: RowOf<"GET /v1/commerce/catalog">
  readonly onClose: () => void
}

/** Orders one product. */
export const BuyDialog = ({ entry, onClose }: BuyDialogProps) => {
  const { company_id } = usePerson()
  const [, go] = useLocation()
  const [quantity, setQuantity] = useState("1")
  const [terms, setTerms] = useState<Terms>("prepaid")
  const [parts, setParts] = useState("3")
  const [metadata, setMetadata] = useState("")
  const order = useAct("POST /v1/orders", {
    done: "Order placed",
    quiet: true,
    changes: ["GET /v1/orders", "GET /v1/commerce/catalog"],
    onDone: ({ id }) => go(`/orders/${id}`)
  })
  const pieces = isWhole(quantity) ? Number(quantity) : 0
  const total = Math.round(pieces * entry.price * 1e6) / 1e6
  const place = () =>
    order.mutate({
      payload: {
        company_id,
        items: [{ product_id: entry.id, quantity: pieces }],
        payment_terms: { type: terms, ...(terms === "installments" ? { installments: Number(parts) } : {}) },
        metadata: readMetadata(metadata) ?? {}
      }
    })
  return (
    <Dialog title={`Order ${entry.name}`} onClose={onClose}>
      <Form onSubmit={place}>
        <TextField
          label="Pieces"
          required
          inputMode="numeric"
          value={quantity}
          onChange={setQuantity}
          hint={`${count(Number(entry.quantity))} left, ${price(entry.price)} each.`}
          error={quantity === "" || pieces > 0 ? undefined : "A whole number from 1 to 1,000,000."}
        />
        <div className="pair">
          <SelectField label="Payment terms" value={terms} onChange={setTerms} options={TERMS} />
          {terms === "installments" && (
            <SelectField label="Instalments" value={parts} onChange={setParts} options={INSTALMENTS} />
          )}
        </div>
        <Offered amount={total} terms={terms} parts={Number(parts)} />
        <MetadataField value={metadata} onChange={setMetadata} />
        <p className="total-line">
          <span>Total</span>
          <strong>{usd(total)}</strong>
        </p>
        <Problem error={order.error} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="main"
            type="submit"
            busy={order.isPending}
            disabled={pieces === 0 || readMetadata(metadata) === undefined}
          >
            Place order
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}
