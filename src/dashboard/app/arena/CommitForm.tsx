import { Result } from "effect"
import { useState } from "react"
import { collateralOf } from "../../../../engine/arena/Collateral.ts"
import * as Amount from "../../../../engine/money/Amount.ts"
import { useAct } from "../Data.ts"
import { Button } from "../ui/Button.tsx"
import { Card, Facts } from "../ui/Card.tsx"
import { Actions, Form, TextField } from "../ui/Field.tsx"
import { percent, price, usd } from "../ui/Format.ts"
import { Problem } from "../ui/States.tsx"
import type { ArenaOrder } from "./ArenaOrder.ts"

const round = (value: number): number => Math.round(value * 1e6) / 1e6

/** A suggestion of five digits or so, which is what a person would type. */
const readable = (value: number): string => String(Number(value.toPrecision(6)))

/** A bid's suggested first figures: at the price, wherever it is at the choice, for a tenth of the order. */
const suggested = ({ entry_price: entry, quantity }: ArenaOrder) => ({
  bid: String(entry),
  exit: readable(entry * 1.08),
  quantity: String(round(quantity / 10)),
  tolerance: "2"
})

const collateral = (order: ArenaOrder, quantity: string): string => {
  const [entry, units] = [Amount.fromNumber(order.entry_price), Amount.parse(quantity)]
  if (Result.isFailure(entry) || Result.isFailure(units)) return "–"
  const needed = collateralOf(entry.success, units.success)
  return Result.isFailure(needed) ? "–" : usd(Amount.toNumber(needed.success))
}

const limit = (bid: string, tolerance: string): string => {
  const value = Number(bid) * (1 + Number(tolerance) / 100)
  return Number.isFinite(value) && value > 0 ? price(round(value)) : "–"
}

/** What a bid comes to at the choice: so much above or below the reference price, or its limit where bids do not float. */
const offer = (
  { entry_price: entry, maker_discount: discount }: ArenaOrder,
  bid: string,
  tolerance: string
): string => {
  const above = Number(bid) / entry - 1
  if (discount === null || !Number.isFinite(above)) return limit(bid, tolerance)
  return above === 0
    ? "the reference price"
    : `the reference price ${above < 0 ? "−" : "+"} ${percent(Math.abs(above), 2)}`
}

/** Commits to an order. The server's refusal is said below the fields. */
export const CommitForm = ({ order }: { readonly order: ArenaOrder }) => {
  const [fields, setFields] = useState(() => suggested(order))
  const set = (name: keyof typeof fields) => (value: string) => setFields((before) => ({ ...before, [name]: value }))
  const commit = useAct("POST /api/arena/commitments", {
    done: "Committed",
    changes: ["GET /api/arena/commitments/my"],
    quiet: true
  })
  const submit = () =>
    commit.mutate({
      payload: {
        order_id: order.order_id,
        proposed_entry_price: Number(fields.bid),
        expected_exit_price: Number(fields.exit),
        quantity: Number(fields.quantity),
        slippage_tolerance: round(Number(fields.tolerance) / 100)
      }
    })
  const numeric = { inputMode: "decimal", required: true, autoComplete: "off" } as const
  return (
    <Card title="Commit to it">
      <Form onSubmit={submit}>
        <div className="pair">
          <TextField label="Your price, USD" value={fields.bid} onChange={set("bid")} {...numeric} />
          <TextField
            label="Tolerance, %"
            value={fields.tolerance}
            onChange={set("tolerance")}
            {...numeric}
            hint="0 to 5"
          />
        </div>
        <div className="pair">
          <TextField label="Quantity" value={fields.quantity} onChange={set("quantity")} {...numeric} />
          <TextField label="Take profit at, USD" value={fields.exit} onChange={set("exit")} {...numeric} />
        </div>
        <Facts
          rows={[
            ["You offer", offer(order, fields.bid, fields.tolerance)],
            ["You pay at most", `${limit(fields.bid, fields.tolerance)} a unit`],
            ["Locked, and the most you lose", collateral(order, fields.quantity)]
          ]}
        />
        <Problem error={commit.error} />
        <Actions>
          <Button type="submit" look="main" busy={commit.isPending}>
            Commit
          </Button>
        </Actions>
      </Form>
    </Card>
  )
}
