/** One act of an order's history, as the API answers it. */
export interface OrderAct {
  readonly type:
    | "order.created"
    | "order.paid"
    | "order.fulfilled"
    | "order.cancelled"
    | "order.payment_due"
    | "order.overdue"
  /** Null where another seller did it, or nobody, as is the company. */
  readonly userId: string | null
  readonly companyId: string | null
  /** Its amount as text with its currency; null where it has none. */
  readonly amount: string | null
  readonly reason: string | null
}

/** Whose eyes read the history. */
export interface Reader {
  readonly userId: string
  readonly companyId: string
  /** How another company is called, by its id. */
  readonly nameOf: (companyId: string) => string
}

const whoOf = ({ companyId, userId }: OrderAct, reader: Reader): string => {
  if (companyId === null) return "Another seller"
  if (userId === reader.userId) return "You"
  return companyId === reader.companyId ? "A colleague" : reader.nameOf(companyId)
}

/** What somebody did to an order, as one sentence. */
export const actSentence = (act: OrderAct, reader: Reader): string => {
  const who = whoOf(act, reader)
  const amount = act.amount === null ? "" : ` ${act.amount}`
  switch (act.type) {
    case "order.created":
      return `${who} placed the order${act.amount === null ? "" : ` over${amount}`}.`
    case "order.paid":
      return `${who} paid${amount === "" ? " it" : amount}.`
    case "order.fulfilled":
      return act.companyId === reader.companyId ? `${who} delivered your items.` : `${who} delivered its items.`
    case "order.cancelled":
      return act.reason === null || act.reason === ""
        ? `${who} cancelled the order.`
        : `${who} cancelled the order: ${act.reason}`
    case "order.payment_due":
      return `An instalment${amount === "" ? "" : ` of${amount}`} is due soon.`
    case "order.overdue":
      return `An instalment${amount === "" ? "" : ` of${amount}`} is overdue.`
  }
}
